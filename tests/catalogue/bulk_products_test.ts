import fc from "fast-check";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { changeProducts, cutBatches } from "../../src/catalogue/changes/change_products.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { bodyOf, column, refuses, valuesOf } from "../api/answers.ts";
import { type RulesApp, withRules } from "../rules/evaluation/market.ts";
import { watchedStore } from "../watched_store.ts";
import { type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { withCheckedApp } from "../shops/shop.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const target = fc.record({
  id: fc.uuid(),
  shard: fc.nat(63),
  bytes: fc.integer({ min: 800, max: 62_000 }),
});

Deno.test("cutBatches() keeps every product once and every commit within the limits", () => {
  fc.assert(fc.property(fc.array(target, { maxLength: 400 }), (targets) => {
    const batches = cutBatches(targets);
    assertEquals(batches.flat().map(({ id }) => id).sort(), targets.map(({ id }) => id).sort());
    for (const batch of batches) {
      ok(batch.length >= 1 && batch.length <= 100);
      ok(new Set(batch.map(({ shard }) => shard)).size <= 8);
      ok(batch.reduce((sum, { bytes }) => sum + bytes, 0) <= 400_000);
    }
  }));
});

withRules.test("a bulk change affects only products with the required settings, so an undo overwrites no later change; one of nothing or of the SKU is refused", async (app) => {
  const ids = [await app.addProduct("A"), await app.addProduct("B")];
  const asked = [...ids, ids[1], "nope"];
  const bulk = async (body: object) => {
    const path = "/api/products/bulk";
    const { missing, ...counts } = await app.manager.act(path, { ids: asked, ...body });
    assertEquals(missing, ["nope"]);
    return [counts.changed, counts.unchanged];
  };
  assertEquals(await bulk({ set: { scrapeIntervalHours: 12 } }), [2, 0]);
  await app.manager.change(`/api/products/${ids[1]}`, { scrapeIntervalHours: 3 });
  const back = { set: { scrapeIntervalHours: 6 }, having: { scrapeIntervalHours: 12 } };
  assertEquals(await bulk(back), [1, 1]);
  assertEquals(await bulk(back), [0, 2]);
  const hours = ids.map(async (id) =>
    (await app.viewer.read(`/api/products/${id}`)).scrapeIntervalHours
  );
  assertEquals(await Promise.all(hours), [6, 3]);
  const { set } = back;
  for (const bad of [{ set }, { ids, set: {} }, { ids, set: { sku: "x" } }]) {
    await refuses(app.manager.post("/api/products/bulk", bad), "validation_failed");
  }
});

async function lock(ctx: TestWorkspace, ids: string[]): Promise<void> {
  const asker = { cache: ctx.cache, market: null as never };
  const outcome = await changeProducts(ctx, asker, { ids, set: { priceLocked: true } });
  assertEquals(outcome, { changed: ids.length, unchanged: 0, missing: [] });
}

const OPTIONS = { expected: null, allowsLargeChange: false };

withWorkspace.test("a bulk change keeps a concurrent change of a product whose new SKU is in another shard", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "Old" });
  const change = (values: object) => changeProduct(ctx, id, values, OPTIONS);
  const steps = [() => change({ sku: "B" }), () => change({ title: "New" })];
  // The first step runs after the bulk change's read, the second before the bulk change's commit.
  const next = async () => void await steps.shift()?.();
  const store = watchedStore(ctx.store, {
    got: async ([key]) => steps.length === 2 && key?.[0] === "p" ? await next() : undefined,
    committing: next,
  });
  await lock({ ...ctx, store }, [id]);
  const { product } = (await findProduct(ctx, id))!;
  assertEquals([product.sku, product.title, product.priceLocked], ["B", "New", true]);
});

withWorkspace.test("a bulk change fits into commits while products move to other shards", async (ctx) => {
  const all = Array.from({ length: 2_000 }, (_, n) => `SKU-${n}`);
  const inShard = Map.groupBy(all, (sku) => shard(sku));
  const skus = Array.from({ length: 7 }, (_, n) => inShard.get(n)?.slice(0, 2) ?? []).flat();
  const ids: string[] = [];
  for (const sku of skus) ids.push((await createProduct(ctx, { sku, title: "Old" })).id);
  let hasMoved = false;
  const store = watchedStore(ctx.store, {
    got: async ([key]) => {
      if (hasMoved || key?.[0] !== "p") return;
      hasMoved = true;
      for (const n of [0, 1, 2, 3]) {
        const sku = inShard.get(20 + n)?.[0] ?? "";
        await changeProduct(ctx, ids[2 * n] ?? "", { sku }, OPTIONS);
      }
    },
  });
  await lock({ ...ctx, store }, ids);
});

const price = (id: string, seenCents: number | null, ourPriceCents: number | null, more = {}) => (
  { id, currency: "EUR", seenCents, ourPriceCents, ...more }
);

async function set(app: RulesApp, prices: readonly object[], query = "") {
  const { results } = await app.manager.act(`/api/products/bulk/prices${query}`, { prices });
  return results.map(({ ok, error }: { ok: boolean; error?: { code: string } }) =>
    ok ? "ok" : error?.code
  );
}

withRules.test("prices are set one by one: changed, deleted or doubtful ones stay, without affecting the others", async (app) => {
  const products = ["A", "B", "C", "D", "E"].map((sku) => ({ sku }));
  const [a = "", b = "", c = "", d = "", e = ""] = await app.addProducts(products);
  await app.owner.change(`/api/products/${b}`, { ourPrice: 120 });
  await app.owner.remove(`/api/products/${c}`);
  const cases: readonly (readonly [ReturnType<typeof price>, string])[] = [
    [price(a, 10_000, 9_900), "ok"],
    [price(b, 10_000, 9_900), "version_conflict"],
    [price(c, 10_000, 9_900), "not_found"],
    [price(d, 10_000, 1_000_000), "price_unit_suspicious"],
    [price(e, 10_000, 9_900, { currency: "CHF" }), "version_conflict"],
    [price("none", 1, 2), "not_found"],
  ];
  const outcomes = await set(app, cases.map(([wanted]) => wanted));
  assertEquals(outcomes, cases.map(([, outcome]) => outcome));
  const prices = () => Promise.all([a, b, d, e].map((id) => app.priceOf(id)));
  assertEquals(await prices(), [9_900, 12_000, 10_000, 10_000]);
  assertEquals(await set(app, [price(d, 10_000, 1_000_000)], "?allowLargeChange=true"), ["ok"]);
  // To undo a price change, a client sends it again with old and new price swapped.
  assertEquals(await set(app, [price(a, 9_900, 10_000), price(e, 10_000, null)]), ["ok", "ok"]);
  assertEquals(await prices(), [10_000, 12_000, 1_000_000, null]);
});

const BATCH = "/api/public/v1/products/batch";

async function put(key: Caller, items: readonly unknown[], query = "") {
  const { data, count } = await key.act(BATCH + query, { items });
  assertEquals([count, data.length], [items.length, items.length]);
  return data;
}

const outcomes = (results: Awaited<ReturnType<typeof put>>) => column(results, "outcome");
const productOf = (app: TestApp, id: string | null) => app.owner.read(`/api/products/${id}`);

withCheckedApp.test("a batch creates and updates by SKU: absent fields stay, null clears, no change is unchanged", async (app) => {
  const key = await app.key(["products:write"]);
  const items = [
    { sku: "A", title: "Kanne", ourPrice: "19.99", brand: "Bosch", stock: 5 },
    { sku: "B", title: "Topf", costPriceCents: 500, attributes: { Farbe: "rot" } },
  ];
  const made = await put(key, items);
  assertEquals(outcomes(made), ["created", "created"]);
  assertEquals(outcomes(await put(key, items)), ["unchanged", "unchanged"]);
  const [first] = await put(key, [{ sku: "A", ourPrice: 17.5, brand: null }]);
  assertEquals(first, { ...made[0], outcome: "updated" });
  const { title, ourPriceCents, brand, stock } = await productOf(app, first?.id);
  assertEquals([title, ourPriceCents, brand, stock], ["Kanne", 1_750, null, 5]);
  const { items: history } = await app.owner.read(`/api/products/${first?.id}/price-history`);
  assertEquals(history.length, 2);
});

withApp.test("each item is independent: its errors are reported by index, SKU and field", async (app) => {
  const key = await app.key(["products:write"]);
  const [gone] = await put(key, [{ sku: "GONE", title: "Weg" }]);
  await app.owner.remove(`/api/products/${gone?.id}`);
  await put(key, [{ sku: "A", title: "A", ourPrice: 9.99 }]);
  const twice = [{ amount: 1 }, { tier: "", amount: 2 }];
  const items: readonly (readonly [item: unknown, sku: string | null, told: string])[] = [
    [{ sku: "NEW", title: "Neu" }, "NEW", "created"],
    [{ sku: "UNTITLED" }, "UNTITLED", "validation_failed title"],
    [{ title: "no SKU" }, null, "validation_failed sku"],
    [{ sku: "A", ourPrice: "1.999" }, "A", "validation_failed ourPrice"],
    [{ sku: "A", colour: "red", ean: "123" }, "A", "validation_failed ean,colour"],
    [null, null, "validation_failed "],
    [{ sku: "GONE", title: "Da" }, "GONE", "sku_exists "],
    [{ sku: "A", ourPrice: 999 }, "A", "price_unit_suspicious ourPrice"],
    [{ sku: "A", prices: twice }, "A", "validation_failed prices.1"],
    [{ sku: "LAST", title: "Letztes" }, "LAST", "created"],
  ];
  const results = await put(key, items.map(([item]) => item));
  for (const [n, { outcome, sku, error }] of results.entries()) {
    const [item, ...expected] = items[n]!;
    const told = error ? `${error.code} ${column(error.fields, "path")}` : outcome;
    assertEquals([sku, told], expected, JSON.stringify(item));
    assertEquals(outcome, error ? "refused" : "created");
  }
  const [large] = await put(key, [{ sku: "A", ourPrice: 999 }], "?allowLargeChange=true");
  assertEquals(large?.outcome, "updated");
});

withApp.test("modes skip items that they exclude, and a dry run writes nothing", async (app) => {
  const key = await app.key(["products:write"]);
  await put(key, [{ sku: "A", title: "A" }]);
  const items = [{ sku: "A", title: "Alt" }, { sku: "N", title: "Neu" }, { sku: "X" }];
  const rowsOf = () => Array.fromAsync(app.store.kv.list({ prefix: ["p"] }));
  const before = await rowsOf();
  assertEquals(outcomes(await put(key, items, "?dryRun=true")), ["updated", "created", "refused"]);
  const modes = {
    insert: ["skipped", "created", "refused"],
    update: ["updated", "skipped", "skipped"],
  };
  for (const [mode, expected] of Object.entries(modes)) {
    const planned = await put(key, items, `?dryRun=true&mode=${mode}`);
    assertEquals([outcomes(planned), await rowsOf()], [expected, before], mode);
  }
  // The mode `update` runs first, because it must not find the product that `insert` creates.
  for (const [mode, expected] of Object.entries(modes).reverse()) {
    assertEquals(outcomes(await put(key, items, `?mode=${mode}`)), expected, mode);
  }
});

withApp.test("a dry run foresees the outcomes of several items with the same SKU", async (app) => {
  const key = await app.key(["products:write"]);
  await put(key, [{ sku: "A", title: "A" }]);
  const [old, changed] = [{ title: "Neu", stock: 1 }, { title: "Neu", stock: 2 }];
  const items = ["N", "A"].flatMap((sku) =>
    [old, changed, changed].map((each) => ({ sku, ...each }))
  );
  for (const mode of ["insert", "upsert"]) {
    const planned = outcomes(await put(key, items, `?dryRun=true&mode=${mode}`));
    assertEquals(planned, outcomes(await put(key, items, `?mode=${mode}`)), mode);
    await put(key, [{ sku: "N", stock: null }, { sku: "A", stock: null }]);
  }
});

withApp.test("tier prices replace those of the product, as far as they are valid today", async (app) => {
  const key = await app.key(["products:write"]);
  const day = (days: number) =>
    new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const [made] = await put(key, [{
    sku: "A",
    title: "A",
    ourPrice: 10,
    prices: [
      { tier: "B2B", amount: "8.50", minQty: 10, validFrom: day(-5), validUntil: day(0) },
      { tier: "B2B", amount: 9, currency: "CHF" },
      { amount: 10, validUntil: day(-1) },
      { tier: "B2C", amount: 11, validFrom: day(1) },
      { tier: null, amount: 12.5, validUntil: "2036-01-01T00:00:00Z" },
      { tier: "B2C", amount: 13, validUntil: "9999-12-31" },
    ],
  }]);
  const { prices, ourPriceCents } = await productOf(app, made?.id);
  assertEquals(ourPriceCents, 1_000);
  assertEquals(valuesOf(prices, "tier", "amountCents", "currency", "minQty"), [
    ["B2B", 850, "EUR", 10],
    ["B2B", 900, "CHF", null],
    [null, 1_250, "EUR", null],
    ["B2C", 1_300, "EUR", null],
  ]);
  match(prices[0].validFrom, /T\d\d:00:00\.000Z$/);
  assertEquals(outcomes(await put(key, [{ sku: "A", brand: "Bosch" }])), ["updated"]);
  assertEquals((await productOf(app, made?.id)).prices.length, 4);
  assertEquals(outcomes(await put(key, [{ sku: "A", prices: null }])), ["updated"]);
  assertEquals((await productOf(app, made?.id)).prices, []);
});

withApp.test("NDJSON works the same: one item per line, and a line without JSON is refused alone", async (app) => {
  const key = await app.key(["products:write"]);
  const lines = ['{"sku":"A","title":"A"}', "", "{oops", "  ", '{"sku":"Ü","title":"Ü"}\r'];
  const headers = { "Content-Type": "application/x-ndjson" };
  const { data } = await key.act(BATCH, lines.join("\n"), headers);
  assertEquals(outcomes(data), ["created", "refused", "created"]);
  await bodyOf(key.post(BATCH, "\n\n", headers), 400);
  await bodyOf(key.post(BATCH, "a,b", { "Content-Type": "text/csv" }), 415);
  await bodyOf(key.post("/api/public/v1/sales", "{}", headers), 415);
});
