/**
 * Reads decimals in German or English notation, with or without EUR, CHF or USD. In a number with
 * dots and commas, the last of them is the decimal separator. A single separator, as in `1.234`,
 * separates thousands only if the locale uses this character for thousands. A single separator
 * after only zeros, as in `0.125`, is always the decimal separator.
 */
import { exponentOf, majorOf, parseMajor } from "../../base/money.ts";

/** Returns a decimal such as `1234.56`, as the API expects, or null if the text is invalid. */
export function readDecimal(text: string, locale: string): string | null {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]|€|EUR|CHF|USD|\$/gi, "").replace(/,[-–—]+$/, "");
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(bare)) return null;
  const point = decimalPoint(bare, locale);
  const at = point === null ? -1 : bare.lastIndexOf(point);
  const whole = at < 0 ? bare : bare.slice(0, at);
  const fraction = at < 0 ? "" : bare.slice(at + 1);
  if (!/^\d*$/.test(fraction) || !isGrouped(whole)) return null;
  const digits = whole.replaceAll(/[.,]/g, "").replace(/^0+(?=\d)/, "") || "0";
  return fraction === "" ? digits : `${digits}.${fraction}`;
}

/** Returns minor units, or null if the text is no price or has more than `digits` decimals. */
export function readMinor(text: string, digits: number, locale: string): number | null {
  const decimal = readDecimal(text, locale);
  const parsed = decimal === null ? null : parseMajor(decimal, digits);
  return parsed !== null && "minor" in parsed ? parsed.minor : null;
}

export function readSigned(
  text: string,
  locale: string,
): { readonly isNegative: boolean; readonly decimal: string } | null {
  const trimmed = text.trim();
  const isNegative = trimmed.startsWith("-") || trimmed.startsWith("−");
  const unsigned = isNegative || trimmed.startsWith("+") ? trimmed.slice(1) : trimmed;
  const decimal = readDecimal(unsigned.replace(/%$/, "").trim(), locale);
  return decimal === null ? null : { isNegative, decimal };
}

function decimalPoint(text: string, locale: string): "." | "," | null {
  const marks = [...text.matchAll(/[.,]/g)].map(([mark]) => mark);
  const last = marks.at(-1);
  if (last !== "." && last !== ",") return null;
  if (marks.some((mark) => mark !== last)) return last;
  // A mark that occurs several times, as in `1.234.567`, separates thousands.
  if (marks.length > 1) return null;
  const isGroup = last === groupMark(locale) && /^(?!0+[.,])\d{1,3}[.,]\d{3}$/.test(text);
  return isGroup ? null : last;
}

function groupMark(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345);
  return parts.find(({ type }) => type === "group")?.value ?? "";
}

function isGrouped(text: string): boolean {
  return /^\d*$/.test(text) || /^(?!0+\D)\d{1,3}(?:(?:\.\d{3})+|(?:,\d{3})+)$/.test(text);
}

export function decimalText(cents: number | null, currency: string, locale: string): string {
  if (cents === null) return "";
  const digits = exponentOf(currency);
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(majorOf(cents, digits));
}

const DIGITS_MAX = 4;

export function numberText(value: number | null | undefined, locale: string): string {
  if (value === null || value === undefined) return "";
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: DIGITS_MAX })
    .format(value);
}

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
