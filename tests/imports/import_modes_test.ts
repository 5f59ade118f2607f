import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { column, valuesOf } from "../api/answers.ts";
import { counts, withBench } from "./import_calls.ts";

const A = { sku: "A", title: "Apfel", price: "1,00" };
const B = { sku: "B", title: "Birne", price: "2,00" };
const C = { sku: "C", title: "Clementine", price: "3,00" };

const priceRow = (tier: string, price: string, currency = "", until = "") =>
  `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE><CURRENCY>${currency}</CURRENCY>` +
  `<VALIDUNTIL>${until}</VALIDUNTIL></SALESPRICE>`;
const MANY = Array.from({ length: 10 }, (_, n) => ({ ...A, sku: `M-${n}` }));

withBench.test("mode insert skips existing SKUs, including deleted ones; mode update skips unknown ones; mode upsert restores deleted ones with a warning", async (bench) => {
  await bench.send([A, B]);
  const { id } = (await bench.products()).get("B");
  await bench.app.owner.remove(`/api/products/${id}`);
  const update = await bench.send([{ ...A, price: "1,40" }, C], "?mode=update");
  assertEquals(update.stats, counts(0, 1, 1));
  const insert = await bench.send([{ ...A, price: "9,00" }, B, C], "?mode=insert");
  assertEquals(insert.stats, counts(1, 0, 2));
  const products = await bench.products();
  assertEquals(["A", "C"].map((sku) => products.get(sku).ourPrice), [140, 300]);
  assertEquals(products.get("B").deletedAt === null, false);
  const { stats, warnings } = await bench.send([B]);
  assertEquals([stats, column(warnings, "code")], [counts(0, 1, 0), ["product_revived"]]);
  const revived = (await bench.products()).get("B");
  assertEquals([revived.id, revived.deletedAt], [id, null]);
});

withBench.test("mode replace deletes only products that imports created and the file lacks", async (bench) => {
  await bench.send([...MANY, A]);
  await bench.app.owner.create("/api/products", { sku: "HAND", title: "Hand" });
  // `mode=replace` deletes missing products, but not one whose record is refused.
  const broken = { ...A, more: "<CURRENCY>Taler</CURRENCY>" };
  const spared = await bench.send([...MANY, broken], "?mode=replace");
  assertEquals([spared.removed, spared.stats.errors], [0, 1]);
  const data = await bench.send(MANY, "?mode=replace");
  assertEquals([data.status, data.removed], ["succeeded", 1]);
  assertEquals(data.stats, counts(0, 0, 10));
  const before = await bench.products();
  assertEquals(before.get("A").deletedAt === null, false);
  assertEquals(before.get("HAND").deletedAt, null);

  const held = await bench.send(MANY.slice(3), "?mode=replace");
  assertEquals([held.status, held.error.code, held.count], ["failed", "replace_guard", 0]);
  assertEquals(await bench.products(), before);
  assertEquals((await bench.send(MANY.slice(2), "?mode=replace")).removed, 2);
  assertEquals((await bench.send(MANY.slice(5), "?mode=replace&force=true")).removed, 3);
});

withBench.test("an absent field stays, an empty one is cleared", async (bench) => {
  const full = "<BRAND>Bosch</BRAND><CATEGORY>Obst</CATEGORY><MPN>X1</MPN>";
  await bench.send([{ ...A, more: full }]);
  await bench.send([{ sku: "A", more: "<BRAND/><CATEGORY>Gemüse</CATEGORY>" }]);
  const { title, brand, category, mpn, ourPrice } = (await bench.products()).get("A");
  assertEquals([title, brand, category, mpn, ourPrice], ["Apfel", null, "Gemüse", "X1", 100]);
});

withBench.test("the file overrides a price that was set since the last import, with a warning", async (bench) => {
  await bench.send([A, B]);
  const { id } = (await bench.products()).get("A");
  bench.app.clock.advance(60_000);
  await bench.app.owner.change(`/api/products/${id}`, { ourPrice: "1.50" });
  const data = await bench.send([A, B]);
  assertEquals([data.stats, data.reverted], [counts(0, 1, 1), 1]);
  const [warning] = data.warnings;
  assertEquals([warning.code, warning.sku, warning.index], ["price_reverted", "A", 0]);
  match(warning.message, /1\.50 EUR/);
  match(warning.message, /1\.00 EUR/);
  const history = await bench.app.owner.read(`/api/products/${id}/price-history`);
  const prices = [["import", 100], ["api", 150], ["import", 100]];
  assertEquals(valuesOf(history.items, "source", "toCents"), prices);
  assertEquals(history.items[0].ref, data.jobId);
  // Overwriting a price that came from an import gives no warning.
  const next = await bench.send([{ ...A, price: "1,10" }]);
  assertEquals([next.reverted, next.warningCount, next.stats], [0, 0, counts(0, 1, 0)]);
});

withBench.test("of several records of a SKU the last one counts, with one warning", async (bench) => {
  const data = await bench.send([A, B, { ...A, price: "4,00" }, { ...A, price: "6,00" }]);
  assertEquals([data.stats, data.count], [counts(2, 0, 2), 4]);
  assertEquals(valuesOf(data.warnings, "code", "index"), [["duplicate_sku", 3]]);
  assertEquals((await bench.products()).get("A").ourPrice, 600);
});

const rowsOf = (prices: object[]) =>
  valuesOf(prices, "tier", "amountCents", "currency").map((row) => row.join(" "));

withBench.test("tiers in the record are replaced, others stay", async (bench) => {
  const send = (rows: string, query?: string) =>
    bench.send([{ sku: "A", title: "Apfel", more: `<TIER>S</TIER>${rows}` }], query);
  await send(priceRow("S", "1,00") + priceRow("B2B", "0,90") + priceRow("VIP", "0,80"));
  await send(priceRow("S", "1,10") + priceRow("B2B", "0,95", "", "01.01.2020"));
  const third = await send(priceRow("VIP", "0,70"), "?tier=S");
  assertEquals(third.stats, counts(0, 1, 0));
  const { prices, ourPrice } = (await bench.products()).get("A");
  assertEquals([ourPrice, rowsOf(prices)], [110, ["S 110 EUR", "VIP 70 EUR"]]);
});

withBench.test("a record that changes the currency must have every stored price", async (bench) => {
  await bench.send([{ ...A, more: "<COSTPRICE>0,50</COSTPRICE><CURRENCY>EUR</CURRENCY>" }]);
  const half = await bench.send([{ ...A, more: "<CURRENCY>CHF</CURRENCY>" }]);
  assertEquals([half.stats.errors, half.errors[0].code], [1, "invalid_currency"]);
  assertEquals((await bench.products()).get("A").currency, "EUR");
  const whole = { ...A, more: "<COSTPRICE>0,60</COSTPRICE><CURRENCY>CHF</CURRENCY>" };
  await bench.send([whole], "?force=true");
  const { currency, ourPrice, costPrice } = (await bench.products()).get("A");
  assertEquals([currency, ourPrice, costPrice], ["CHF", 100, 60]);
});

const usd = { sku: "A", title: "Apfel", currency: "USD" };

withBench.test("prices without a currency are in the product's currency", async (bench) => {
  await bench.app.owner.create("/api/products", { ...usd, currency: "JPY" });
  const more = priceRow("S", "1.234") + priceRow("T", "5");
  const data = await bench.send([{ sku: "A", more }], "?tier=S");
  assertEquals([data.stats, data.warningCount], [counts(0, 1, 0), 0]);
  const { currency, ourPrice, prices } = (await bench.products()).get("A");
  assertEquals([currency, ourPrice, rowsOf(prices)], ["JPY", 1_234, ["S 1234 JPY", "T 5 JPY"]]);
  assertEquals(valuesOf(prices, "minQty", "validFrom"), [[1, null], [1, null]]);
  assertEquals(Object.keys(prices[0]), ["tier", "amountCents", "currency", "minQty", "validFrom"]);
});

withBench.test("of prices in several currencies a product takes the one in its own, and never another", async (bench) => {
  await bench.app.owner.create("/api/products", usd);
  await bench.app.owner.create("/api/products", { ...usd, sku: "C", ourPrice: "9.00" });
  const inUsd = priceRow("S", "10,00", "EUR") + priceRow("S", "11,00", "USD");
  const inOthers = priceRow("S", "10,00", "EUR") + priceRow("S", "12,00", "CHF");
  const items = [{ sku: "A", more: inUsd }, { ...B, price: undefined, more: inUsd }];
  const { warnings } = await bench.send([...items, { sku: "C", more: inOthers }]);
  assertEquals(valuesOf(warnings, "code", "sku"), [["no_current_price", "C"]]);
  const products = await bench.products();
  assertEquals(["A", "B", "C"].map((sku) => products.get(sku).ourPrice), [1_100, 1_000, 900]);
  for (const sku of ["A", "B"]) {
    assertEquals(rowsOf(products.get(sku).prices), ["S 1000 EUR", "S 1100 USD"]);
  }
});

withBench.test("a tier of the file is stored even if its product has 100 others, with a warning", async (bench) => {
  const many = Array.from({ length: 100 }, (_, n) => priceRow(`T${100 + n}`, "1,00")).join("");
  await bench.send([{ ...A, price: undefined, more: many }]);
  const item = { sku: "A", more: priceRow("Z", "7,00") + priceRow("T100", "2,00") };
  const data = await bench.send([item], "?tier=Z&force=true");
  const { ourPrice, prices } = (await bench.products()).get("A");
  const rows = rowsOf(prices);
  assertEquals([ourPrice, rows.length], [700, 100]);
  assertEquals(rows.slice(0, 2), ["T100 200 EUR", "T101 100 EUR"]);
  assertEquals(rows.slice(-2), ["T198 100 EUR", "Z 700 EUR"]);
  assertEquals(valuesOf(data.warnings, "code", "sku"), [["too_long", "A"]]);
  assertEquals((await bench.send([item], "?tier=Z")).stats, counts(0, 0, 1));
});

withBench.test("new products are created in the order of the file", async (bench) => {
  const items = Array.from({ length: 150 }, (_, n) => ({ ...A, sku: `${(n * 37) % 150}-x` }));
  await bench.send(items);
  assertEquals([...(await bench.products()).keys()], items.map(({ sku }) => sku));
});

const link = (url: string) => `<COMPETITOR><NAME>Shop</NAME><URL>${url}</URL></COMPETITOR>`;

withBench.test("an unchanged record and one with only a new link count as skipped and keep updatedAt, also after another change", async (bench) => {
  await bench.send([A]);
  const { id } = (await bench.products()).get("A");
  await bench.app.owner.change(`/api/products/${id}`, { scrapeEnabled: false, mpn: "M" });
  const documents = async () =>
    [...await bench.products()].map(([sku, { market: _, ...document }]) => [sku, document]);
  const before = await documents();
  assertEquals((await bench.send([A])).stats, counts(0, 0, 1));
  assertEquals(await documents(), before);
  const withLink = { ...A, more: link("https://shop.example/1") };
  assertEquals((await bench.send([withLink])).stats, counts(0, 0, 1, 0, 1));
  assertEquals(await documents(), before);
  assertEquals((await bench.send([withLink])).stats, counts(0, 0, 1, 0, 0));
});

withBench.test("a record with 200 links of 200 shops is stored completely and counts once, also in mode insert", async (bench) => {
  const path = "p".repeat(300);
  const links = Array.from({ length: 200 }, (_, n) => link(`https://shop-${n}.example/${path}`));
  const item = { ...A, more: links.join("") };
  const data = await bench.send([B, item, C], "?mode=insert");
  assertEquals([data.status, data.stats], ["succeeded", counts(3, 0, 0, 0, 200)]);
  const { id } = (await bench.products()).get("A");
  const single = await bench.app.owner.read(`/api/products/${id}`);
  assertEquals(single.competitorPrices.length, 200);
  assertEquals((await bench.send([item])).stats, counts(0, 0, 1));
});
