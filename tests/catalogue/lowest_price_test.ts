import { DAY_MS } from "../../src/base/time.ts";
import fc from "fast-check";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { findLowestPrice, lowestPrice } from "../../src/catalogue/lists/find_lowest_price.ts";
import type { PriceChange } from "../../src/catalogue/prices/price_rows.ts";
import { grossCents } from "../../src/catalogue/prices/price_terms_store.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { openTestWorkspace, type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
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
    ["twice the lowest", historyOf([0, 90], [15, 80], [20, 90], [25, 80]), 40, [
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

type Steps = readonly (readonly [day: number, ourPrice: number, currency?: string])[];

const ANY_CHANGE = { expected: null, allowsLargeChange: true };

/** Creates a product with the first price, and sets the others on their days. Returns its id. */
async function priced(ctx: TestWorkspace, [first, ...changes]: Steps, more = {}): Promise<string> {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: first?.[1], ...more });
  let today = 0;
  for (const [day, ourPrice, currency = "EUR"] of changes) {
    ctx.advance((day - today) * DAY_MS);
    today = day;
    await changeProduct(ctx, id, { ourPrice, currency }, ANY_CHANGE);
  }
  ctx.advance(DAY_MS);
  return id;
}

async function lowestOf(ctx: TestWorkspace, id: string, atMs: number | null = null) {
  return await findLowestPrice(ctx, (await findProduct(ctx, id))!.product, { atMs });
}

Deno.test("findLowestPrice() looks back from the first of the reductions in a row, otherwise from now", async () => {
  // The third column is the day from which the search looks back; null is now.
  const table: readonly (readonly [string, Steps, number | null, number, string])[] = [
    ["two reductions", [[0, 100], [10, 120], [35, 90], [36, 80]], 35, 10_000, "EUR"],
    ["a raise after a reduction", [[0, 100], [1, 90], [2, 110]], null, 9_000, "EUR"],
    ["another currency", [[0, 100], [1, 95, "CHF"]], null, 9_500, "CHF"],
    [
      "a reduction in another currency",
      [[0, 100], [1, 95, "CHF"], [2, 90, "CHF"]],
      2,
      9_500,
      "CHF",
    ],
  ];
  for (const [name, steps, day, lowestCents, currency] of table) {
    using ctx = await openTestWorkspace();
    const beganMs = ctx.now().getTime();
    const found = await lowestOf(ctx, await priced(ctx, steps));
    const at = day === null ? ctx.now() : new Date(beganMs + day * DAY_MS);
    assertEquals([found.at, found.reduced], [at.toISOString(), day !== null], name);
    assertEquals([found.lowestCents, found.currency], [lowestCents, currency], name);
  }
});

withWorkspace.test("findLowestPrice() gives the price with VAT, since when it held, and whether the past is complete", async (ctx) => {
  const createdAt = ctx.now().toISOString();
  const id = await priced(ctx, [[0, 100], [10, 120], [35, 90]], { vatRatePct: 19 });
  const { at: _, currency: _currency, reduced: _reduced, ...found } = await lowestOf(ctx, id);
  const whole = { lowestCents: 10_000, lowestGrossCents: 11_900, since: createdAt };
  assertEquals(found, { ...whole, complete: true, tier: null, leftOut: [] });
  const earlier = await lowestOf(ctx, id, Date.parse(createdAt) + 5 * DAY_MS);
  assertEquals([earlier.lowestCents, earlier.complete, earlier.reduced], [10_000, false, false]);
});

withWorkspace.test("findLowestPrice() reads a long run of reductions to its start", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 1000 });
  ctx.advance(DAY_MS);
  const startedAt = ctx.now().toISOString();
  // More reductions than one read returns.
  for (let price = 999; price > 480; price--) {
    await changeProduct(ctx, id, { ourPrice: price }, ANY_CHANGE);
    ctx.advance(1_000);
  }
  assertEquals((await lowestOf(ctx, id)).at, startedAt);
});
