/**
 * Converts the numbers of a workbook to text, with as many decimals as the cell shows (ECMA-376,
 * part 1), a decimal point, and no grouping or currency. Dates become ISO dates.
 */
import { memoize } from "../../base/collections.ts";
import { DAY_MS } from "../../base/time.ts";
import { numberText } from "./table_row.ts";

/** Null means that a number is shown with all its digits. */
export type CellFormat = null | "date" | {
  readonly numbers: Intl.NumberFormat;
  readonly isPercent: boolean;
};

const SIGNIFICANT_DIGITS = 15;
/** One day before Excel's day 0, because Excel counts a 29 February 1900 that did not exist. */
const EPOCH_1900_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
const DAYS_MAX = 2_958_465;

const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
};
const BUILT_IN_DATE_FORMATS = [[14, 22], [27, 36], [45, 47], [50, 58]] as const;

export function cellFormat(id: number, codes: ReadonlyMap<number, string>): CellFormat {
  const code = codes.get(id) ?? BUILT_IN[id];
  if (code !== undefined) return formatOfCode(code).format;
  return BUILT_IN_DATE_FORMATS.some(([from, to]) => id >= from && id <= to) ? "date" : null;
}

const formatOfCode = memoize((code) => ({ format: readFormat(code) }), 100);

function readFormat(code: string): CellFormat {
  const [positive = ""] = code.split(";");
  const bare = positive.replace(LITERALS, "");
  if (/[ymdhs]/i.test(bare)) return "date";
  const number = /([#0?,]*)(?:\.([#0?]+))?/.exec(bare.replace(/^[^#0?.]+/, ""));
  const [, whole = "", part = ""] = number ?? [];
  if (whole === "" && part === "") return null;
  const decimals = Math.min(part.length, DECIMALS_MAX);
  if (bare.includes("%")) return { numbers: numbersWith(decimals), isPercent: true };
  const digits = (whole.match(/0/g) ?? []).length;
  const numbers = numbersWith(decimals, {
    minimumFractionDigits: decimals,
    minimumIntegerDigits: Math.min(Math.max(1, digits), INTEGER_DIGITS_MAX),
  });
  return { numbers, isPercent: false };
}

/** Matches texts in quotes or brackets, and a backslash, `_` or `*` with its next character. */
const LITERALS = /"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|[\\_*][^]?/g;

/** Maximum numbers of digits that `Intl.NumberFormat` accepts. */
const DECIMALS_MAX = 100;
const INTEGER_DIGITS_MAX = 21;

function numbersWith(decimals: number, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const plain = { useGrouping: false, signDisplay: "negative" } as const;
  return new Intl.NumberFormat("en", { ...plain, maximumFractionDigits: decimals, ...options });
}

const ALL_DIGITS = numbersWith(DECIMALS_MAX);

/**
 * Returns null if the cell is not a number, or not a valid date. A date becomes `2026-11-20`, or
 * `2026-11-20 06:00:00` if it has a time.
 */
export function serialiseNumber(
  written: string,
  format: CellFormat,
  is1904: boolean,
): string | null {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return null;
  if (format === "date") return shownDate(value, is1904);
  if (format?.isPercent) return `${format.numbers.format(roundedAsExcel(value * 100))}%`;
  if (Math.abs(value) >= 1e15) return value.toExponential();
  const exact = roundedAsExcel(value);
  if (format !== null) return numberText(format.numbers.format(exact));
  const text = String(exact);
  return numberText(text.includes("e") ? ALL_DIGITS.format(exact) : text);
}

/** Rounds to 15 digits as Excel does: 3.0999999999999996 becomes 3.1. */
function roundedAsExcel(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

function shownDate(days: number, is1904: boolean): string | null {
  if (days < 0 || days > DAYS_MAX) return null;
  const isBeforeFalseLeapDay = !is1904 && days < 60;
  const epoch = is1904 ? EPOCH_1904_MS : EPOCH_1900_MS;
  const whole = Math.floor(days);
  const seconds = Math.round((days - whole) * 86_400);
  const date = new Date(
    epoch + (whole + (isBeforeFalseLeapDay ? 1 : 0)) * DAY_MS + seconds * 1_000,
  );
  const [day = "", time = ""] = date.toISOString().split("T");
  return seconds === 0 ? day : `${day} ${time.slice(0, 8)}`;
}
