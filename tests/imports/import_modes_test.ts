import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { column, statusOf, valuesOf } from "../api/answers.ts";
import { counts, withBench } from "./import_bench.ts";

const A = { sku: "A", title: "Apfel", price: "1,00" };
const B = { sku: "B", title: "Birne", price: "2,00" };
const C = { sku: "C", title: "Clementine", price: "3,00" };

const MANY = Array.from({ length: 10 }, (_, n) => ({ ...A, sku: `M-${n}` }));

withBench.test("mode insert skips existing SKUs, including deleted ones; mode update skips unknown ones", async (bench) => {
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
});

withBench.test("mode replace deletes only products that imports created and the file lacks", async (bench) => {
  await bench.send([...MANY, A]);
  await bench.app.owner.create("/api/products", { sku: "HAND", title: "Hand" });
  // The file contains this product, although its record is refused.
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
  assertEquals(column(held.errors, "code"), ["replace_guard"]);
  assertEquals(await bench.products(), before);
  const eight = await bench.send(MANY.slice(2), "?mode=replace");
  assertEquals([eight.status, eight.removed], ["succeeded", 2]);
  const forced = await bench.send(MANY.slice(5), "?mode=replace&force=true");
  assertEquals([forced.status, forced.removed], ["succeeded", 3]);
});

withBench.test("a key restores a product that replace deleted, by SKU or id", async (bench) => {
  const { key } = bench;
  const gone = { ...B, sku: "id:A/1 ü" };
  await bench.send([...MANY, gone]);
  const data = await bench.send(MANY, "?mode=replace");
  assertEquals([data.status, data.removed], ["succeeded", 1]);
  const PATH = "/api/public/v1/products";
  const named = encodeURIComponent(gone.sku);
  assertEquals(await statusOf(key.get(`${PATH}/${named}`)), 404);
  assertEquals(await statusOf(key.post(`${PATH}/${encodeURIComponent("sku:Z")}/restore`)), 404);

  const again = { "Idempotency-Key": "once" };
  const restored = await key.act(`${PATH}/${named}/restore`, undefined, again);
  assertEquals([restored.data.sku, restored.data.ourPrice], [gone.sku, 200]);
  assertEquals(await key.read(`${PATH}/${named}`), restored);
  const repeated = await key.act(`${PATH}/${named}/restore`, undefined, again);
  assertEquals(repeated, restored);
  const { id } = restored.data;
  assertEquals(await key.act(`${PATH}/${id}/restore`), restored);
  const item = { sku: gone.sku, ourPrice: 2.1 };
  const { data: [put] } = await key.act(`${PATH}/batch`, { items: [item] });
  assertEquals(put.outcome, "updated");
});

withBench.test("a deleted SKU in the file is restored, counts as updated and gives a warning", async (bench) => {
  await bench.send([A]);
  const { id } = (await bench.products()).get("A");
  await bench.app.owner.remove(`/api/products/${id}`);
  const { stats, warnings } = await bench.send([A]);
  assertEquals(stats, counts(0, 1, 0));
  assertEquals(column(warnings, "code"), ["product_revived"]);
  const revived = (await bench.products()).get("A");
  assertEquals([revived.id, revived.deletedAt], [id, null]);
});

withBench.test("an absent field stays, an empty one is cleared", async (bench) => {
  const full = "<BRAND>Bosch</BRAND><CATEGORY>Obst</CATEGORY><MPN>X1</MPN>";
  await bench.send([{ ...A, more: full }]);
  await bench.send([{ sku: "A", more: "<BRAND/><CATEGORY>Gemüse</CATEGORY>" }]);
  const { title, brand, category, mpn, ourPrice } = (await bench.products()).get("A");
  assertEquals([title, brand, category, mpn, ourPrice], ["Apfel", null, "Gemüse", "X1", 100]);
});

withBench.test("an unchanged record keeps updatedAt, also after another change of the product", async (bench) => {
  await bench.send([A, B]);
  const { id } = (await bench.products()).get("A");
  bench.app.clock.advance(60_000);
  await bench.app.owner.change(`/api/products/${id}`, { scrapeEnabled: false, mpn: "M" });
  const before = await bench.products();
  assertEquals((await bench.send([A, B])).stats, counts(0, 0, 2));
  assertEquals(await bench.products(), before);
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
  assertEquals(
    history.items.map((item: { source: string; ref: string | null; toCents: number }) => [
      item.source,
      item.toCents,
      item.source === "import" && item.ref?.length,
    ]),
    [["import", 100, 24], ["api", 150, false], ["import", 100, 24]],
  );
  // The last price came from an import, so replacing it gives no warning.
  const next = await bench.send([{ ...A, price: "1,10" }]);
  assertEquals([next.reverted, next.warningCount, next.stats], [0, 0, counts(0, 1, 0)]);
});

withBench.test("of several records of a SKU the last one counts, with one warning", async (bench) => {
  const data = await bench.send([A, B, { ...A, price: "4,00" }, { ...A, price: "6,00" }]);
  assertEquals([data.stats, data.count], [counts(2, 0, 2), 4]);
  assertEquals(valuesOf(data.warnings, "code", "index"), [["duplicate_sku", 3]]);
  assertEquals((await bench.products()).get("A").ourPrice, 600);
});

withBench.test("tiers in the record are replaced, others stay", async (bench) => {
  const row = (tier: string, price: string, until = "") =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE><VALIDUNTIL>${until}</VALIDUNTIL></SALESPRICE>`;
  const item = (more: string) => ({ sku: "A", title: "Apfel", more: `<TIER>S</TIER>${more}` });
  await bench.send([item(row("S", "1,00") + row("B2B", "0,90") + row("VIP", "0,80"))]);
  await bench.send([item(row("S", "1,10") + row("B2B", "0,95", "01.01.2020"))]);
  assertEquals((await bench.send([item(row("VIP", "0,70"))], "?tier=S")).stats, counts(0, 1, 0));
  const { prices, ourPrice } = (await bench.products()).get("A");
  assertEquals(ourPrice, 110);
  assertEquals(
    prices.map((price: { tier: string; amountCents: number }) => [price.tier, price.amountCents]),
    [["S", 110], ["VIP", 70]],
  );
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
const inTier = (tier: string, price: string, currency = "") =>
  `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE><CURRENCY>${currency}</CURRENCY></SALESPRICE>`;

withBench.test("prices without a currency are in the product's currency", async (bench) => {
  await bench.app.owner.create("/api/products", { ...usd, currency: "JPY" });
  const data = await bench.send(
    [{ sku: "A", more: inTier("S", "1.234") + inTier("T", "5") }],
    "?tier=S",
  );
  assertEquals([data.stats, data.warningCount], [counts(0, 1, 0), 0]);
  const { currency, ourPrice, prices } = (await bench.products()).get("A");
  assertEquals([currency, ourPrice, prices], ["JPY", 1_234, [
    { tier: "S", amountCents: 1_234, currency: "JPY", minQty: 1, validFrom: null },
    { tier: "T", amountCents: 5, currency: "JPY", minQty: 1, validFrom: null },
  ]]);
});

withBench.test("of prices in several currencies a product takes the one in its own", async (bench) => {
  await bench.app.owner.create("/api/products", usd);
  const rows = inTier("S", "10,00", "EUR") + inTier("S", "11,00", "USD");
  await bench.send([{ sku: "A", more: rows }, { ...B, sku: "B", price: undefined, more: rows }]);
  const products = await bench.products();
  assertEquals([products.get("A").ourPrice, products.get("B").ourPrice], [1_100, 1_000]);
  const stored = [["EUR", 1_000], ["USD", 1_100]];
  for (const { prices } of products.values()) {
    assertEquals(
      prices.map((
        row: { currency: string; amountCents: number },
      ) => [row.currency, row.amountCents]),
      stored,
    );
    assertEquals(Object.keys(prices[0]), "tier amountCents currency minQty validFrom".split(" "));
  }
});

withBench.test("a price in another currency does not become the product's price", async (bench) => {
  await bench.app.owner.create("/api/products", { ...usd, ourPrice: "9.00" });
  const rows = inTier("S", "10,00", "EUR") + inTier("S", "12,00", "CHF");
  const data = await bench.send([{ sku: "A", more: rows }]);
  assertEquals((await bench.products()).get("A").ourPrice, 900);
  assertEquals(column(data.warnings, "code"), ["no_current_price"]);
});

withBench.test("a tier of the file is stored even if its product has 100 others, with a warning", async (bench) => {
  const many = Array.from({ length: 100 }, (_, n) => inTier(`T${100 + n}`, "1,00")).join("");
  await bench.send([{ ...A, price: undefined, more: many }]);
  const item = { sku: "A", more: inTier("Z", "7,00") + inTier("T100", "2,00") };
  const data = await bench.send([item], "?tier=Z&force=true");
  const { ourPrice, prices } = (await bench.products()).get("A");
  const amounts = new Map(
    prices.map((row: { tier: string; amountCents: number }) => [row.tier, row.amountCents]),
  );
  assertEquals([ourPrice, prices.length, amounts.get("Z"), amounts.get("T100")], [
    700,
    100,
    700,
    200,
  ]);
  assertEquals([amounts.has("T198"), amounts.has("T199")], [true, false]);
  const [warning] = data.warnings;
  assertEquals([data.warningCount, warning.code, warning.sku], [1, "too_long", "A"]);
  assertEquals((await bench.send([item], "?tier=Z")).stats, counts(0, 0, 1));
});

withBench.test("new products are created in the order of the file", async (bench) => {
  const items = Array.from({ length: 150 }, (_, n) => ({ ...A, sku: `${(n * 37) % 150}-x` }));
  await bench.send(items);
  assertEquals([...(await bench.products()).keys()], items.map(({ sku }) => sku));
});

const link = (url: string, enabled: string) =>
  `<COMPETITOR><NAME>Shop</NAME><URL>${url}</URL><ENABLED>${enabled}</ENABLED></COMPETITOR>`;

withBench.test("a record with only a new link counts as skipped and keeps updatedAt", async (bench) => {
  await bench.send([A]);
  const documents = async () =>
    [...await bench.products()].map(([sku, { market: _, ...document }]) => [sku, document]);
  const before = await documents();
  const withLink = { ...A, more: link("https://shop.example/1", "J") };
  assertEquals((await bench.send([withLink])).stats, counts(0, 0, 1, 0, 1));
  assertEquals(await documents(), before);
  assertEquals((await bench.send([withLink])).stats, counts(0, 0, 1, 0, 0));
});

withBench.test("an import enables only links that an import disabled", async (bench) => {
  const item = (enabled: string) => ({ ...A, more: link("https://shop.example/1", enabled) });
  assertEquals((await bench.send([item("J")])).stats.competitorsLinked, 1);
  assertEquals((await bench.send([item("N")])).stats.competitorsLinked, 0);
  assertEquals((await bench.send([item("J")])).stats.competitorsLinked, 1);
  const { id } = (await bench.products()).get("A");
  const path = `/api/competitor-products?productId=${id}`;
  const { items: [match] } = await bench.app.owner.read(path);
  assertEquals(match.enabled, true);
  const matchPath = `/api/competitor-products/${match.id}`;
  await bench.app.owner.change(matchPath, { enabled: false });
  const kept = await bench.send([item("J")]);
  assertEquals(kept.stats.competitorsLinked, 0);
  assertEquals(column(kept.warnings, "code"), ["link_kept_off"]);
  assertEquals((await bench.app.owner.read(matchPath)).enabled, false);
});

withBench.test("a record with 200 links of 200 shops is stored completely and counts once, also in mode insert", async (bench) => {
  const links = Array.from(
    { length: 200 },
    (_, n) => link(`https://shop-${n}.example/${"p".repeat(300)}`, "J"),
  );
  const data = await bench.send([B, { ...A, more: links.join("") }, C], "?mode=insert");
  assertEquals([data.status, data.stats], ["succeeded", counts(3, 0, 0, 0, 200)]);
  const { id } = (await bench.products()).get("A");
  const single = await bench.app.owner.read(`/api/products/${id}`);
  assertEquals(single.competitorPrices.length, 200);
  assertEquals((await bench.send([{ ...A, more: links.join("") }])).stats, counts(0, 0, 1));
});
