import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { column, refuses, statusOf, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";

const PATH = "/api/public/v1/market";

async function fill(app: TestApp): Promise<void> {
  const { owner } = app;
  await addProduct(owner, "A", { brand: "Bosch", category: "Bohrer" });
  await addProduct(owner, "B", { brand: "bosch", category: "Sägen" });
  await addProduct(owner, "C", { brand: "Makita", category: "Sägen", costPrice: null });
  await addProduct(owner, "D", {});
  await push(app, [["A", "acme", 80], ["A", "bolt", 100], ["B", "acme", 125], ["C", "bolt", 100]]);
}

const skusOf = (rows: readonly { readonly sku: string }[]) => rows.map(({ sku }) => sku).join("");

async function linesOf(caller: Caller, query: string) {
  const answer = await caller.get(`${PATH}?format=ndjson&${query}`);
  assertEquals(answer.headers.get("Content-Type"), "application/x-ndjson");
  return (await answer.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
}

withApp.test("a key reads the market in pages and as lines, with equal order and filters", async (app) => {
  await fill(app);
  const key = await app.key([]);
  const first = await key.read(`${PATH}?sort=gapPct&order=desc&limit=3`);
  assertEquals([skusOf(first.data), first.count, first.total], ["ACB", 3, 4]);
  const { productId, competitorOffers, ...row } = first.data[0];
  assertEquals([typeof productId, competitorOffers], ["string", undefined]);
  assertEquals([row.sku, row.ourPriceCents, row.currency, row.gapPct], ["A", 10_000, "EUR", 25]);
  const next = `${PATH}?sort=gapPct&order=desc&limit=3&cursor=${first.nextCursor}`;
  const second = await key.read(next);
  assertEquals([skusOf(second.data), second.nextCursor], ["D", null]);
  const lines = await linesOf(key, "sort=gapPct&order=desc");
  assertEquals(lines.slice(0, -1), [...first.data, ...second.data]);
  const { asOf } = first;
  assertEquals(lines.at(-1), { end: true, count: 4, total: 4, asOf, isFull: false, deleted: [] });
  assertEquals(skusOf((await linesOf(key, "brand=bosch&dearerThanPct=0")).slice(0, -1)), "A");
});

withApp.test("offers give each link's price, whether it counts, and why not", async (app) => {
  const { owner } = app;
  await addProduct(owner, "A");
  await push(app, [["A", "acme", 90]], { inStock: false });
  await push(app, [["A", "bolt", 80]], { currency: "USD" });
  await push(app, [["A", "cord", 95], ["A", "dent", 70]]);
  const key = await app.key([]);
  const { data: [row] } = await key.read(`${PATH}?offers=true`);
  const shown = ["competitor", "priceCents", "unitCents", "counts", "why"];
  assertEquals(valuesOf(row.competitorOffers, ...shown), [
    ["dent.example", 7_000, 7_000, true, null],
    ["cord.example", 9_500, 9_500, true, null],
    ["bolt.example", 8_000, null, false, "other_currency"],
    ["acme.example", 9_000, 9_000, false, "out_of_stock"],
  ]);
  const { items: [listed] } = await owner.read("/api/products?offers=true");
  assertEquals(listed.competitorOffers, row.competitorOffers);
  const single = await owner.read(`/api/products/${listed.id}?offers=true`);
  assertEquals(single.competitorOffers, row.competitorOffers);
  const plain = await owner.read(`/api/products/${listed.id}`);
  assertEquals([plain.competitorOffers, plain.market], [undefined, single.market]);
});

withApp.test("a key without scopes sees neither proposals nor rules, and cannot filter by them", async (app) => {
  await addRule(app.owner, { name: "Match" });
  await fill(app);
  await untilJudged(app);
  const plain = await app.key([]);
  const full = await app.key(["proposals:read", "rules:read"]);
  const rowOf = async (caller: Caller) => {
    const { data: [row] } = await caller.read(`${PATH}?sku=A`);
    return [row.proposal?.proposedCents ?? null, row.rule?.name ?? null];
  };
  assertEquals([await rowOf(plain), await rowOf(full)], [[null, null], [8_000, "Match"]]);
  const filters = ["hasProposal=true", `ruleId=${"0".repeat(24)}`];
  const queries = ["sort=proposal", "sort=rule", ...filters];
  const paths = [
    ...queries.flatMap((query) => [`?${query}`, `?${query}&format=ndjson`]),
    ...filters.map((query) => `/summary?${query}`),
  ];
  for (const path of paths) {
    await refuses(plain.get(PATH + path), "insufficient_scope", path);
    assertEquals(await statusOf(full.get(PATH + path)), 200, path);
  }
});

withApp.test("changedSince returns only rows whose facts have changed, and all rows if that is unknown", async (app) => {
  await fill(app);
  const key = await app.key([]);
  const { asOf, isFull, count } = await key.read(`${PATH}?limit=200`);
  assertEquals([isFull, count], [false, 4]);
  const since = (time: string) => key.read(`${PATH}?changedSince=${encodeURIComponent(time)}`);
  assertEquals([(await since(asOf)).total, (await since(asOf)).isFull], [0, false]);
  await push(app, [["B", "bolt", 99]]);
  const changed = await since(asOf);
  assertEquals([skusOf(changed.data), changed.isFull], ["B", false]);
  // A new title is no change of the market.
  const path = `/api/products/${changed.data[0].productId}`;
  await app.owner.change(path, { title: "Another title" });
  assertEquals((await since(changed.asOf)).total, 0);
  const old = await since("2020-01-01T00:00:00Z");
  assertEquals([old.total, old.isFull], [4, true]);
  app.clock.advance(49 * 3_600_000);
  assertEquals(skusOf((await since(changed.asOf)).data), "ABC");
  // New settings change all products, so the response contains all rows.
  const { asOf: late } = await key.read(`${PATH}?limit=200`);
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  const anew = await since(late);
  assertEquals([anew.total, anew.isFull], [4, true]);
  assertEquals([(await since(anew.asOf)).total, (await since(anew.asOf)).isFull], [0, false]);
});

withApp.test("changedSince lists deleted products, until they are restored", async (app) => {
  await fill(app);
  const key = await app.key([]);
  const read = (query: string) => key.read(`${PATH}?${query}`);
  const { asOf, data, deleted } = await read("limit=200");
  assertEquals(deleted, []);
  const since = async (time: string, more = "") => {
    const page = await read(`changedSince=${encodeURIComponent(time)}${more}`);
    return [page.deleted, skusOf(page.data), page.isFull];
  };
  const [a, b] = column(data, "productId");
  await app.owner.remove(`/api/products/${a}`);
  assertEquals(await since(asOf), [[a], "", false]);
  const { items: [all] } = await app.viewer.read("/api/market/summary");
  const { points } = await app.viewer.read("/api/market/trend");
  assertEquals([all.products, all.compared, points.at(-1).compared], [3, 2, 2]);
  // A filter never hides a deletion, because the caller may still have the product.
  assertEquals(await since(asOf, "&brand=nobody"), [[a], "", false]);
  const { asOf: later } = await read("limit=200");
  assertEquals(await since(later), [[], "", false]);
  assertEquals(await since("2020-01-01T00:00:00Z"), [[], "BCD", true]);

  await app.owner.remove(`/api/products/${b}`);
  assertEquals((await since(later))[0], [b]);
  await app.owner.act(`/api/products/${a}/restore`);
  assertEquals(await since(asOf), [[b], "A", false]);
  const end = (await linesOf(key, `changedSince=${encodeURIComponent(asOf)}`)).at(-1);
  assertEquals([end.end, end.count, end.deleted], [true, 1, [b]]);
});

withApp.test("summaries count groups of one dimension or a pair, and compare with one shop", async (app) => {
  await fill(app);
  const of = async (query: string) => (await app.viewer.read(`/api/market/summary?${query}`)).items;
  const [all] = await of("");
  const names = ["products", "compared", "cheapest", "middle", "dearest", "indexPct", "marginPct"];
  // The mean price index (111.11 + 80 + 100) / 3 is 97.04; A, B and D have a mean margin of 50 %.
  assertEquals(valuesOf([all], ...names), [[4, 3, 2, 1, 0, 97.04, 50]]);
  assertEquals(all.states.no_links, 1);
  const brands = await of("by=brand");
  const short = valuesOf(brands, "brand", "products", "compared", "indexPct");
  assertEquals(short, [["Bosch", 2, 2, 95.56], ["Makita", 1, 1, 100], [null, 1, 0, null]]);
  const shops = await of("by=competitor");
  const compared = valuesOf(shops, "competitor", "products", "cheapest", "dearest", "indexPct");
  const both = [["acme.example", 2, 1, 1, 102.5], ["bolt.example", 2, 2, 0, 100]];
  assertEquals(compared.toSorted(), both);
  assertEquals((await of("by=category,competitor&brand=bosch")).length, 3);
  assertEquals((await of("state=no_links&by=brand")).length, 1);
  for (const by of ["price", "brand,brand", "brand,category,competitor"]) {
    await refuses(app.viewer.get(`/api/market/summary?by=${by}`), "validation_failed", by);
  }
});
