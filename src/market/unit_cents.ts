/** Converts prices of other shops so that they can be compared with our prices. */
import { divide, multiply, roundOf, subtract, whole } from "../base/fraction.ts";
import {
  type Offer,
  type PricingSettings,
  unitPriceOf,
  vatFactorOf,
} from "../engine/pricing/situation.ts";

type PriceTerms = Pick<Offer, "packFactor" | "pricesIncludeVat">;

interface OurSide {
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
}

export function ourSideOf(
  product: { readonly vatRatePct: number | null },
  settings: Pick<PricingSettings, "pricesIncludeVat" | "vatRatePct">,
): OurSide {
  const { pricesIncludeVat } = settings;
  return { pricesIncludeVat, vatRatePct: product.vatRatePct ?? settings.vatRatePct };
}

/**
 * Returns the price per piece, rounded half up, with VAT if our price includes VAT. Returns null if
 * the VAT rate is needed but unknown.
 */
export function unitCents(priceCents: number, terms: PriceTerms, ours: OurSide): number | null {
  const vatFactor = vatFactorOf(ours.vatRatePct);
  const unit = unitPriceOf(priceCents, terms, ours.pricesIncludeVat, vatFactor);
  return unit && roundOf(unit);
}

/** Returns the price per piece; if the VAT rate is unknown, VAT is neither added nor removed. */
export function shownUnitCents(priceCents: number, terms: PriceTerms, ours: OurSide): number {
  const theirs = { packFactor: terms.packFactor, pricesIncludeVat: null };
  return unitCents(priceCents, terms, ours) ?? unitCents(priceCents, theirs, ours) ?? priceCents;
}

/** Returns the change in percent with 2 decimals, rounded half up; null if `fromCents` is 0. */
export function changePct(fromCents: number, toCents: number): number | null {
  if (fromCents <= 0) return null;
  const part = subtract(whole(toCents), whole(fromCents));
  return roundOf(divide(multiply(part, whole(10_000)), whole(fromCents))) / 100;
}
