import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { importFile, withBench } from "../imports/import_bench.ts";
import { column, everyItem, refusalOf, refuses, valuesOf } from "./answers.ts";

const BASE = "/api/import-profiles";
const CSV = { "Content-Type": "text/csv" };
const FILE = "Kennwort;Was;Netto;Lieferant\nA-1;Apfel;1,50;Hof\nA-2;Birne;2,00;Gut\n";
const OWN = {
  id: "nachts",
  name: "Nachtlauf",
  format: "table",
  detect: { columns: ["Kennwort", "Netto"] },
  fields: { sku: { columns: ["Kennwort"] }, title: { columns: ["Was"] } },
  attributes: [{ name: "supplier", from: { columns: ["Lieferant"] } }],
  prices: [{ from: { columns: ["Netto"] }, role: "own", side: "net" }],
  numberFormat: "de",
};

withBench.test("a table profile is created, read and changed, and reads files with its columns", async ({ app, key }) => {
  const before = await importFile(key, FILE, "text/csv");
  assertEquals(before.data.error.code, "missing_sku_column");

  const made = await app.manager.create(BASE, OWN);
  assertEquals([made.builtIn, made.format, made.zeroIsEmpty], [false, "table", true]);
  assertEquals(await app.viewer.read(`${BASE}/nachts`), made);
  const { data } = await importFile(key, FILE, "text/csv");
  assertEquals([data.files[0].profile, data.stats.inserted], ["nachts", 2]);
  const { items } = await app.owner.read("/api/products?limit=10");
  assertEquals(valuesOf(items, "sku", "ourPrice", "attributes").sort(), [
    ["A-1", 150, { supplier: "Hof" }],
    ["A-2", 200, { supplier: "Gut" }],
  ]);

  const changed = { ...made, name: "Neu" };
  for (const change of [{ name: "Neu" }, changed]) {
    assertEquals(await app.manager.change(`${BASE}/nachts`, change), changed);
  }
  const named = await importFile(key, FILE.replace("1,50", "1,60"), "text/csv", "?profile=nachts");
  assertEquals(named.data.stats.updated, 1);
});

withApp.test("a malformed table profile is refused, each field by its path", async (app) => {
  const wrong: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    ["without a column of the SKU", { fields: {} }, ["fields.sku"]],
    ["of an unknown role", { prices: [{ from: {}, role: "best" }] }, ["prices.0.role"]],
    ["of an unknown delimiter", { read: { delimiter: "#" } }, ["read.delimiter"]],
    ["of a format that there is not", { format: "pdf" }, ["format"]],
    ["with a path of XML", { itemPath: "a/b" }, ["itemPath"]],
  ];
  for (const [what, part, paths] of wrong) {
    const { code, details } = await refusalOf(app.manager.post(BASE, { ...OWN, ...part }));
    assertEquals(code, "validation_failed", what);
    assertEquals(column(details.fields, "path"), paths, what);
  }
  for (const id of ["jtl-ameise", "google-merchant"]) {
    await refuses(app.manager.post(BASE, { ...OWN, id }), "conflict");
    await refuses(app.manager.delete(`${BASE}/${id}`), "forbidden");
  }
});

withApp.test("a preview shows a table's format, the use of its columns, and a profile to save", async (app) => {
  const file = "Stand: 20.11.2026\n\nArtikelnummer;Bezeichnung;VK netto (EUR);Farbe\n" +
    "A-1;Apfel;1.234,50;rot\nA-2;Birne;2,00;grün\n";
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  const { look, columns } = seen;
  assertEquals(
    [look.kind, look.encoding, look.delimiter, look.headerRow, look.rows],
    ["delimited", "utf-8", ";", 3, 2],
  );
  assertEquals(look.firstRows[0], { line: 4, cells: ["A-1", "Apfel", "1.234,50", "rot"] });
  assertEquals(valuesOf(columns, "column", "field", "side", "currency"), [
    ["Artikelnummer", "sku", null, null],
    ["Bezeichnung", "title", null, null],
    ["VK netto (EUR)", "price", "net", "EUR"],
    ["Farbe", null, null, null],
  ]);
  assertEquals(columns[2].samples, ["1.234,50", "2,00"]);
  ok(seen.confidence > 0.8 && seen.confidence <= 1, String(seen.confidence));
  assertEquals([seen.profile, seen.records.length, seen.error], ["suggested", 2, null]);
  assertEquals((await app.owner.read("/api/products")).items, []);

  const saved = { ...seen.suggestion, id: "preise", name: "Preise" };
  await app.manager.create(BASE, saved);
  const again = await app.viewer.act(`${BASE}/preview?profile=preise`, file, CSV);
  assertEquals([again.profile, again.suggestion, again.confidence], ["preise", null, 1]);
  assertEquals(again.records, seen.records);
  assertEquals(column(again.columns, "field"), column(columns, "field"));
});

withApp.test("a preview of a file that is no table says why, and one of XML shows its records", async (app) => {
  const none = await app.viewer.act(`${BASE}/preview`, "nichts als Text", CSV);
  assertEquals([none.look, none.error.code], [null, "no_header"]);
  const xml = "<ITEMS><ITEM><SKU>A</SKU></ITEM></ITEMS>";
  const seen = await app.viewer.act(`${BASE}/preview`, xml, { "Content-Type": "application/xml" });
  assertEquals([seen.columns, seen.profile, seen.confidence], [[], "erp-default", null]);
  assertEquals(
    valuesOf([seen.look], "kind", "root", "list", "encoding", "rows", "headerRow", "firstRows"),
    [["xml", "ITEMS", "//ITEM|//ARTICLE|//ARTIKEL|//PRODUCT", "utf-8", 1, null, []]],
  );
});

withApp.test("a preview counts all rows and their findings, by kind and column", async (app) => {
  const rows = Array.from(
    { length: 300 },
    (_, n) => `A-${n};Ding ${n};${n % 3 === 0 ? "viel" : "1,00"};${n % 100 === 0 ? "x" : ""}`,
  );
  const file = ["Artikelnummer;Bezeichnung;VK;EAN", ...rows, ";ohne;1,00;"].join("\n");
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  assertEquals([seen.look.rows, seen.records.length, seen.warnings.length], [301, 20, 100]);
  const fields = ["severity", "code", "field", "count", "line", "value"];
  assertEquals(Object.keys(seen.tallies[0]).sort(), fields.toSorted());
  assertEquals(valuesOf(seen.tallies, ...fields), [
    ["error", "missing_sku", "Artikelnummer", 1, 302, ""],
    ["warning", "invalid_number", "VK", 100, 2, "viel"],
    ["warning", "invalid_ean", "EAN", 3, 2, "x"],
  ]);
  // The preview also reports a file that is truncated after its first records.
  const broken = `${file}\nB-1;"offen`;
  const told = await app.viewer.act(`${BASE}/preview`, broken, CSV);
  assertEquals([told.error.code, told.error.line, told.look.rows], ["unclosed_quote", 303, null]);
});

withApp.test("a preview of a long file counts only its first 16 MiB", async (app) => {
  const row = `A-1;${"x".repeat(60_000)};1,00\n`;
  const file = `Artikelnummer;Bezeichnung;VK\n${row.repeat(300)}`;
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  assertEquals([seen.look.rows, seen.records.length, seen.error], [null, 20, null]);
});

withApp.test("a table without a known SKU column is shown with its columns, for a person to name it", async (app) => {
  const seen = await app.viewer.act(`${BASE}/preview`, FILE, CSV);
  assertEquals(seen.error.code, "missing_sku_column");
  assertEquals([seen.look.kind, seen.records], ["delimited", []]);
  assertEquals(column(seen.columns, "column"), ["Kennwort", "Was", "Netto", "Lieferant"]);
  assertEquals([seen.suggestion.fields.sku, seen.look.firstRows.length], [null, 2]);
  const named = { ...seen.suggestion, id: "so", fields: OWN.fields };
  await app.manager.create(BASE, named);
  const { records, error } = await app.viewer.act(`${BASE}/preview?profile=so`, FILE, CSV);
  assertEquals([records.length, error], [2, null]);
});

withApp.test("a profile finds products by SKU or EAN, and needs a column for it", async (app) => {
  const made = await app.manager.create(BASE, OWN);
  assertEquals(made.matchBy, "sku");
  const byEan = { ...OWN, id: "ean", matchBy: "ean" };
  const { details } = await refusalOf(app.manager.post(BASE, byEan));
  assertEquals(column(details.fields, "path"), ["fields.ean"]);
  const fields = { ean: { columns: ["Kennwort"] } };
  await app.manager.create(BASE, { ...byEan, fields, detect: {} });
  await app.owner.create("/api/products", { sku: "S-1", title: "Tasse", ean: "4000000001379" });
  const file = "Kennwort;Netto\n4000000001379;1,00\n4000000002741;2,00\n";
  const seen = await app.viewer.act(`${BASE}/preview?profile=ean`, file, CSV);
  assertEquals(column(seen.records, "sku"), ["S-1", null]);
  const codes = column(seen.records, "findings").map((findings) => column(findings, "code"));
  assertEquals(codes, [[], ["unknown_ean"]]);
});

withApp.test("a profile without an id gets one from its name", async (app) => {
  const { id: _id, ...nameless } = OWN;
  const names = ["Preise für Öl & Fett", "Preise für Öl & Fett", "JTL-Ameise", "–", "x".repeat(99)];
  const ids = [];
  for (const name of names) {
    const made = await app.manager.create(BASE, { ...nameless, name });
    ids.push(made.id);
    assertEquals(await app.viewer.read(`${BASE}/${made.id}`), made);
  }
  assertEquals(
    ids,
    ["preise-fuer-oel-fett", "preise-fuer-oel-fett-2", "jtl-ameise-2", "profile", "x".repeat(60)],
  );
  const xml = { detect: { root: "K" }, itemPath: "K/A", fields: { sku: { path: "N" } } };
  assertEquals((await app.manager.create(BASE, { ...xml, name: "Katalog" })).id, "katalog");
});

withApp.test("two profiles of one name are both listed and read, page by page", async (app) => {
  const { items } = await app.viewer.read(BASE);
  assertEquals(await everyItem(app.viewer, `${BASE}?limit=1`), items);
  const feeds = items.filter(({ id }: { id: string }) => id === "google-merchant");
  assertEquals(column(feeds, "format"), ["table", undefined]);
  const read = (query: string) => app.viewer.read(`${BASE}/google-merchant${query}`);
  assertEquals(await read("?format=table"), feeds[0]);
  assertEquals(await read("?format=xml"), feeds[1]);
  assertEquals(await read(""), feeds[1]);
  await refuses(app.viewer.get(`${BASE}/idealo?format=xml`), "not_found");
});

withApp.test("the profile language is a JSON Schema with valid examples", async (app) => {
  const schema = await app.viewer.read("/api/import-profile-schema");
  assertEquals(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  for (const example of schema.examples) await app.manager.create(BASE, example);
});
