/**
 * Reads the price in a text of a web page. Refuses a text that can mean two prices, because a wrong
 * price is worse than none.
 */
import { currencyExponent, MINOR_UNITS_MAX } from "./money.ts";
import {
  currencyWithin,
  type LoneSigns,
  scaledValue,
  shapeOf,
  type WrittenCurrency,
} from "./german_values.ts";
import { FREE_TEXT, type PriceMention, priceMentions } from "./price_mention.ts";

export interface PriceTextContext {
  /** ISO 4217 code that is assumed if the text names no currency. */
  readonly currency?: string | null;
  readonly currencyText?: string | null;
  /** BCP 47 code, which helps to decide what a single dot or comma before three digits means. */
  readonly locale?: string | null;
}

interface PriceInText {
  /** In major units (`1234.56`); may have more decimals than the currency, as in `0.0015`. */
  readonly decimal: string;
  /** ISO 4217 code; null if neither the text nor the context shows the currency. */
  readonly currency: string | null;
}

const DOT_LANGUAGES = new Set("en ja zh ko th he hi bn ta ms fil sw ga mt cy".split(" "));
const DOT_REGIONS = new Set("CH LI MX".split(" "));

/**
 * Prefers amounts that have a currency and are not an old price, a unit price or a monthly rate. Of
 * these amounts, chooses the first whose currency is `context.currency`, or else the first
 * (docs/decisions/scraping.md).
 */
export function readPriceText(
  text: string,
  context: PriceTextContext = {},
): PriceInText | { readonly reason: "no_price" | "ambiguous_price" } {
  const mentions = priceMentions(text);
  if (mentions === null) return { reason: "ambiguous_price" };
  const beside = context.currencyText ? currencyWithin(context.currencyText.slice(0, 200)) : null;
  const amounts: PriceOfText[] = [];
  let isUnclear = false;

  for (const mention of mentions) {
    const currency = currencyOf(mention.currency, beside, context.currency ?? null);
    const lone = loneSigns(currency, context.locale ?? null);
    const decimal = mention.isSplit ? null : decimalOf(mention.number, lone);
    if (decimal === null) isUnclear ||= currency.isKnown || mentions.length === 1;
    else amounts.push({ ...mention, decimal, iso: currency.iso });
  }

  const price = chosenAmount(amounts, context.currency ?? null);
  if (price === "ambiguous") return { reason: "ambiguous_price" };
  if (price) return { decimal: price.decimal, currency: price.iso };
  if (isUnclear) return { reason: "ambiguous_price" };
  if (mentions.length === 0 && FREE_TEXT.test(text.slice(0, 100).toLowerCase())) {
    return { decimal: "0", currency: null };
  }
  return { reason: "no_price" };
}

export interface PriceOfText extends PriceMention {
  readonly decimal: string;
  readonly iso: string | null;
}

/** Also returns old prices and unit prices, but omits zeros and ambiguous numbers. */
export function pricesInText(text: string, context: PriceTextContext = {}): readonly PriceOfText[] {
  return (priceMentions(text) ?? []).flatMap((mention) => {
    const currency = currencyOf(mention.currency, null, context.currency ?? null);
    const lone = loneSigns(currency, context.locale ?? null);
    const decimal = mention.isSplit ? null : decimalOf(mention.number, lone);
    if (decimal === null || !/[1-9]/.test(decimal)) return [];
    return [{ ...mention, decimal, iso: currency.iso }];
  });
}

/** Converts to minor units, rounded half up; returns null above `MINOR_UNITS_MAX`. */
export function minorOfDecimal(decimal: string, exponent: number): number | null {
  const dot = decimal.indexOf(".");
  const decimalAt = dot === -1 ? decimal.length : dot;
  const value = scaledValue(decimal, decimalAt, exponent, MINOR_UNITS_MAX);
  return value === Infinity ? null : value;
}

function chosenAmount(amounts: readonly PriceOfText[], wanted: string | null) {
  const paid = amounts.filter(({ decimal }) => /[1-9]/.test(decimal));
  const rest = paid.length > 0 ? paid : amounts;
  const withCurrency = rest.filter(({ currency }) => currency !== null);
  const clean = withCurrency.filter(({ isMarked }) => !isMarked);
  if (clean.length > 0) return clean.find(({ iso }) => iso === wanted) ?? clean[0];

  const bare = rest.filter(({ currency, isMarked }) => currency === null && !isMarked);
  const first = bare[0];
  const hasCents = first !== undefined && /\.\d{2}$/.test(first.decimal);
  if (withCurrency.length > 0) return hasCents ? first : first ? "ambiguous" : withCurrency[0];
  if (bare.length > 1 && !hasCents) return "ambiguous";
  return first ?? rest[0] ?? null;
}

type KnownCurrency = ReturnType<typeof currencyOf>;

function currencyOf(
  written: WrittenCurrency | null,
  beside: WrittenCurrency | null,
  known: string | null,
) {
  const codes = (written ?? beside)?.codes;
  if (codes === undefined) return { iso: known, isKnown: known !== null };
  const others = [known, ...(beside?.codes.length === 1 ? beside.codes : [])];
  const narrowed = others.find((code) => code !== null && codes.includes(code));
  return { iso: codes.length === 1 ? codes[0] ?? null : narrowed ?? null, isKnown: true };
}

/** In shop texts, a single dot before three digits is almost always a thousands separator. */
function loneSigns({ iso, isKnown }: KnownCurrency, locale: string | null): LoneSigns {
  const hasThreeDecimals = iso !== null && currencyExponent(iso) === 3;
  const sign = locale === null ? null : decimalSign(locale);
  const byCurrency = isKnown && !hasThreeDecimals ? "group" : "unclear";
  const byLocale = { ",": "decimal", ".": "group" } as const;
  const comma = sign === null ? byCurrency : byLocale[sign];
  if (hasThreeDecimals) {
    return { comma, dot: sign === null ? "unclear" : sign === "." ? "decimal" : "group" };
  }
  return { comma, dot: sign === "." && !isKnown ? "unclear" : "group" };
}

function decimalSign(locale: string): "." | "," {
  const [language = "", ...rest] = locale.split(/[-_]/);
  const isDot = DOT_LANGUAGES.has(language.toLowerCase()) ||
    rest.some((part) => DOT_REGIONS.has(part.toUpperCase()));
  return isDot ? "." : ",";
}

function decimalOf(number: string, lone: LoneSigns): string | null {
  const shape = shapeOf(number, lone);
  if (typeof shape === "string") return null;
  const whole = number.slice(0, shape.decimalAt).replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const decimals = number.slice(shape.decimalAt + 1);
  return decimals === "" ? whole : `${whole || "0"}.${decimals}`;
}
