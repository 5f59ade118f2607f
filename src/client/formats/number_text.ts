import { readDecimal } from "./decimal.ts";

/** Maximum number of decimals of the service's numbers. */
const DIGITS_MAX = 4;

/**
 * Returns a number as the initial text of a form field, unshortened and in the locale's format;
 * empty for none.
 */
export function numberText(value: number | null | undefined, locale: string): string {
  if (value === null || value === undefined) return "";
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: DIGITS_MAX })
    .format(value);
}

/**
 * Returns the value to send: null for an empty field, or the typed text if it is no number, so that
 * the service refuses the field. A percent sign at the end is ignored.
 */
export function readNumber(text: string, locale: string): number | string | null {
  const bare = text.trim().replace(/%$/, "").trim();
  if (bare === "") return null;
  const isNegative = /^[-−]/.test(bare);
  const decimal = readDecimal(bare.replace(/^[-−]\s*/, ""), locale);
  if (decimal === null) return text;
  return isNegative ? -Number(decimal) : Number(decimal);
}

/** True if the text can be sent as a number. */
export function isNumberText(text: string, locale: string): boolean {
  return typeof readNumber(text, locale) !== "string";
}
