/** Position of a price among the offers that count. */
import {
  compareFractions,
  decimal,
  divide,
  type Fraction,
  roundOf,
  subtract,
  whole,
} from "../../../base/fraction.ts";
import { ourGapPct } from "../../../base/percent.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";

export interface Rival {
  readonly offer: MarketOffer;
  /** The price per piece, with VAT if our prices include VAT. */
  readonly unit: Fraction;
  /** Price per piece in whole minor units. */
  readonly cents: number;
}

export interface PricePosition {
  /** Rank of our price: 1 is the cheapest, and equal prices share a rank. */
  readonly rank: number;
  readonly of: number;
  readonly cheapest: Rival;
  readonly gapCents: number;
  /** Null if the cheapest price is 0. */
  readonly ourGapPct: number | null;
  readonly tied: Rival | null;
}

/** The cheapest offer comes first. */
export function rivalsOf(offers: readonly MarketOffer[]): readonly Rival[] {
  return offers.flatMap((offer): Rival[] => {
    const unit = offer.counts ? unitOf(offer) : null;
    return unit === null ? [] : [{ offer, unit, cents: roundOf(unit) }];
  }).sort((a, b) => compareFractions(a.unit, b.unit));
}

/** The price per piece: exact, or the rounded `unitCents` if the offer's price was converted. */
export function unitOf(
  { priceCents, shippingCents, packFactor, unitCents }: MarketOffer,
): Fraction | null {
  if (unitCents === null || priceCents === null) return null;
  const candidates = [priceCents, priceCents + (shippingCents ?? 0)]
    .map((cents) => divide(whole(cents), decimal(packFactor)));
  return candidates.find((exact) => roundOf(exact) === unitCents) ?? whole(unitCents);
}

/** `ourCents` may include our shipping cost. Null without competitors. */
export function positionAt(ourCents: number, rivals: readonly Rival[]): PricePosition | null {
  const [cheapest] = rivals;
  if (!cheapest) return null;
  const ours = whole(ourCents);
  const cheaper = rivals.filter(({ unit }) => compareFractions(unit, ours) < 0);
  return {
    rank: cheaper.length + 1,
    of: rivals.length + 1,
    cheapest,
    gapCents: roundOf(subtract(ours, cheapest.unit)),
    ourGapPct: ourGapPct(ourCents, cheapest.unit),
    tied: rivals.find(({ unit }) => compareFractions(unit, ours) === 0) ?? null,
  };
}
