import type { Availability, Condition } from "../../base/codes.ts";
import { currencyExponent } from "../../base/currency.ts";
import { currencyCodes, currencyWithin } from "../../base/currency_text.ts";
import { readPriceText } from "../../base/price_text.ts";
import { compareTexts } from "../../base/text.ts";
import type { TextValue } from "./markup/entity.ts";

/** A price as a page gives it, or why there is none. */
export type Amount =
  | {
    readonly decimal: string;
    readonly currency: string | null;
    /** False when the writing may mean another amount: `1.299` in a field for machines. */
    readonly isSure: boolean;
  }
  | { readonly reason: "no_price" | "ambiguous_price" };

export interface WrittenAmount {
  readonly decimal: string;
  /** Every currency that what is written may mean; empty if it names none. */
  readonly codes: readonly string[];
}

/** The currency and locale of a page, as far as they are known. */
export interface Writing {
  readonly currency: string | null;
  readonly locale: string | null;
}

const NO_PRICE = { reason: "no_price" } as const;

/**
 * Reads the value of a price. Fields for machines have a decimal point, as schema.org asks for; when
 * they are written otherwise, and in shown text, docs/decisions/scraping.md on price text hold. 0
 * is no price.
 */
export function readAmount(value: TextValue, { currency, locale }: Writing): Amount {
  const text = value.text.slice(0, 300).trim();
  if (value.kind !== "shown" && /^\d{1,15}(?:\.\d{1,20})?$/.test(text)) {
    if (!/[1-9]/.test(text)) return NO_PRICE;
    const known = currency ?? shownCurrency(value.shown);
    const isGroupLike = value.kind === "machine" && /^[1-9]\d{0,2}\.\d{3}$/.test(text);
    const isSure = !isGroupLike || (known !== null && currencyExponent(known) === 3);
    return { decimal: text, currency: known, isSure };
  }
  // Numbers beyond what a price can be come in e-notation.
  if (value.kind === "number" || /^\d[\d.]*e[+-]?\d+$/i.test(text)) return NO_PRICE;
  const price = readPriceText(text, { currency, locale, currencyText: value.shown });
  if ("reason" in price) return price;
  if (!/[1-9]/.test(price.decimal)) return NO_PRICE;
  return { decimal: price.decimal, currency: price.currency ?? currency, isSure: true };
}

/** Below 0, 0 or above 0, as the first decimal is less, the same or more; no float takes part. */
export function compareDecimals(one: string, other: string): number {
  if (one === other) return 0;
  const [a, b] = [decimalParts(one), decimalParts(other)];
  const byLength = a.whole.length - b.whole.length;
  if (byLength !== 0) return byLength;
  return compareTexts(a.whole + a.decimals, b.whole + b.decimals);
}

function decimalParts(decimal: string): { whole: string; decimals: string } {
  const [whole = "", decimals = ""] = decimal.split(".", 2);
  return { whole: whole.replace(/^0+/, ""), decimals: withoutZerosAtEnd(decimals) };
}

/** `5` for `500`. */
export function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end -= 1;
  return digits.slice(0, end);
}

/** The same text for the same decimal: `1.5` for `01.50`. */
export function plainDecimal(decimal: string): string {
  const { whole, decimals } = decimalParts(decimal);
  return `${whole}.${decimals}`;
}

/** `EUR` for `eur`, `€` and `Euro`; null for what is no currency, and for `$`, which is many. */
export function currencyOf(text: string | null): string | null {
  const bare = text?.trim() ?? "";
  const upper = bare.toUpperCase();
  if (upper === "RUR") return "RUB"; // Russian shops never took up the code of 1998.
  if (currencyExponent(upper) !== null) return upper;
  const codes = currencyCodes(bare);
  return codes?.length === 1 ? codes[0] ?? null : null;
}

/** A price of the markup, to be compared with what is written elsewhere. */
export function writtenAmount(
  { decimal, currency }: { readonly decimal: string; readonly currency: string | null },
): WrittenAmount {
  return { decimal: plainDecimal(decimal), codes: currency === null ? [] : [currency] };
}

/** The same number, in a currency that may be the same. */
export function isSameAmount(one: WrittenAmount, other: WrittenAmount): boolean {
  if (one.decimal !== other.decimal) return false;
  return one.codes.length === 0 || other.codes.length === 0 ||
    one.codes.some((code) => other.codes.includes(code));
}

/** The currency that is written; where that is none or one of several, the first of `likely` that fits. */
export function meantCurrency(
  codes: WrittenAmount["codes"],
  likely: readonly (string | null)[],
): string | null {
  if (codes.length === 1) return codes[0] ?? null;
  const fitting = likely.find((one) => one !== null && (codes.length === 0 || codes.includes(one)));
  return fitting ?? codes[0] ?? null;
}

function shownCurrency(shown: string | null): string | null {
  const codes = currencyWithin(shown ?? "")?.codes ?? [];
  return codes.length === 1 ? codes[0] ?? null : null;
}

export interface Identity {
  readonly names: readonly string[];
  readonly urls: readonly string[];
  readonly gtins: readonly string[];
  readonly numbers: readonly string[];
}

/** A product that a page names. Candidates of one product share the object. */
export interface Subject extends Identity {
  /**
   * `main`: the page says that it is about it. `listed`: one of a list. `related`: named next to
   * another product; its price is never taken.
   */
  readonly standing: "main" | "own" | "listed" | "related";
  /** Maker and numbers as the page names them; null if it does not. */
  readonly brand: string | null;
  readonly mpn: string | null;
  readonly sku: string | null;
}

/** One price that an extractor read, or a product without any, before anything is chosen. */
export interface Candidate {
  readonly subject: Subject;
  /** The offer or the variant, which is more exact than the product. */
  readonly offer: Identity;
  readonly amount: Amount;
  readonly availability: Availability;
  readonly isNew: boolean;
  readonly condition: Condition | null;
  readonly isVariant: boolean;
  /** True when the markup says that tax is still to be added. */
  readonly isNet: boolean;
  /** True for the lowest price of several, of which the markup names the highest, too. */
  readonly isLowest: boolean;
  /** The seller; null if the offer does not say. */
  readonly seller: string | null;
  /** A decimal in the currency of the amount. */
  readonly listPrice: string | null;
  readonly shipping: Shipping | null;
  /** What tells it from other variants of its product. */
  readonly traits: VariantTraits;
}

export interface VariantAttribute {
  /** `Größe`; null where the page does not name it. */
  readonly name: string | null;
  readonly value: string;
}

export interface VariantTraits {
  /** The numbers that name the variant in addresses of the shop. */
  readonly ids: readonly string[];
  readonly attributes: readonly VariantAttribute[];
  readonly mpn: string | null;
  readonly sku: string | null;
}

export const NO_TRAITS: VariantTraits = { ids: [], attributes: [], mpn: null, sku: null };

/** The delivery cost, in major units. */
export interface Shipping {
  readonly decimal: string;
  /** Null for that of the price. */
  readonly currency: string | null;
}

export const NO_IDENTITY: Identity = { names: [], urls: [], gtins: [], numbers: [] };

/** A product of which nothing is said but that the page is about it. */
export const UNNAMED_SUBJECT: Subject = {
  ...NO_IDENTITY,
  standing: "main",
  brand: null,
  mpn: null,
  sku: null,
};

/** An offer that says nothing but its price. */
export const BARE_OFFER: Omit<Candidate, "subject" | "amount"> = {
  offer: NO_IDENTITY,
  availability: "unknown",
  isNew: true,
  condition: null,
  isVariant: false,
  isNet: false,
  isLowest: false,
  seller: null,
  listPrice: null,
  shipping: null,
  traits: NO_TRAITS,
};
