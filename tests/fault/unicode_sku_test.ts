import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { escapeXml } from "../../src/base/text.ts";
import { statusOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";

/**
 * SKUs as people might type them. None starts like a formula of a spreadsheet, because the CSV
 * contains such SKUs with an apostrophe before them (`harmless`).
 */
const SKUS = [
  "Kühlschrank-300",
  "é-composed",
  "ß-STRASSE",
  "日本語-4711",
  "кириллица",
  "عربي-12",
  "👩‍👩‍👧 Familie",
  "a/b?c#d%20e",
  'x;y,"z"\'',
  "<&>]]>",
  "...",
  "sku:id:4711",
  "64f0c2a1e4b0a1b2c3d4e5f6",
  " 4711-A",
  "4711-a",
];

const path = (sku: string) => `/api/public/v1/products/${encodeURIComponent(sku)}`;

/** SKUs are in the second column, ids in the first. */
async function skusOfCsv(caller: Caller): Promise<string[]> {
  const answer = await caller.get("/api/products.csv?dialect=rfc4180");
  const text = (await answer.text()).replace(/^\uFEFF/, "");
  const rows = [...text.matchAll(/^"[^"]*","((?:[^"]|"")*)"/gm)].map(([, cell]) => cell!);
  return rows.slice(1).map((cell) => cell.replaceAll('""', '"'));
}

/**
 * Creates a product by JSON, changes it by XML, and requires that its paths and the list find it.
 */
async function requireOne(app: TestApp, program: Caller, sku: string): Promise<string> {
  const stored = sku.trim().normalize("NFC");
  const made = await app.manager.create("/api/products", { sku, title: "JSON" });
  assertEquals(made.sku, stored);
  const file = itemsXml([{ sku: escapeXml(sku), title: "XML" }]);
  const { data } = await importXml(program, file);
  assertEquals([data.status, data.stats.updated], ["succeeded", 1], JSON.stringify(data));
  for (const way of [path(stored), path(`sku:${stored}`), path(sku.normalize("NFD"))]) {
    const { data: found } = await program.read(way);
    assertEquals([found.id, found.sku, found.title], [made.id, stored, "XML"]);
  }
  const query = new URLSearchParams({ sku: stored });
  const { data: listed } = await program.read(`/api/public/v1/products?${query}`);
  assertEquals(listed.map(({ id }: { id: string }) => id), [made.id]);
  const again = app.manager.post("/api/products", { sku: sku.normalize("NFD"), title: "again" });
  assertEquals(await statusOf(again), 409);
  return stored;
}

Deno.test("a SKU in any script means the same product in JSON, XML, path, list and CSV", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "100000" } });
  const program = await app.key(["products:write"]);
  const stored: string[] = [];
  for (const sku of SKUS) stored.push(await requireOne(app, program, sku));
  assertEquals((await skusOfCsv(app.viewer)).sort(), stored.sort());
});

Deno.test("any SKU that is accepted in JSON is found by its path and in the list", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "100000" } });
  const program = await app.key([]);
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
  await fc.assert(fc.asyncProperty(text, async (sku) => {
    const answer = await app.manager.post("/api/products", { sku, title: "t" });
    if (answer.status !== 201) {
      await answer.body?.cancel();
      // Blank text, control characters and existing SKUs are refused.
      return [400, 409].includes(answer.status);
    }
    const made = await answer.json();
    const { data } = await program.read(path(`sku:${made.sku}`));
    const query = new URLSearchParams({ sku: made.sku });
    const { data: listed } = await program.read(`/api/public/v1/products?${query}`);
    return data.id === made.id && listed.length === 1 && listed[0].id === made.id;
  }));
});
