import { DAY_MS } from "../../src/base/time.ts";
import fc from "fast-check";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { findLowestPrice, lowestPrice } from "../../src/catalogue/lists/find_lowest_price.ts";
import type { PriceChange } from "../../src/catalogue/prices/price_rows.ts";
import { grossCents } from "../../src/catalogue/prices/price_terms_store.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const START = Date.parse("2026-01-01T00:00:00Z");
const actor = { type: "user" as const, id: "u", name: "anna" };

/** Builds a history from prices by day. Each change starts at the price before it. */
function historyOf(...prices: [day: number, cents: number | null, currency?: string][]) {
  return prices.map(([day, toCents, currency = "EUR"], at): PriceChange => ({
    at: timeOf(day),
    fromCents: prices[at - 1]?.[1] ?? null,
    toCents,
    currency,
    source: "api",
    actor,
    ref: null,
  }));
}

function timeOf(day: number): string {
  return new Date(START + day * DAY_MS).toISOString();
}

const at = (day: number) => START + day * DAY_MS;

Deno.test("lowestPrice() looks at [at − 30 days, at)", () => {
  const table: [string, PriceChange[], number, unknown[]][] = [
    ["no history", [], 40, [null, null, false]],
    ["one old price", historyOf([0, 100]), 40, [100, timeOf(0), true]],
    ["in force when the window opens", historyOf([0, 80], [20, 100]), 40, [80, timeOf(0), true]],
    ["set exactly at the opening", historyOf([5, 80], [10, 100]), 40, [100, timeOf(10), true]],
    ["set exactly at `at`", historyOf([0, 100], [40, 50]), 40, [100, timeOf(0), true]],
    ["just before `at`", historyOf([0, 100], [39.999, 50]), 40, [50, timeOf(39.999), true]],
    ["first price inside", historyOf([20, 100], [40, 90]), 40, [100, timeOf(20), false]],
    ["first price at the opening", historyOf([10, 100]), 40, [100, timeOf(10), true]],
    ["taken away and given again", historyOf([0, 100], [20, null], [30, 90]), 40, [
      90,
      timeOf(30),
      true,
    ]],
    ["none before `at`", historyOf([50, 100]), 40, [null, null, false]],
    ["twice the lowest", historyOf([0, 100], [15, 80], [20, 90], [25, 80]), 40, [
      80,
      timeOf(15),
      true,
    ]],
    ["another currency before", historyOf([0, 90], [20, 100, "CHF"]), 40, [100, timeOf(20), false]],
  ];
  for (const [name, history, day, expected] of table) {
    // The history begins with the last change at or before the start of the window.
    const opening = history.findLastIndex((change) => Date.parse(change.at) <= at(day - 30));
    const read = history.slice(Math.max(0, opening));
    const { lowestCents, since, complete } = lowestPrice(read, at(day));
    assertEquals([lowestCents, since, complete], expected, name);
  }
});

Deno.test("grossCents() rounds half up, exactly", () => {
  assertEquals(grossCents(10_000, 19), 11_900);
  assertEquals(grossCents(50, 19), 60);
  assertEquals(grossCents(1, 50), 2);
  assertEquals(grossCents(999, 7.1234), 1_070);
  fc.assert(fc.property(fc.nat(10 ** 12), fc.nat(1_000_000), (net, rate) => {
    const gross = BigInt(grossCents(net, rate / 10_000));
    const exact = BigInt(net) * BigInt(1_000_000 + rate);
    const distance = gross * 1_000_000n - exact;
    return distance > -500_000n && distance <= 500_000n;
  }));
});

async function setPrice(ctx: TestWorkspace, id: string, ourPrice: number | null) {
  await changeProduct(ctx, id, { ourPrice }, { expected: null, allowsLargeChange: true });
}

async function lowestOf(ctx: TestWorkspace, id: string, atMs: number | null = null) {
  return await findLowestPrice(ctx, (await findProduct(ctx, id))!.product, { atMs });
}

withWorkspace.test("findLowestPrice() starts at the first of the reductions in a row", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 100 });
  const createdAt = ctx.now().toISOString();
  ctx.advance(10 * DAY_MS);
  await setPrice(ctx, id, 120);
  ctx.advance(25 * DAY_MS);
  const reducedAt = ctx.now().toISOString();
  await setPrice(ctx, id, 90);
  ctx.advance(DAY_MS);
  await setPrice(ctx, id, 80);
  ctx.advance(DAY_MS);
  assertEquals(await lowestOf(ctx, id), {
    at: reducedAt,
    reduced: true,
    lowestCents: 10_000,
    lowestGrossCents: null,
    currency: "EUR",
    since: createdAt,
    complete: true,
    tier: null,
    leftOut: [],
  });
});

withWorkspace.test("findLowestPrice() takes now when the last change was no reduction", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 100, vatRatePct: 19 });
  ctx.advance(DAY_MS);
  await setPrice(ctx, id, 90);
  ctx.advance(DAY_MS);
  await setPrice(ctx, id, 110);
  ctx.advance(DAY_MS);
  const answer = await lowestOf(ctx, id);
  const [now, atNow] = [ctx.now().toISOString(), answer.at];
  assertEquals([atNow, answer.reduced, answer.lowestCents], [now, false, 9_000]);
  assertEquals([answer.lowestGrossCents, answer.complete], [10_710, false]);
  const earlier = await lowestOf(ctx, id, ctx.now().getTime() - 2 * DAY_MS);
  assertEquals([earlier.lowestCents, earlier.complete], [10_000, false]);
  assertEquals(earlier.reduced, false);
});

withWorkspace.test("findLowestPrice() takes a change of the currency for no reduction", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 100 });
  ctx.advance(DAY_MS);
  const inFrancs = { ourPrice: 95, currency: "CHF" };
  await changeProduct(ctx, id, inFrancs, { expected: null, allowsLargeChange: true });
  ctx.advance(DAY_MS);
  const unreduced = await lowestOf(ctx, id);
  assertEquals([unreduced.at, unreduced.lowestCents, unreduced.currency], [
    ctx.now().toISOString(),
    9_500,
    "CHF",
  ]);
  const reducedAt = ctx.now().toISOString();
  await setPrice(ctx, id, 90);
  ctx.advance(DAY_MS);
  const reduced = await lowestOf(ctx, id);
  assertEquals([reduced.at, reduced.lowestCents, reduced.currency], [reducedAt, 9_500, "CHF"]);
});

withWorkspace.test("findLowestPrice() reads a long run of reductions to its start", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 1000 });
  ctx.advance(DAY_MS);
  const startedAt = ctx.now().toISOString();
  // More reductions than one read returns.
  for (let price = 999; price > 480; price--) {
    await setPrice(ctx, id, price);
    ctx.advance(1_000);
  }
  assertEquals((await lowestOf(ctx, id)).at, startedAt);
});
