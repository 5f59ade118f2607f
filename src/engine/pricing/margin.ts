/**
 * Margin = (net price − cost) ÷ net price; cost is net, the own price as the workspace keeps it
 * (docs/decisions/rules.md). All exact.
 */
import { z } from "zod";
import {
  ceilOf,
  compareFractions,
  divide,
  type Fraction,
  multiply,
  percent,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { knownCost, marginPctOf } from "../../base/margin.ts";
import type { Market } from "./market.ts";
import type { Rest } from "./said.ts";

const ONE = whole(1);

/** Null when it can be computed, else the code of what is missing. */
export function missingForMargin(market: Market): "cost_unknown" | "vat_unknown" | null {
  const { product, settings } = market.situation;
  if (knownCost(product) === null) return "cost_unknown";
  return settings.pricesIncludeVat && market.vatFactor === null ? "vat_unknown" : null;
}

export const marginFacts = z.object({
  /** In percent, rounded down. */
  marginPct: z.number().nullable(),
  boundPct: z.number(),
  fires: z.boolean(),
});

export function restsWithout(market: Market, missing: "cost_unknown" | "vat_unknown"): Rest {
  if (missing === "vat_unknown") return { code: missing, facts: {} };
  return { code: missing, facts: { isZero: market.situation.product.costPriceCents === 0 } };
}

/**
 * Below, at or above 0 as the margin of `priceCents` is less than, equal to or greater than `pct`.
 */
export function compareMargin(market: Market, priceCents: number, pct: Fraction): number {
  const kept = multiply(netOf(market, priceCents), subtract(ONE, pct));
  return compareFractions(kept, costOf(market));
}

/**
 * The lowest price whose margin is at least `pct`, in minor units, rounded up. Asks for a `pct`
 * below 100 and for all that `missingForMargin` names.
 */
export function priceForMargin(market: Market, pct: number): number {
  return ceilOf(divide(priceAtCost(market), subtract(ONE, percent(pct))));
}

/** The price that brings in the cost and no more: on our side of VAT. Asks for what `missingForMargin` names. */
export function priceAtCost(market: Market): Fraction {
  const cost = costOf(market);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross ? multiply(cost, market.vatFactor ?? ONE) : cost;
}

/** In percent with 2 decimals, rounded down; null when it cannot be computed. */
export function marginPct(market: Market, priceCents: number | null): number | null {
  if (priceCents === null || priceCents <= 0 || missingForMargin(market) !== null) return null;
  return marginPctOf(netOf(market, priceCents), costCentsOf(market));
}

/** Asked for only where `missingForMargin` names no missing cost. */
function costCentsOf({ situation }: Market): number {
  return knownCost(situation.product) ?? 0;
}

/** Net and exact; asked for as `costCentsOf`. */
export function costOf(market: Market): Fraction {
  return whole(costCentsOf(market));
}

/** A price of ours without VAT, exactly. Asks for what `missingForMargin` names. */
export function netOf(market: Market, priceCents: number): Fraction {
  const price = whole(priceCents);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross && market.vatFactor !== null ? divide(price, market.vatFactor) : price;
}
