/**
 * Parses numbers, dates and flags of ERP files. A single dot or comma before three digits may be a
 * decimal sign or a thousands separator.
 */
import { currencyCodes } from "./currency_text.ts";
import { MINOR_UNITS_MAX } from "./money.ts";

export interface LoneSigns {
  readonly dot: "group" | "decimal" | "unclear";
  readonly comma: "group" | "decimal" | "unclear";
}

interface NumberShape {
  /** Index of the decimal sign; the end of the number if it has no decimal sign. */
  readonly decimalAt: number;
  readonly sign: "." | "," | null;
  /** `" "` stands for any kind of space, and `'` for any kind of apostrophe. */
  readonly groupSign: "." | "," | "'" | " " | null;
}

type Sign = "." | "," | "'" | " ";

export function shapeOf(
  text: string,
  from: number,
  to: number,
  lone: LoneSigns,
): NumberShape | "malformed" | "unclear" {
  let signs = 0;
  let first: Sign | null = null;
  let last: Sign | null = null;
  let lastAt = to;
  let firstRun = 0;
  let run = 0;
  let isUniform = true;
  let areThree = true;
  let areTwo = true;
  let areTwoBeforeInner = true;
  let innerRun = 0;

  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      run += 1;
      continue;
    }
    const sign = signOf(code);
    if (sign === null || (run === 0 && at > from)) return "malformed";
    signs += 1;
    if (first === null) {
      first = sign;
      firstRun = run;
    } else {
      if (last !== first) isUniform = false;
      if (run !== 3) areThree = false;
      areTwoBeforeInner = areTwo;
      if (run !== 2) areTwo = false;
      innerRun = run;
    }
    last = sign;
    lastAt = at;
    run = 0;
  }

  if (run === 0) return "malformed";
  if (first === null || last === null) return { decimalAt: to, sign: null, groupSign: null };
  if (signs === 1) {
    return shapeOfOne({ text, from, to, sign: first, at: lastAt, firstRun, lastRun: run, lone });
  }
  if (firstRun < 1 || firstRun > 3 || !isUniform) return "malformed";
  if (last === first) {
    const isIndian = first === "," && areTwo;
    if (run !== 3 || !(areThree || isIndian)) return "malformed";
    return { decimalAt: to, sign: null, groupSign: first };
  }
  const isIndian = first === "," && areTwoBeforeInner && innerRun === 3;
  if ((last !== "." && last !== ",") || !(areThree || isIndian)) return "malformed";
  return { decimalAt: lastAt, sign: last, groupSign: first };
}

/** Returns the number times 10^exponent, rounded half up; `Infinity` above `max`. */
export function scaledValue(
  text: string,
  from: number,
  to: number,
  decimalAt: number,
  exponent: number,
  max: number,
): number {
  let value = 0;
  let decimals = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    if (at > decimalAt) {
      if (decimals === exponent) {
        if (digit >= 5) value += 1;
        break;
      }
      decimals += 1;
    }
    value = value * 10 + digit;
    if (value > max) return Infinity;
  }
  for (; decimals < exponent; decimals++) value *= 10;
  return value > max ? Infinity : value;
}

function isGroupSpace(code: number): boolean {
  return code === 0x20 || code === 0xa0 || code === 0x2007 || code === 0x2008 || code === 0x2009 ||
    code === 0x202f || code === 0x205f;
}

function shapeOfOne(number: {
  text: string;
  from: number;
  to: number;
  sign: Sign;
  at: number;
  firstRun: number;
  lastRun: number;
  lone: LoneSigns;
}): NumberShape | "malformed" | "unclear" {
  const { text, from, to, sign, at, firstRun, lastRun, lone } = number;
  // Grouped digits never begin with zero, so `0.123` has decimals.
  const mayGroup = lastRun === 3 && firstRun >= 1 && firstRun <= 3 && text.charCodeAt(from) !== 48;
  const grouped: NumberShape = { decimalAt: to, sign: null, groupSign: sign };
  if (sign === "'" || sign === " ") return mayGroup ? grouped : "malformed";
  const decimal: NumberShape = { decimalAt: at, sign, groupSign: null };
  if (!mayGroup) return decimal;
  const meaning = sign === "." ? lone.dot : lone.comma;
  if (meaning === "unclear") return "unclear";
  return meaning === "group" ? grouped : decimal;
}

function signOf(code: number): Sign | null {
  if (code === 0x2e) return ".";
  if (code === 0x2c) return ",";
  if (isGroupSpace(code)) return " ";
  const isApostrophe = code === 0x27 || code === 0x2019 || code === 0x2018 || code === 0x02bc ||
    code === 0xb4 || code === 0x60 || code === 0x2032;
  return isApostrophe ? "'" : null;
}

/**
 * In `1.234`, `de` reads a thousands separator, `en` a decimal sign, and `auto` refuses the number.
 */
export type NumberFormat = "de" | "en" | "auto";

export interface NumberSetting {
  readonly format: NumberFormat;
  /** Number of decimals that are kept; the last is rounded half up. */
  readonly exponent: number;
  /** The only currency that may be next to the number; null allows no currency. */
  readonly currency: string | null;
  readonly max?: number;
}

/** `value` is the number times 10^`NumberSetting.exponent`. */
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
 * Reads a number without a plus or minus sign (docs/decisions/imports.md). The warning
 * `dot_decimal` means that the number is clearly in the other format, `en` or `de`.
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

function withoutCurrency(text: string, currency: string | null): string | null {
  const firstDigit = text.search(/\d/);
  if (firstDigit === -1) return null;
  let end = text.length;
  while (!isDigit(text.charCodeAt(end - 1))) end -= 1;

  // In `,50` the comma belongs to the number; in `Fr. 50` the dot belongs to the currency.
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

interface WrittenDate {
  readonly date: string;
  readonly time: string | null;
  /** The offset from UTC, `Z` or `+02:00`; null for local time. */
  readonly offset: string | null;
}

const DATE =
  /(?:(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})|(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2}))/;
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: Uhr)?|(\d{2})(\d{2})(\d{2})/;
const OFFSET = /Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d/;
const FORM = new RegExp(`^${DATE.source}(?:[T ] ?(?:${TIME.source}))?(?: ?(${OFFSET.source}))?$`);

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function readDate(text: string): WrittenDate | { readonly reason: "invalid_date" } {
  const numbers = dateNumbers(text);
  if (!numbers || !isOnCalendar(numbers) || numbers.time === "invalid") {
    return { reason: "invalid_date" };
  }
  const { year, month, day, time, offset } = numbers;
  return { date: `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`, time, offset };
}

/** True for dates such as 31.12.9999 and 00.00.0000, which mean "without end" in price lists. */
export function isOpenEnd(text: string): boolean {
  const numbers = dateNumbers(text);
  if (!numbers) return false;
  const { year, month, day, hasLongYear } = numbers;
  const isLastDay = year === 9999 && month === 12 && day === 31;
  return isLastDay || (hasLongYear && year === 0 && month === 0 && day === 0);
}

export function instantOf({ date, time, offset }: WrittenDate, timeZone: string): string {
  const local = `${date}T${time ?? "00:00:00"}`;
  const instant = offset === null
    ? Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant()
    : Temporal.Instant.from(local + offset);
  return instant.toString({ fractionalSecondDigits: 3 });
}

export function startOfDay(at: Date, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return day.startOfDay().toInstant().toString({ fractionalSecondDigits: 3 });
}

function dateNumbers(text: string) {
  if (text.length > 64) return null;
  const parts = FORM.exec(text.trim());
  if (!parts) return null;
  const year = parts[3] ?? parts[4] ?? parts[7] ?? "";
  return {
    year: year.length === 2 ? Number(year) + (year < "70" ? 2000 : 1900) : Number(year),
    month: Number(parts[2] ?? parts[5] ?? parts[8]),
    day: Number(parts[1] ?? parts[6] ?? parts[9]),
    hasLongYear: year.length === 4,
    time: timeText(parts[10] ?? parts[13], parts[11] ?? parts[14], parts[12] ?? parts[15] ?? "00"),
    offset: parts[16] ?? null,
  };
}

function timeText(hour: string | undefined, minute: string | undefined, second: string) {
  if (hour === undefined || minute === undefined) return null;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}:${second}` : "invalid";
}

function isOnCalendar({ year, month, day }: NonNullable<ReturnType<typeof dateNumbers>>): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS_OF_MONTHS[month - 1];
  return year >= 1 && days !== undefined && day >= 1 && day <= days;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

const TRUE_WORDS = new Set(["j", "ja", "y", "yes", "1", "true", "x", "wahr"]);
const FALSE_WORDS = new Set(["n", "nein", "no", "0", "false", "", "falsch"]);

/**
 * Returns null for unknown texts, so that a typo switches nothing off (docs/decisions/imports.md).
 */
export function readFlag(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}
