import { currencyCodes } from "./currency_text.ts";
import { MINOR_UNITS_MAX } from "./money.ts";
import { isGroupSpace, type LoneSigns, scaledValue, shapeOf } from "./number_text.ts";

/**
 * How the numbers of a file are written. `de`: a lone comma is the decimal sign, a lone dot before
 * three digits groups. `en`: a lone dot is the decimal sign, and so is a lone comma, with a warning.
 * `auto`: either, and what both would read differently is refused.
 */
export type NumberFormat = "de" | "en" | "auto";

export interface NumberSetting {
  readonly format: NumberFormat;
  /** Digits to keep after the decimal sign; the rest is rounded half up. */
  readonly exponent: number;
  /** The only currency that may stand around the number, null for none. */
  readonly currency: string | null;
  /** The greatest result; by default `MINOR_UNITS_MAX`. */
  readonly max?: number;
}

/** `value` is the number times 10^exponent. */
export type ReadNumber =
  | { readonly value: number; readonly warning: "dot_decimal" | null }
  | { readonly reason: "invalid_number" | "price_out_of_range" };

const LONE_SIGNS: Readonly<Record<NumberFormat, LoneSigns>> = {
  de: { dot: "group", comma: "decimal" },
  en: { dot: "decimal", comma: "decimal" },
  auto: { dot: "unclear", comma: "unclear" },
};

const INVALID = { reason: "invalid_number" } as const;
const OUT_OF_RANGE = { reason: "price_out_of_range" } as const;

/**
 * Reads a number of an ERP file (docs/decisions/imports.md): `1.234,56`, `1234,56`, `1 234,56`,
 * `1'234,56`, `12,-`, with the currency around it. Exact, and never throws. Warns `dot_decimal`
 * when a decimal sign or a grouping is not that of the format (`1234.56` in a German file) but
 * cannot mean anything else. Refuses a sign before or after the number, even a plus.
 */
export function readNumber(text: string, setting: NumberSetting): ReadNumber {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  if (from === to) return INVALID;

  if (!isDigit(text.charCodeAt(from)) || !isDigit(text.charCodeAt(to - 1))) {
    const bare = withoutCurrency(text.slice(from, to), setting.currency);
    return bare === null ? INVALID : readBare(bare, 0, bare.length, setting);
  }
  return readBare(text, from, to, setting);
}

function readBare(text: string, from: number, to: number, setting: NumberSetting): ReadNumber {
  const shape = shapeOf(text, from, to, LONE_SIGNS[setting.format]);
  if (typeof shape === "string") return INVALID;
  const max = setting.max ?? MINOR_UNITS_MAX;
  const value = scaledValue(text, from, to, shape.decimalAt, setting.exponent, max);
  if (value === Infinity) return OUT_OF_RANGE;
  const isForeign = setting.format === "de"
    ? shape.sign === "." || shape.groupSign === ","
    : setting.format === "en" && (shape.sign === "," || shape.groupSign === ".");
  return { value, warning: isForeign ? "dot_decimal" : null };
}

/** The number alone, `12,-` without its dashes; null when something else stands around it. */
function withoutCurrency(text: string, currency: string | null): string | null {
  const firstDigit = text.search(/\d/);
  if (firstDigit === -1) return null;
  let end = text.length;
  while (!isDigit(text.charCodeAt(end - 1))) end -= 1;

  // `,50` has no digit before its sign; `Fr. 50` has a dot that is not one.
  const start = /^[.,]$|[^\p{L}][.,]$/u.test(text.slice(0, firstDigit).slice(-2))
    ? firstDigit - 1
    : firstDigit;
  const before = text.slice(0, start).trim();
  const after = text.slice(end).replace(/^[.,][-–—]{1,2}/, "").trim();
  const isKnown = [before, after].every((word) =>
    word === "" || (currency !== null && currencyCodes(word)?.includes(currency) === true)
  );
  return isKnown ? text.slice(start, end) : null;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isBlank(code: number): boolean {
  return code <= 0x20 || isGroupSpace(code) || code === 0xfeff;
}
