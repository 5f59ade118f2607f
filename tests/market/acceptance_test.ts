import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { addProduct, addRule, push } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";

/** Pushes one price of the product for each of the shops a, b, c and so on. */
async function ask(
  app: TestApp,
  sku: string,
  prices: readonly number[],
  more: Record<string, unknown> = {},
  first = 0,
): Promise<void> {
  const shops = "abcdefgh".slice(first);
  await push(app, prices.map((price, n) => [sku, `shop-${shops[n]}`, price] as const), more);
}

// deno-lint-ignore no-explicit-any -- an untyped answer
async function market(app: TestApp, sku: string): Promise<any> {
  const { items: [item] } = await bodyOf(app.viewer.get(`/api/products?sku=${sku}`), 200);
  return item.market;
}

const skus = async (app: TestApp, query: string): Promise<string> =>
  (await bodyOf(app.viewer.get(`/api/products?limit=200&${query}`), 200)).items
    .map(({ sku }: { sku: string }) => sku).join("");

withApp.test("a sold-out offer does not count, one of unknown stock does, and after 48 hours no rule finds either", async (app) => {
  const id = await addProduct(app.owner, "A", { ourPrice: 10 });
  await addRule(app.owner);
  await ask(app, "A", [8], { inStock: false });
  await ask(app, "A", [9.9], { inStock: null }, 1);
  const { cheapestCents, cheapestInStock, offers } = await market(app, "A");
  assertEquals([cheapestCents, cheapestInStock, offers], [990, null, 1]);
  const references = async () => {
    const decisions = await bodyOf(app.owner.get(`/api/products/${id}/decisions`), 200);
    return (decisions.items ?? decisions)[0].trace.references.length;
  };
  assertEquals(await references(), 1);
  app.clock.advance(48 * HOUR_MS);
  assertEquals([(await market(app, "A")).state, await references()], ["ok", 1]);
  app.clock.advance(1);
  assertEquals([(await market(app, "A")).state, await references()], ["stale", 0]);
});

withApp.test("a disabled competitor and another side of VAT take effect at the next answer", async (app) => {
  const { owner } = app;
  await addProduct(owner, "A", { ourPrice: 10 });
  await ask(app, "A", [9, 11]);
  assertEquals((await market(app, "A")).rank, 2);
  const { items } = await bodyOf(owner.get("/api/competitors"), 200);
  const cheap = items.find(({ domain }: { domain: string }) => domain.startsWith("shop-a"));
  await bodyOf(owner.patch(`/api/competitors/${cheap.id}`, { enabled: false }), 200);
  const off = await market(app, "A");
  assertEquals([off.rank, off.links, off.cheapestCents], [1, 1, 1_100]);
  await bodyOf(owner.patch(`/api/competitors/${cheap.id}`, { enabled: true }), 200);
  assertEquals((await market(app, "A")).rank, 2);
  await bodyOf(owner.patch(`/api/competitors/${cheap.id}`, { pricesIncludeVat: false }), 200);
  await bodyOf(owner.patch("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 }), 200);
  assertEquals([(await market(app, "A")).cheapestCents, (await market(app, "A")).rank], [1_071, 1]);
});

withApp.test("deleted objects disappear everywhere, and return when restored", async (app) => {
  const id = await addProduct(app.owner, "A", { ourPrice: 10, brand: "Bosch" });
  await addProduct(app.owner, "B", { ourPrice: 10, brand: "Bosch" });
  await ask(app, "A", [9, 11]);
  await ask(app, "B", [9.5]);
  const key = await app.key([]);
  const seen = async () => {
    const { data } = await bodyOf(key.get("/api/public/v1/market"), 200);
    const lines = (await (await key.get("/api/public/v1/market?format=ndjson")).text()).trimEnd();
    const { items: [all] } = await bodyOf(app.viewer.get("/api/market/summary"), 200);
    const { items: brands } = await bodyOf(app.viewer.get("/api/market/summary?by=brand"), 200);
    const { points } = await bodyOf(app.viewer.get("/api/market/trend"), 200);
    const moves = await bodyOf(app.viewer.get("/api/market/moves"), 200);
    const csv = await (await app.viewer.get("/api/products.csv?sort=gapPct&columns=sku")).text();
    return {
      list: await skus(app, "sort=gapPct"),
      dearer: (await bodyOf(app.viewer.get("/api/products?dearerThanPct=0"), 200)).total,
      rows: data.length,
      lines: lines.split("\n").length - 1,
      csv: csv.trimEnd().split("\r\n").length - 1,
      products: [all.products, brands[0].products],
      compared: points.at(-1).compared,
      moves: moves.counts.new_offer,
    };
  };
  const both = await seen();
  assertEquals(both, {
    ...{ list: "BA", dearer: 2, rows: 2, lines: 2, csv: 2, products: [2, 2], compared: 2 },
    moves: 3,
  });
  await bodyOf(app.owner.delete(`/api/products/${id}`), 200);
  assertEquals(await seen(), {
    ...{ list: "B", dearer: 1, rows: 1, lines: 1, csv: 1, products: [1, 1], compared: 1 },
    moves: 1,
  });
  assertEquals((await refusalOf(app.viewer.get(`/api/products/${id}/chart`))).code, "not_found");
  await bodyOf(app.owner.post(`/api/products/${id}/restore`), 200);
  assertEquals(await seen(), both);
});
