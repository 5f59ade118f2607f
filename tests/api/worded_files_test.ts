import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { codeCell, codesCell, storedCodeCell } from "../../src/engine/wording/code_words.ts";
import type { Cell, OutgoingTable } from "../../src/platform/tables/cell.ts";
import { tableResponse, worded } from "../../src/platform/tables/table_answer.ts";
import type { Caller } from "../caller.ts";
import { csvCells } from "../csv_cells.ts";
import { addProduct, push } from "../rules/evaluation/market.ts";
import { withApp } from "../harness.ts";
import { IMPORT, importXml, itemsXml } from "../imports/import_bench.ts";
import { until } from "../patience.ts";

type Words = readonly (string | undefined)[];

/**
 * Requires the words of some cells in the first row: the code, the German and the English word.
 * Returns a function that reads a cell.
 */
async function requireWords(caller: Caller, path: string, expected: Record<string, Words>) {
  const rowsOf = async (query: string) => {
    const answer = await caller.get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
    assertEquals(answer.status, 200, path);
    return csvCells(await answer.text(), ";");
  };
  const [head = [], ...codes] = await rowsOf("");
  const [[, ...german], [, ...english]] = [await rowsOf("lang=de"), await rowsOf("lang=en")];
  const wordsIn = (row: number, column: string): Words =>
    [codes, german, english].map((rows) => rows[row]?.[head.indexOf(column)]);
  const found = Object.keys(expected).map((name) => [name, wordsIn(0, name)]);
  assertEquals(Object.fromEntries(found), expected);
  return wordsIn;
}

withApp.test("products have market words, the audit log actions, an import findings", async (app) => {
  const made = { condition: "refurbished", scrapeEnabled: false };
  const id = await addProduct(app.manager, "A-1", made);
  await push(app, [["A-1", "acme", 90]]);

  const columns = "sku,condition,scrapeEnabled,state,position,cheapestMatchType,cheapestInStock";
  await requireWords(app.viewer, `/api/products.csv?columns=${columns}`, {
    sku: ["A-1", "A-1", "A-1"],
    condition: ["refurbished", "generalüberholt", "refurbished"],
    scrapeEnabled: ["false", "nein", "no"],
    state: ["ok", "verglichen", "compared"],
    position: ["dearest", "teuerster", "most expensive"],
    cheapestMatchType: ["exact", "dasselbe Produkt", "the same product"],
    cheapestInStock: ["true", "ja", "yes"],
  });

  app.clock.advance(60_000);
  await requireWords(app.viewer, `/api/products/${id}/price-evidence.csv`, {
    source: ["api", "Eingabe oder API", "Entered or API"],
    isCounted: ["true", "ja", "yes"],
  });

  await app.manager.change(`/api/products/${id}`, { title: "Neu" });
  const audit = await requireWords(app.viewer, "/api/audit-logs.csv", {
    action: ["product.update", "geändert", "changed"],
    resourceType: ["product", "Produkt", "Product"],
    actorType: ["user", "Person", "Person"],
  });

  // Times are in the workspace's time zone for people, in UTC for programs.
  const [at = ""] = audit(0, "at");
  const day = Temporal.Instant.from(at).toZonedDateTimeISO("Europe/Berlin").toPlainDate();
  assertEquals(audit(0, "at").slice(1).map((text) => text?.slice(0, 10)), [
    day.toString().split("-").toReversed().join("."),
    day.toString(),
  ]);

  const history = `/api/products/${id}/price-history`;
  const { items: [entry] } = await app.viewer.read(history);
  const mark = (isError: boolean) =>
    app.manager.act(`${history}/${entry.at}/mark`, { isError, reason: "Tippfehler" });
  await mark(true);
  await mark(false);
  const marks = await requireWords(app.viewer, "/api/audit-logs.csv?action=product.mark", {
    action: ["product.mark", "Kennzeichnung zurückgenommen", "mark removed"],
  });
  assertEquals(marks(1, "action")[1], "im Preisverlauf gekennzeichnet");

  const key = await app.key(["products:write"]);
  const { data } = await importXml(key, itemsXml([{ sku: "B", price: "1,00" }]));
  const { jobId } = data;
  // Each row also has an English message. So English files keep the code, and German files have a
  // German sentence instead.
  await requireWords(app.viewer, `/api/imports/${jobId}/errors?format=csv`, {
    severity: ["error", "Fehler", "error"],
    code: ["missing_title", "Ein neues Produkt braucht einen Titel.", "missing_title"],
  });
  await requireWords(key, `${IMPORT}/${jobId}/errors?format=csv`, {
    code: ["missing_title", "missing_title", "missing_title"],
  });
});

Deno.test("a coded cell is a code for programs and a word for people; an unknown code stays", () => {
  const textsOf = (cell: ReturnType<typeof codeCell>) =>
    cell && [cell.plain, cell.textIn("de"), cell.textIn("en")];
  const answer = "The server answered 500";
  const cases = [
    [codeCell("proposalStatuses", "rolled_back"), "rolled_back", "zurückgenommen", "rolled back"],
    [codesCell("days", ["mon", "sun"]), "mon sun", "Mo, So", "Mon, Sun"],
    [storedCodeCell("scrapeErrors", "of_tomorrow"), "of_tomorrow", "of_tomorrow", "of_tomorrow"],
    [storedCodeCell("pullErrors", "http_500", answer), "http_500", answer, answer],
  ] as const;
  for (const [cell, ...texts] of cases) assertEquals(textsOf(cell), texts);
  assertEquals(textsOf(codeCell("proposalStatuses", null)), null);
  // Names that every object inherits, such as `toString`, are no words.
  assertEquals(textsOf(storedCodeCell("scrapeErrors", "toString"))?.[1], "toString");
});

/** A table that records whether its reader has released it. */
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
