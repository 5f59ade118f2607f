/** Makes competitors' prices comparable with ours (docs/decisions/competitors.md, rules.md). */

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

/** `unit` is the exact price per piece, with VAT if our price includes VAT. */
export interface PricedOffer {
  readonly offer: Offer;
  readonly observedAtMs: number;
  readonly unit: Fraction;
}

type Unpriced = Extract<
  LeftOut,
  "own_offer" | "other_product" | "never_observed" | "other_currency" | "vat_unknown"
>;

export interface Market {
  readonly situation: Situation;
  /** The cheapest offer comes first. Offers with equal prices keep their order. */
  readonly priced: readonly PricedOffer[];
  readonly unpriced: readonly { readonly offer: Offer; readonly why: Unpriced }[];
  /** Gross price ÷ net price. Null if the VAT rate is unknown. */
  readonly vatFactor: Fraction | null;
}

const ONE = whole(1);
const NOTHING = whole(0);

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

/** Sets the price of each offer to (price + shipping) ÷ pieces. The cheapest offer comes first. */
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

/** Adds the competitors' shipping and subtracts our own shipping. Negative prices become 0. */
export function withShipping(offers: readonly PricedOffer[], market: Market): PricedOffer[] {
  const own = whole(ownShippingOf(market.situation) ?? 0);
  return delivered(offers, market).map((priced) => {
    const unit = subtract(priced.unit, own);
    return { ...priced, unit: compareFractions(unit, NOTHING) < 0 ? NOTHING : unit };
  });
}

export function vatFactorOf(ratePct: number | null): Fraction | null {
  return ratePct === null ? null : add(ONE, percent(ratePct));
}

/** Returns null if the conversion needs an unknown VAT rate. */
export function unitPriceOf(
  priceCents: number,
  { packFactor, pricesIncludeVat }: Pick<Offer, "packFactor" | "pricesIncludeVat">,
  wantsGross: boolean,
  vatFactor: Fraction | null,
): Fraction | null {
  const piece = packFactor === 1
    ? whole(priceCents)
    : divide(whole(priceCents), decimal(packFactor));
  if ((pricesIncludeVat ?? wantsGross) === wantsGross) return piece;
  if (vatFactor === null) return null;
  return wantsGross ? multiply(piece, vatFactor) : divide(piece, vatFactor);
}

export function missingForMargin(market: Market): "cost_unknown" | "vat_unknown" | null {
  const { product, settings } = market.situation;
  if (knownCost(product) === null) return "cost_unknown";
  return settings.pricesIncludeVat && market.vatFactor === null ? "vat_unknown" : null;
}

export const marginFacts = z.object({
  marginPct: z.number().nullable(),
  boundPct: z.number(),
  fires: z.boolean(),
});

export function restsWithout(market: Market, missing: "cost_unknown" | "vat_unknown"): Rest {
  if (missing === "vat_unknown") return { code: missing, facts: {} };
  return { code: missing, facts: { isZero: market.situation.product.costPriceCents === 0 } };
}

/** Returns a negative number, 0 or a positive number for a margin below, at or above `pct`. */
export function compareMargin(market: Market, priceCents: number, pct: Fraction): number {
  const kept = multiply(netOf(market, priceCents), subtract(ONE, pct));
  return compareFractions(kept, costOf(market));
}

/** Rounds the price up. Call only if `missingForMargin` returns null and `pct` is below 100. */
export function priceForMargin(market: Market, pct: number): number {
  return ceilOf(divide(priceAtCost(market), subtract(ONE, percent(pct))));
}

/** Returns the exact price with a margin of 0. Call only if `missingForMargin` returns null. */
export function priceAtCost(market: Market): Fraction {
  const cost = costOf(market);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross ? multiply(cost, market.vatFactor ?? ONE) : cost;
}

/** Returns percent with 2 decimals, rounded down. */
export function marginPct(market: Market, priceCents: number | null): number | null {
  if (priceCents === null || priceCents <= 0 || missingForMargin(market) !== null) return null;
  return marginPctOf(netOf(market, priceCents), knownCost(market.situation.product) ?? 0);
}

/** Call only if `missingForMargin` returns null. */
export function costOf({ situation }: Market): Fraction {
  return whole(knownCost(situation.product) ?? 0);
}

/** Call only if `missingForMargin` returns null. */
export function netOf(market: Market, priceCents: number): Fraction {
  const price = whole(priceCents);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross && market.vatFactor !== null ? divide(price, market.vatFactor) : price;
}
