/**
 * From an aim to a price (docs/decisions/rules.md): the reference or the fallback it is computed from, the
 * adjustment, the goal between the bounds; and what must be known of a product before that.
 */
import { add, type Fraction, multiply, percent, whole } from "../../base/fraction.ts";
import { knownCost } from "../../base/margin.ts";
import { priceAtCost } from "./margin.ts";
import type { PricedOffer } from "./market.ts";
import { type AimKind, FALLBACK_KINDS, type PriceAim } from "./price_aim.ts";
import { cheapestOffers, medianOf, referencePrice, type References } from "./reference.ts";
import type { View } from "./trigger.ts";

/** Which of its inputs a rule looks for: the reference, or what stands in for it. */
export interface AimSource {
  readonly kind: AimKind;
  readonly isFallback: boolean;
}

export interface AimBase extends AimSource {
  readonly price: Fraction;
  readonly wish: Fraction;
  readonly used: readonly PricedOffer[];
}

/** True for what is reckoned from the prices of competitors. */
export function isOfMarket(kind: AimKind): boolean {
  return !FALLBACK_KINDS.some((own) => own === kind);
}

/** The fallback where there is no reference and the rule has one. */
export function sourceOf({ reference, fallback }: PriceAim, view: View): AimSource {
  if (fallback === null || isThere(reference, view)) {
    return { kind: reference.kind, isFallback: false };
  }
  return { kind: fallback.kind, isFallback: true };
}

/** True when enough of what the reference is made from is known. */
function isThere(reference: PriceAim["reference"], { market, references }: View): boolean {
  const { product } = market.situation;
  if (reference.kind === "target") return (product.targetPriceCents ?? 0) > 0;
  if (reference.kind === "cost") return knownCost(product) !== null;
  return references.areEnough && references.offers.length >= (reference.nth ?? 1);
}

/** Total once the source is there. */
export function baseOf(aim: PriceAim, source: AimSource, view: View): AimBase {
  const { kind, isFallback } = source;
  const { price, used } = priceOf(aim, kind, view);
  if (!isFallback) return { ...source, price, used, wish: adjusted(price, aim.adjust) };
  const pct = aim.fallback?.pct ?? 0;
  return { ...source, price, used, wish: multiply(price, percent(100 + pct)) };
}

function priceOf(
  { reference }: PriceAim,
  kind: AimKind,
  { market, references }: View,
): Pick<AimBase, "price" | "used"> {
  switch (kind) {
    case "cost":
      return { price: priceAtCost(market), used: [] };
    case "target":
      return { price: whole(market.situation.product.targetPriceCents ?? 0), used: [] };
    case "cheapest":
    case "competitor":
      return { price: unitAt(references, 0), used: cheapestOffers(references) };
    case "nth": {
      const at = (reference.nth ?? 1) - 1;
      return { price: unitAt(references, at), used: references.offers.slice(at, at + 1) };
    }
    case "highest":
      return {
        price: unitAt(references, references.offers.length - 1),
        used: references.offers.slice(-1),
      };
    case "average":
      return {
        price: referencePrice("average", references) ?? whole(0),
        used: references.offers,
      };
    case "median":
      return { price: medianOf(references.offers), used: references.offers };
  }
}

function unitAt({ offers }: References, at: number): Fraction {
  return offers[at]?.unit ?? whole(0);
}

function adjusted(price: Fraction, adjust: PriceAim["adjust"]): Fraction {
  if (adjust === null) return price;
  const { pct, cents } = adjust;
  if (pct !== null) return multiply(price, percent(100 + pct));
  return cents === null ? price : add(price, whole(cents));
}
