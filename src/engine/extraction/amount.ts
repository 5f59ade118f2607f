/**
 * Types of the amounts, products and offers of a page, and functions that read and compare amounts.
 * Amounts are decimal texts such as `19.9949` and not integers, because some pages show fractions
 * of a cent.
 */
import type { Availability, Condition } from "../../base/codes.ts";
import { currencyExponent, formatMajor } from "../../base/money.ts";
import { currencyCodes, currencyWithin } from "../../base/german_values.ts";
import { minorOfDecimal, readPriceText } from "../../base/price_text.ts";
import { compareTexts, withoutAtEnd } from "../../base/text.ts";

export type Amount =
  | {
    readonly decimal: string;
    readonly currency: string | null;
    /** False if the amount is doubtful, such as a machine-readable `1.299` that may mean 1299. */
    readonly isSure: boolean;
  }
  | { readonly reason: "no_price" | "ambiguous_price" };

export interface WrittenAmount {
  readonly decimal: string;
  /** The currencies that the text may mean: several for `$`, none for a text without a currency. */
  readonly codes: readonly string[];
}

export interface Writing {
  readonly currency: string | null;
  readonly locale: string | null;
}

export interface TextValue {
  readonly text: string;
  /** `number`: a JSON number. `machine`: an attribute or JSON string. `shown`: visible text. */
  readonly kind: "number" | "machine" | "shown";
  readonly shown: string | null;
}

const NO_PRICE = { reason: "no_price" } as const;

/**
 * In machine-readable fields, a point is the decimal sign, as schema.org requires. Other texts may
 * use other signs, as in `1.299,00 €` (docs/decisions/scraping.md).
 */
export function readAmount(value: TextValue, { currency, locale }: Writing): Amount {
  const text = value.text.slice(0, 300).trim();
  if (value.kind !== "shown" && /^\d{1,15}(?:\.\d{1,20})?$/.test(text)) {
    if (!/[1-9]/.test(text)) return NO_PRICE;
    const known = currency ?? onlyCode(currencyWithin(value.shown ?? "")?.codes);
    const isGroupLike = value.kind === "machine" && /^[1-9]\d{0,2}\.\d{3}$/.test(text);
    const isSure = !isGroupLike || (known !== null && currencyExponent(known) === 3);
    return { decimal: text, currency: known, isSure };
  }
  if (value.kind === "number" || /^\d[\d.]*e[+-]?\d+$/i.test(text)) return NO_PRICE;
  const price = readPriceText(text, { currency, locale, currencyText: value.shown });
  if ("reason" in price) return price;
  if (!/[1-9]/.test(price.decimal)) return NO_PRICE;
  return { decimal: price.decimal, currency: price.currency ?? currency, isSure: true };
}

export function compareDecimals(one: string, other: string): number {
  if (one === other) return 0;
  const [a, b] = [decimalParts(one), decimalParts(other)];
  const byLength = a.whole.length - b.whole.length;
  if (byLength !== 0) return byLength;
  return compareTexts(a.whole + a.decimals, b.whole + b.decimals);
}

function decimalParts(decimal: string): { whole: string; decimals: string } {
  const [whole = "", decimals = ""] = decimal.split(".", 2);
  return { whole: whole.replace(/^0+/, ""), decimals: withoutAtEnd(decimals, /0/) };
}

/** Returns equal texts for equal amounts: `1.5` for `01.5` and `1.50`. */
export function plainDecimal(decimal: string): string {
  const { whole, decimals } = decimalParts(decimal);
  return `${whole}.${decimals}`;
}

/** Returns `EUR` for `eur`, `€` and `Euro`, and null for the ambiguous `$`. */
export function currencyOf(text: string | null): string | null {
  const bare = text?.trim() ?? "";
  const upper = bare.toUpperCase();
  if (upper === "RUR") return "RUB"; // Shops still write the code that Russia replaced in 1998.
  return currencyExponent(upper) !== null ? upper : onlyCode(currencyCodes(bare));
}

const SHOWN_DECIMALS_MAX = 3;

export function writtenAmount(
  { decimal, currency }: { readonly decimal: string; readonly currency: string | null },
): WrittenAmount {
  const { decimals } = decimalParts(decimal);
  // Rounds amounts such as `19.9949`, which some shops write in the markup but show as 19.99.
  const minor = decimals.length > SHOWN_DECIMALS_MAX ? minorOfDecimal(decimal, 2) : null;
  const shown = minor === null ? decimal : formatMajor(minor, 2);
  return { decimal: plainDecimal(shown), codes: currency === null ? [] : [currency] };
}

export function isSameAmount(one: WrittenAmount, other: WrittenAmount): boolean {
  return one.decimal === other.decimal && mayBeOneCurrency(one, other);
}

export function mayBeOneCurrency(
  { codes }: Pick<WrittenAmount, "codes">,
  other: Pick<WrittenAmount, "codes">,
): boolean {
  return codes.length === 0 || other.codes.length === 0 ||
    codes.some((code) => other.codes.includes(code));
}

export function meantCurrency(codes: WrittenAmount["codes"], likely: readonly (string | null)[]) {
  if (codes.length === 1) return codes[0] ?? null;
  const fitting = likely.find((one) => one !== null && (codes.length === 0 || codes.includes(one)));
  return fitting ?? codes[0] ?? null;
}

export function onlyCode(codes: WrittenAmount["codes"] | null | undefined): string | null {
  return codes?.length === 1 ? codes[0] ?? null : null;
}

export type Identity = Readonly<
  Record<"names" | "urls" | "gtins" | "numbers", readonly string[]>
>;

/** A product on a page. The candidates (possible prices) of a product share one `Subject`. */
export interface Subject extends Identity {
  /**
   * `main`: the page's main product. Prices from OpenGraph, a selector or a script also get `main`.
   * `own`: a product outside lists. `listed`: an entry of a list. `related`: a recommendation,
   * whose price is never used.
   */
  readonly standing: "main" | "own" | "listed" | "related";
  readonly brand: string | null;
  readonly mpn: string | null;
  readonly sku: string | null;
}

export interface Candidate {
  readonly subject: Subject;
  readonly offer: Identity;
  readonly amount: Amount;
  readonly availability: Availability;
  readonly isNew: boolean;
  readonly condition: Condition | null;
  readonly isVariant: boolean;
  readonly isNet: boolean;
  readonly isLowest: boolean;
  readonly seller: string | null;
  /** The old or recommended price as a decimal, in the currency of `amount`. */
  readonly listPrice: string | null;
  readonly shipping: Shipping | null;
  readonly traits: VariantTraits;
}

export interface Priced extends Candidate {
  readonly amount: Extract<Amount, { readonly decimal: string }>;
}

export interface VariantAttribute {
  readonly name: string | null;
  readonly value: string;
}

export interface VariantTraits {
  readonly ids: readonly string[];
  readonly attributes: readonly VariantAttribute[];
  readonly mpn: string | null;
  readonly sku: string | null;
}

export const NO_TRAITS: VariantTraits = { ids: [], attributes: [], mpn: null, sku: null };

/** Shipping costs in major units, such as euros. */
export interface Shipping {
  readonly decimal: string;
  /** Null if the page names no currency for shipping; then the currency of the price applies. */
  readonly currency: string | null;
}

export const NO_IDENTITY: Identity = { names: [], urls: [], gtins: [], numbers: [] };

export const UNNAMED_SUBJECT: Subject = {
  ...NO_IDENTITY,
  standing: "main",
  brand: null,
  mpn: null,
  sku: null,
};

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
