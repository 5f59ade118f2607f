/** How reasons and traces write amounts. */
import { currencyExponent } from "../base/currency.ts";
import { floorOf, type Fraction } from "../base/fraction.ts";
import { showMoney } from "../base/money.ts";
import type { PricedOffer } from "./market.ts";
import type { ReferenceKind, References } from "./reference.ts";
import { referenceOffers } from "./reference.ts";

/** "83.33 EUR", with "about" before what is no whole number of minor units. */
export function showPrice(price: Fraction, currency: string): string {
  return `${isInteger(price) ? "" : "about "}${showMoney(floorOf(price), currency)}`;
}

/** "Acme asks 269.10 EUR"; names the mean as one. */
export function sayReference(
  kind: ReferenceKind,
  references: References,
  price: Fraction,
  currency: string,
): string {
  const shown = showPrice(price, currency);
  if (kind === "average") {
    return `the average of ${references.offers.length} prices is ${shown}`;
  }
  const name = nameOf(referenceOffers(kind, references));
  return `${name} asks ${shown}${kind === "cheapest" ? "" : ` (${kind})`}`;
}

/** The minor units of `price` and, when they are not all, the exact quotient. */
export function exactText(price: Fraction): string {
  return isInteger(price) ? String(floorOf(price)) : `${price.num}/${price.den}`;
}

/** True for currencies whose prices end in two decimals: only there endings such as x.99 mean something. */
export function hasTwoDecimals(currency: string): boolean {
  return currencyExponent(currency) === 2;
}

function nameOf(offers: readonly PricedOffer[]): string {
  return offers[0]?.offer.competitor ?? "nobody";
}

function isInteger({ num, den }: Fraction): boolean {
  return BigInt(num) % BigInt(den) === 0n;
}
