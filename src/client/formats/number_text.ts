import { readDecimal } from "./decimal.ts";

/** Maximum number of decimals of the service's numbers. */
const DIGITS_MAX = 4;

/** In the locale's format without grouping; empty for null. */
export function numberText(value: number | null | undefined, locale: string): string {
  if (value === null || value === undefined) return "";
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: DIGITS_MAX })
    .format(value);
}

/**
 * Null for an empty field. Any other text is returned as typed, so that the service refuses it. A
 * percent sign at the end is ignored.
 */
export function readNumber(text: string, locale: string): number | string | null {
  const bare = text.trim().replace(/%$/, "").trim();
  if (bare === "") return null;
  const isNegative = /^[-−]/.test(bare);
  const decimal = readDecimal(bare.replace(/^[-−]\s*/, ""), locale);
  if (decimal === null) return text;
  return isNegative ? -Number(decimal) : Number(decimal);
}

export function isNumberText(text: string, locale: string): boolean {
  return typeof readNumber(text, locale) !== "string";
}
