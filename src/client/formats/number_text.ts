import { readDecimal } from "./decimal.ts";

/** The most decimals that a number of the service has. */
const DIGITS_MAX = 4;

/** A number as the field of a form begins with it: whole, in the way of the locale; nothing for none. */
export function numberText(value: number | null | undefined, locale: string): string {
  if (value === null || value === undefined) return "";
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: DIGITS_MAX })
    .format(value);
}

/**
 * The value that is sent: `null` for an empty field, the typed text when it is no number, so that
 * the service refuses it by name. A percent sign at the end is ignored.
 */
export function readNumber(text: string, locale: string): number | string | null {
  const bare = text.trim().replace(/%$/, "").trim();
  if (bare === "") return null;
  const isNegative = /^[-−]/.test(bare);
  const decimal = readDecimal(bare.replace(/^[-−]\s*/, ""), locale);
  if (decimal === null) return text;
  return isNegative ? -Number(decimal) : Number(decimal);
}

/** True for what a number field can be sent with. */
export function isNumberText(text: string, locale: string): boolean {
  return typeof readNumber(text, locale) !== "string";
}
