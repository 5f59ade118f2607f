import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Product } from "../../../src/catalogue/products/product.ts";
import { readPasts } from "../../../src/rules/evaluation/backtest_job.ts";
import { readSurroundings } from "../../../src/rules/proposals/priced_product.ts";
import { type PlacedObservation, positionOf } from "../../../src/shops/observations/observation.ts";
import { addNumbered, withWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { addObservations, anObservation } from "../../shops/observations/made_observations.ts";

const MATCH = "a".repeat(24);
const SHOP = "b".repeat(24);

function observed(productId: string, atMs: number, priceCents: number): PlacedObservation {
  const match = { productId, matchId: MATCH, competitorId: SHOP };
  const observation = anObservation({ ...match, priceCents, observedAtMs: atMs });
  return { ...positionOf(observation), observation };
}

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
  const tools = { ...ctx, beat: () => Promise.resolve() };
  const window = { fromMs: endMs - 61 * DAY_MS, endMs };
  const read = async (some: readonly Product[]) => {
    const { pasts, leftAt } = await readPasts(tools, some, window, await readSurroundings(ctx));
    return [pasts.map(({ observations }) => observations.length), leftAt];
  };
  assertEquals(await read(products), [[500, 21_000], products[2]!.id]);
  assertEquals(await read(products.slice(2)), [[3], null]);
});
