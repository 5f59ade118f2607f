import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { addPriceChange } from "../../../src/catalogue/prices/price_rows.ts";
import type { Product } from "../../../src/catalogue/products/product.ts";
import { listPriceChanges } from "../../../src/catalogue/products/product_store.ts";
import { readPasts } from "../../../src/rules/evaluation/backtest_job.ts";
import { readSurroundings } from "../../../src/rules/proposals/priced_product.ts";
import { ofProduct, readOwned } from "../../../src/shops/observations/read_observations.ts";
import { type PlacedObservation, positionOf } from "../../../src/shops/observations/observation.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  addNumbered,
  addProducts,
  openTestWorkspace,
  productOf,
  withWorkspace,
} from "../../catalogue/catalogue_workspace.ts";
import { extent } from "../../proof.ts";
import { addObservations, anObservation } from "../../shops/observations/made_observations.ts";

const MATCH = "a".repeat(24);
const SHOP = "b".repeat(24);

function observed(productId: string, atMs: number, priceCents: number): PlacedObservation {
  const match = { productId, matchId: MATCH, competitorId: SHOP };
  const observation = anObservation({ ...match, priceCents, observedAtMs: atMs });
  return { ...positionOf(observation), observation };
}

async function addPrices(ctx: Context, product: Product, times: readonly number[]) {
  for (const [place, atMs] of times.entries()) {
    await transact(ctx, (write) => {
      addPriceChange(write, ctx.workspaceId, product.id, {
        at: new Date(atMs).toISOString(),
        fromCents: place === 0 ? null : 1_000 + place - 1,
        toCents: 1_000 + place,
        currency: "EUR",
        source: "api",
        actor: ctx.actor,
        ref: null,
      });
      return Promise.resolve();
    });
  }
}

async function readAlone(ctx: Context, product: Product, days: number, endMs: number) {
  const stretch = {
    fromMs: endMs - (days + 31) * DAY_MS,
    toMs: endMs,
    order: "asc",
    after: null,
  } as const;
  const observations = await readOwned(ctx, ofProduct(product.id), stretch, 100_000);
  const time = { fromMs: 0, beforeMs: endMs };
  const changes = await listPriceChanges(ctx, product.id, time, 100_000);
  return {
    id: product.id,
    observations: observations.map(({ atMs, observation }) => [atMs, observation.priceCents]),
    ownPrices: changes.length === 0
      ? [{ atMs: 0, cents: product.ourPriceCents }]
      : changes.map(({ at, toCents }) => ({ atMs: Date.parse(at), cents: toCents })).reverse(),
  };
}

/** Reads observations and prices of all products; `steps` counts the calls of `readPasts`. */
async function readTogether(
  ctx: Context,
  products: readonly Product[],
  days: number,
  endMs: number,
) {
  const surroundings = await readSurroundings(ctx);
  const tools = { ...ctx, beat: () => Promise.resolve() };
  const window = { fromMs: endMs - (days + 31) * DAY_MS, endMs };
  const found = [];
  let steps = 0;
  for (let left = products; left.length > 0; steps++) {
    const { pasts, leftAt } = await readPasts(tools, left, window, surroundings);
    ok(pasts.length > 0, "a step that reads nothing never ends");
    found.push(...pasts);
    left = leftAt === null ? [] : left.filter(({ id }) => id >= leftAt);
  }
  const seen = found.map(({ product, observations, ownPrices }) => ({
    id: product.id,
    observations: observations.map(({ atMs, priceCents }) => [atMs, priceCents]),
    ownPrices,
  }));
  return { seen, steps };
}

/** Age of an observation in days (negative after the window's end), and its price in cents. */
const observationAt = fc.tuple(fc.double({ min: -2, max: 140, noNaN: true }), fc.nat(9_999));
const onePast = fc.record({
  loose: fc.array(observationAt, { maxLength: 6 }),
  packed: fc.array(observationAt, { maxLength: 6 }),
  prices: fc.uniqueArray(fc.integer({ min: -2, max: 140 }), { maxLength: 3 }),
  isImported: fc.boolean(),
  isAsked: fc.boolean(),
});

Deno.test("pasts read together equal those read one by one, whatever lies between them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(onePast, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 90 }),
      async (pasts, days) => {
        using ctx = await openTestWorkspace();
        const endMs = ctx.now().getTime();
        const ref = ctx.newId();
        const products = pasts.map(({ isImported }, n) => ({
          ...productOf(ctx, n),
          ourPriceCents: isImported ? 500 + n : null,
        }));
        await addProducts(ctx, products, { source: "import", actor: ctx.actor, ref });
        for (const [n, { loose, packed, prices }] of pasts.entries()) {
          const product = products[n]!;
          const placed = ([before, cents]: readonly [number, number]) =>
            observed(product.id, Math.round(endMs - before * DAY_MS), cents);
          const old = packed.filter(([before]) => before > 29);
          const inOrder = old.map(placed).sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
          await addObservations(ctx, product.id, inOrder, true);
          await addObservations(ctx, product.id, loose.map(placed), false);
          const times = prices.toSorted((a, b) => b - a).map((before) => endMs - before * DAY_MS);
          await addPrices(ctx, product, times);
        }
        const asked = products.filter((_, n) => pasts[n]?.isAsked);
        const alone = await Promise.all(asked.map((one) => readAlone(ctx, one, days, endMs)));
        assertEquals((await readTogether(ctx, asked, days, endMs)).seen, alone);
      },
    ),
    { numRuns: extent(300, 15) },
  );
});

withWorkspace.test("pasts with many observations take several steps", async (ctx) => {
  const endMs = ctx.now().getTime();
  const products = await addNumbered(ctx, 3);
  const observationsOf = (n: number, count: number, sinceDays: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        observed(products[n]!.id, endMs - sinceDays * DAY_MS + at * 1_000, 1_000 + at % 100),
    );
  await addObservations(ctx, products[0]!.id, observationsOf(0, 500, 2), false);
  await addObservations(ctx, products[1]!.id, observationsOf(1, 21_000, 2), false);
  await addObservations(ctx, products[2]!.id, observationsOf(2, 3, 40), true);
  const alone = await Promise.all(products.map((one) => readAlone(ctx, one, 30, endMs)));
  const { seen, steps } = await readTogether(ctx, products, 30, endMs);
  assertEquals(seen, alone);
  assertEquals(steps, 2);
});
