import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { statusOf, valuesOf } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { push } from "../rules/evaluation/market.ts";
import { importFile, importXml, withBench, XLSX } from "./import_calls.ts";

const PUBLIC = "/api/public/v1/products";

const FILES = [
  ["CSV for Excel", `${PUBLIC}.csv`, "text/csv", "kurant"],
  ["CSV of RFC 4180", `${PUBLIC}.csv?dialect=rfc4180`, "text/csv", "kurant"],
  ["NDJSON", `${PUBLIC}.ndjson`, "application/x-ndjson", "kurant-documents"],
  ["a workbook", "/api/products.xlsx", XLSX, "kurant"],
] as const;

async function fileOf(app: TestApp, path: string): Promise<Uint8Array> {
  const caller = path.startsWith(PUBLIC) ? await app.key(["products:write"]) : app.viewer;
  const answer = await caller.get(path);
  assertEquals(answer.status, 200);
  return await answer.bytes();
}

/** Omits `zero_price`, which every file with a price of 0 gets. */
const warningsOf = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
  warnings.filter(({ code }) => code !== "zero_price");

const productsOf = async (app: TestApp) => (await app.viewer.read("/api/products?limit=200")).items;

/** Starts of texts that spreadsheets would change, or whose apostrophe an import could remove. */
const BEGINNINGS = ["", "=", "+", "-", "@", "'", "'=", "''+", "\u00a0=", "＝", "0", "00"];
const text = (maxLength: number) =>
  fc.tuple(fc.constantFrom(...BEGINNINGS), fc.string({ unit: "grapheme", minLength: 1, maxLength }))
    .map((parts) => parts.join("").replace(/\p{Cc}/gu, "·"))
    .filter((one) => one.normalize("NFC").trim() !== "");
const rest = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const CURRENCIES = [["EUR", 2], ["JPY", 0], ["KWD", 3]] as const;

const product = fc.constantFrom(...CURRENCIES).chain(([currency, exponent]) => {
  const usual = fc.constantFrom(0, 1, 1_234, 123_456);
  const amount = fc.oneof(usual, fc.integer({ min: 0, max: 10 ** 12 }));
  return fc.record({
    title: text(20),
    brand: rest(text(10)),
    category: rest(text(10)),
    tier: rest(text(6)),
    ourPriceCents: rest(amount),
    costPriceCents: rest(amount),
    targetPriceCents: rest(amount),
    ean: rest(fc.constantFrom("4006381333931", "0000012345670", "96385074", "036000291452")),
    mpn: rest(text(8)),
    url: rest(fc.constantFrom("https://shop.test/a?b=c,d;e", "https://shop.test/ü")),
    vatRatePct: rest(fc.constantFrom(0, 7, 7.125, 19, 100)),
    attributes: rest(fc.dictionary(fc.constantFrom("Farbe", "=x"), text(5), { maxKeys: 2 })),
    priceLocked: rest(fc.boolean()),
  }).map(({ costPriceCents: cost, ...fields }) => {
    // Prices of at least 20 times the cost look like cents, and the import would be held.
    const least = Math.ceil((fields.ourPriceCents ?? 0) / 19);
    return { ...fields, costPriceCents: cost && Math.max(cost, least), currency, exponent };
  });
});

/** A product whose tiers, quantities and dates do not fit into one table row. */
const TIERED = `<ITEMS><ITEM><SKU>T-1</SKU><TITLE>Truhe</TITLE><TIER>STANDARD</TIER>
  <SALESPRICE><TIER>STANDARD</TIER><PRICE>19,99</PRICE><VALIDFROM>01.02.2026</VALIDFROM></SALESPRICE>
  <SALESPRICE><TIER>STANDARD</TIER><PRICE>17,99</PRICE><MINQTY>10</MINQTY></SALESPRICE>
  <SALESPRICE><TIER>B2B</TIER><PRICE>15,00</PRICE></SALESPRICE></ITEM></ITEMS>`;

const COPIED = ["sku", "title", "brand", "ourPrice", "costPrice", "tier", "vatRatePct"];

withApp.test("each file of all products, imported again, changes nothing, and fills another catalogue with the same prices and texts", async (app) => {
  const key = await app.key(["products:write"]);
  assertEquals((await importXml(key, TIERED)).data.stats.inserted, 1);
  let n = 0;
  const lists = fc.array(product, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(lists, async (products) => {
    for (const { exponent: _, ...fields } of products) {
      const sku = `${BEGINNINGS[n % BEGINNINGS.length]}${n++}`;
      await app.manager.create("/api/products", { sku, ...fields });
    }
    const before = await productsOf(app);
    for (const [what, path, type, profile] of FILES) {
      const file = await fileOf(app, path);
      const { data } = await importFile(key, file, type);
      const read = [data.files[0].profile, data.errors, warningsOf(data)];
      assertEquals(read, [profile, [], []], what);
      assertEquals([data.status, data.stats.skipped], ["succeeded", before.length], what);
      assertEquals(await productsOf(app), before, what);
      const other = await app.strangerKey(["products:write"]);
      const copy = (await importFile(other, file, type)).data;
      assertEquals([copy.status, copy.errors, warningsOf(copy)], ["succeeded", [], []], what);
      const { data: copied } = await other.read(`${PUBLIC}?limit=200`);
      assertEquals(valuesOf(copied, ...COPIED), valuesOf(before, ...COPIED), what);
    }
    for (const { id, sku } of before) {
      if (sku !== "T-1") await app.manager.remove(`/api/products/${id}`);
    }
  });
  await fc.assert(property, { numRuns: extent(8, 3) });
});

withBench.test("a price changed in a file of all products changes only that price row", async ({ app, key }) => {
  await importXml(key, TIERED);
  const [before] = await productsOf(app);
  const file = new TextDecoder().decode(await fileOf(app, `${PUBLIC}.csv`));
  const { data } = await importFile(key, file.replace('"19,99"', '"18,49"'), "text/csv");
  assertEquals(data.stats.updated, 1);
  const [after] = await productsOf(app);
  const rowsOf = ({ prices }: { prices: object[] }) =>
    valuesOf(prices, "tier", "minQty", "amountCents").map((row) => row.join(" "));
  assertEquals(rowsOf(before), ["B2B 1 1500", "STANDARD 1 1999", "STANDARD 10 1799"]);
  assertEquals(rowsOf(after), ["B2B 1 1500", "STANDARD 1 1849", "STANDARD 10 1799"]);
});

withApp.test("products.csv and products.ndjson accept the list's filters, and need a key", async (app) => {
  for (const [sku, brand] of [["A", "Bosch"], ["B", "Sony"], ["C", "Bosch"]]) {
    await app.manager.create("/api/products", { sku, title: "T", brand });
  }
  const key = await app.key([]);
  const lines = await (await key.get(`${PUBLIC}.ndjson?brand=bosch`)).text();
  const { data } = await key.read(`${PUBLIC}?brand=bosch`);
  assertEquals(lines.trimEnd().split("\n").map((line) => JSON.parse(line)), data);
  const csv = await key.get(`${PUBLIC}.csv?dialect=rfc4180&brand=bosch`);
  match(csv.headers.get("Content-Disposition") ?? "", /filename="products.csv"/);
  ok((await csv.text()).split("\r\n").length === 4);
  assertEquals(await statusOf(key.get(`${PUBLIC}.csv?dialect=tsv`)), 400);
  assertEquals(await statusOf(app.anyone.get(`${PUBLIC}.csv`)), 401);
  assertEquals(await (await key.get(`${PUBLIC}.ndjson?sku=none`)).text(), "");
});

for (const lang of ["de", "en"]) {
  withApp.test(`a product file with ${lang} headings is imported without a profile, and no market price becomes ours`, async (app) => {
    const key = await app.key(["products:write"]);
    const fields = { title: "Truhe", brand: "Öhrle", category: "Möbel", ean: "4006381333931" };
    const prices = { ourPrice: 1234.5, costPrice: 800, targetPrice: 1399, minPrice: 900 };
    const stock = { mpn: "T7", stock: 3, shippingPrice: 4.9, maxPrice: 2000, tier: "A" };
    const state = { condition: "used", scrapeEnabled: false };
    const made = { sku: "007", ...fields, ...prices, ...stock, ...state };
    await app.manager.create("/api/products", made);
    await push(app, [["007", "acme", 999]]);
    // `prices` is not compared, because this import also adds a price row.
    const fieldsOf = async () =>
      (await productsOf(app)).map((one: object) => ({ ...one, prices: null, updatedAt: null }));
    const before = await fieldsOf();
    const columns =
      "sku,title,brand,category,ean,mpn,ourPrice,currency,tier,costPrice,targetPrice," +
      "minPrice,maxPrice,shippingPrice,stock,cheapest,cheapestCompetitor,gap,gapPct,rank,of,median," +
      "average,index,margin,proposal,condition,scrapeEnabled,state,position,cheapestMatchType";
    for (const path of ["products.csv", "products.xlsx"]) {
      const file = await fileOf(app, `/api/${path}?lang=${lang}&columns=${columns}`);
      const type = path.endsWith("csv") ? "text/csv" : XLSX;
      const { data } = await importFile(key, file, type);
      const warned = warningsOf(data).map(({ code }) => code);
      assertEquals([data.status, data.errors, warned], ["succeeded", [], ["columns_ignored"]]);
      assertEquals(await fieldsOf(), before);
    }
    const file = await fileOf(app, `/api/products.csv?lang=${lang}&columns=${columns}`);
    const changed = new TextDecoder().decode(file).replace('"1234,50"', '"1235,50"');
    await importFile(key, changed, "text/csv");
    const [after] = await productsOf(app);
    assertEquals([after.ourPriceCents, after.costPriceCents], [123_550, 80_000]);
  });
}
