/**
 * Converts competitors' prices so that they can be compared with ours (docs/decisions/competitors.md,
 * docs/decisions/rules.md).
 */

import {
  add,
  ceilOf,
  compareFractions,
  decimal,
  divide,
  type Fraction,
  multiply,
  percent,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { knownCost, marginPctOf } from "../../base/percent.ts";
import { type Offer, ownShippingOf, type Situation, vatRateOf } from "./situation.ts";
import type { LeftOut, Rest } from "./statement.ts";
import { z } from "zod";

/** An offer with the price of one piece on our side of VAT: an exact fraction of a minor unit. */
export interface PricedOffer {
  readonly offer: Offer;
  readonly observedAtMs: number;
  readonly unit: Fraction;
}

/** Why an offer takes no part in the maths of any rule. */
export type Unpriced = Extract<
  LeftOut,
  "own_offer" | "other_product" | "never_observed" | "other_currency" | "vat_unknown"
>;

/** A product's offers as all of its rules see them. */
export interface Market {
  readonly situation: Situation;
  /** Cheapest first; equal ones in the order in which they were handed in. */
  readonly priced: readonly PricedOffer[];
  readonly unpriced: readonly { readonly offer: Offer; readonly why: Unpriced }[];
  /** Gross ÷ net; null when no rate is known. */
  readonly vatFactor: Fraction | null;
}

const ONE = whole(1);
const NOTHING = whole(0);

/** Brings every offer to our side once, for all rules that look at the product. */
export function readMarket(situation: Situation): Market {
  const { product, offers, ownOffers = [], settings } = situation;
  const vatFactor = vatFactorOf(vatRateOf(situation));
  const priced: PricedOffer[] = [];
  const unpriced: { offer: Offer; why: Unpriced }[] = ownOffers.map((offer) => ({
    offer,
    why: "own_offer",
  }));
  for (const offer of offers) {
    const { priceCents, observedAtMs } = offer;
    if (offer.isOtherProduct) {
      unpriced.push({ offer, why: "other_product" });
    } else if (priceCents === null || observedAtMs === null) {
      unpriced.push({ offer, why: "never_observed" });
    } else if (offer.currency !== product.currency) {
      unpriced.push({ offer, why: "other_currency" });
    } else {
      const unit = unitPriceOf(priceCents, offer, settings.pricesIncludeVat, vatFactor);
      if (unit === null) unpriced.push({ offer, why: "vat_unknown" });
      else priced.push({ offer, observedAtMs, unit });
    }
  }
  priced.sort((a, b) => compareFractions(a.unit, b.unit));
  return { situation, priced, unpriced, vatFactor };
}

/**
 * The same offers as delivered prices: (price + known shipping) ÷ pieces on our side of VAT. Cheapest
 * first.
 */
export function delivered(
  offers: readonly PricedOffer[],
  { situation, vatFactor }: Market,
): PricedOffer[] {
  const wantsGross = situation.settings.pricesIncludeVat;
  return offers.flatMap((priced): PricedOffer[] => {
    const { offer } = priced;
    const cents = (offer.priceCents ?? 0) + (offer.shippingCents ?? 0);
    const unit = unitPriceOf(cents, offer, wantsGross, vatFactor);
    return unit === null ? [] : [{ ...priced, unit }];
  }).sort((a, b) => compareFractions(a.unit, b.unit));
}

/** Like `delivered`, to compare with our price alone: less our own shipping, and never below 0. */
export function withShipping(offers: readonly PricedOffer[], market: Market): PricedOffer[] {
  const own = whole(ownShippingOf(market.situation) ?? 0);
  return delivered(offers, market).map((priced) => {
    const unit = subtract(priced.unit, own);
    return { ...priced, unit: compareFractions(unit, NOTHING) < 0 ? NOTHING : unit };
  });
}

/** Gross ÷ net at a rate in percent; null without one. */
export function vatFactorOf(ratePct: number | null): Fraction | null {
  return ratePct === null ? null : add(ONE, percent(ratePct));
}

/** The price of one piece of ours there, on the side of VAT that `wantsGross` says; null without a rate. */
export function unitPriceOf(
  priceCents: number,
  { packFactor, pricesIncludeVat }: Pick<Offer, "packFactor" | "pricesIncludeVat">,
  wantsGross: boolean,
  vatFactor: Fraction | null,
): Fraction | null {
  const piece = packFactor === 1
    ? whole(priceCents)
    : divide(whole(priceCents), decimal(packFactor));
  return onSide(piece, pricesIncludeVat ?? wantsGross, wantsGross, vatFactor);
}

function onSide(
  price: Fraction,
  isGross: boolean,
  wantsGross: boolean,
  vatFactor: Fraction | null,
): Fraction | null {
  if (isGross === wantsGross) return price;
  if (vatFactor === null) return null;
  return wantsGross ? multiply(price, vatFactor) : divide(price, vatFactor);
}

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
