import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  firstScene,
  momentsOf,
  type PastProduct,
  sceneAfter,
} from "../../../src/engine/pricing/backtest.ts";
import { aPastMatch, aProduct } from "./market.ts";

const observation = (atMs: number, priceCents: number, currency = "EUR") => ({
  matchId: "m",
  atMs,
  priceCents,
  currency,
  inStock: true,
  confidence: 1,
});

const past: PastProduct = {
  product: aProduct(),
  matches: [aPastMatch(0)],
  observations: [
    observation(10, 100),
    observation(20, 100),
    observation(30, 90),
    observation(40, 90, "CHF"),
  ],
  ownPrices: [{ atMs: 20, cents: 120 }, { atMs: 50, cents: 110 }],
};

Deno.test("momentsOf() lists every change before the end once, in order", () => {
  const moments = momentsOf(past, [25], 50);
  assertEquals(
    moments.map((
      { atMs, observations, ownPrices },
    ) => [atMs, observations.length, ownPrices.length]),
    [[10, 1, 0], [20, 1, 1], [25, 0, 0], [30, 1, 0], [40, 1, 0]],
  );
});

Deno.test("sceneAfter() gives the price at a time, the one before it, and since when it is valid", () => {
  let scene = firstScene(past);
  const shown = momentsOf(past, [], 100).map((moment) => {
    scene = sceneAfter(scene, moment);
    const offer = scene.offers.get("m");
    return [
      scene.ourPriceCents,
      offer?.priceCents,
      offer?.previousPriceCents,
      offer?.priceSinceMs,
      offer?.observedAtMs,
    ];
  });
  assertEquals(shown, [
    [null, 100, null, 10, 10],
    [120, 100, 100, 10, 20],
    [120, 90, 100, 30, 30],
    [120, 90, null, 40, 40],
    [110, 90, null, 40, 40],
  ]);
});
