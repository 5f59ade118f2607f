/** Parses numbers, currencies, dates and flags of ERP files. */
import { currencyExponent, MINOR_UNITS_MAX } from "./money.ts";
import { withoutAtEnd } from "./text.ts";
import { isDate } from "./time.ts";

const WRITINGS = [
  ["EUR", "€ euro euros"],
  ["GBP", "£ ₤"],
  ["CHF", "Fr Fr. fr. FR. SFr SFr. sFr. sfr. CHF. ₣ franken"],
  ["USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD", "$ dollar dollars"],
  ["USD", "us$ $us u$s us-dollar"],
  ["CAD", "c$ ca$ $ca $cad cdn$"],
  ["AUD", "a$ au$ $au $aud"],
  ["NZD", "nz$"],
  ["SGD", "s$"],
  ["HKD", "hk$"],
  ["TWD", "nt$"],
  ["BRL", "r$ reais"],
  ["MXN", "mx$"],
  ["DOP", "rd$"],
  ["JPY CNY", "¥ ￥"],
  ["JPY", "円 YEN Yen yen"],
  ["CNY", "RMB 人民币 yuan"],
  ["CNY TWD", "元"],
  ["KRW", "₩ 원"],
  ["VND", "₫ đ vnđ"],
  ["THB", "฿ บาท"],
  ["INR PKR LKR NPR MUR", "Rs Rs. RS RS. rs rs. ₨"],
  ["INR", "₹"],
  ["IDR", "Rp Rp. RP"],
  ["MYR", "RM"],
  ["PHP", "₱"],
  ["BDT", "৳ Tk Tk."],
  ["MMK", "Ks"],
  ["RUB", "₽ руб руб. рубль рубля рублей"],
  ["RUB BYN", "р р."],
  ["UAH", "₴ грн грн. hrn гривен гривень"],
  ["KZT", "₸ тг тг."],
  ["GEL", "₾ ლარი"],
  ["AZN", "₼"],
  ["AMD", "֏"],
  ["BGN", "лв лв. lv lv. лева"],
  ["MKD", "ден ден."],
  ["RSD", "din din. дин дин. dinara"],
  ["HRK", "kn Kn kuna"],
  ["CZK", "kč kč. korun"],
  ["PLN", "zł zł. zl złotych"],
  ["HUF", "Ft Ft. FT forint"],
  ["RON", "lei Lei LEI leu"],
  ["SEK NOK DKK ISK", "kr kr. Kr Kr. KR"],
  ["SEK", "kronor krona"],
  ["NOK DKK", "kroner krone"],
  ["TRY", "₺ TL tl lira"],
  ["ILS", "₪ NIS nis"],
  ["ZAR", "R"],
  ["NGN", "₦"],
  ["GHS", "₵ gh₵"],
  ["KES", "KSh Ksh KSH"],
  ["TZS", "TSh Tsh TSH"],
  ["UGX", "USh Ush USH"],
  ["CRC", "₡"],
  ["PYG", "₲"],
  ["MNT", "₮"],
  ["KHR", "៛"],
  ["LAK", "₭"],
  ["EGP", "جنيه ج.م"],
  ["IRR", "تومان تومن"],
  ["IRR SAR OMR QAR YER", "ریال ريال ﷼"],
  ["SAR", "ر.س"],
  ["AED", "د.إ Dh Dhs DH Dhs."],
  ["AED MAD", "درهم"],
  ["KWD", "KD د.ك"],
  ["BHD", "BD"],
  ["JOD", "JD"],
  ["KWD BHD JOD IQD TND LYD DZD", "دينار"],
] as const;

const WITHDRAWN = "ATS BEF CYP DEM EEK ESP FIM FRF GRD IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK TRL";

/** Currency codes that are also English words, so `currencyAtEnd` does not recognise them. */
const WORD_LIKE = new Set("ALL CUP GEL MAD MOP PEN SOS TOP TRY".split(" "));

const ANY_CASE = new Set(
  "EUR USD GBP CHF PLN CZK SEK NOK DKK HUF RON BGN RUB JPY CNY CAD AUD NZD SGD MXN HKD INR".split(
    " ",
  ),
);

const CODES_BY_WRITING: ReadonlyMap<string, readonly string[]> = new Map([
  ...WRITINGS.flatMap(([codes, writings]) =>
    writings.split(" ").map((text): [string, string[]] => [text, codes.split(" ")])
  ),
  ...WITHDRAWN.split(" ").map((code): [string, string[]] => [code, [code]]),
]);

const WRITING_CHARACTERS_MAX = 9;
const LONE_SYMBOL = /^(?:\p{Sc}|[A-Z]{1,3}\$)$/u;
const LETTER = /\p{L}/u;
const UNBROKEN_START = /^[^\s\d]+/;
const UNBROKEN_END = /(?<![^\s\d])[^\s\d]+$/;
const SPACED_DOLLAR = /(?<!\p{L})([a-z]{1,3})\s\$$/iu;

export interface WrittenCurrency {
  readonly text: string;
  readonly codes: readonly string[];
}

/** Returns the codes that `text` can mean: `[]` for an unknown symbol, null for no currency. */
export function currencyCodes(text: string): readonly string[] | null {
  const isShort = text.length <= 4;
  const upper = text.length === 3 ? text.toUpperCase() : "";
  if (currencyExponent(upper) !== null && (text === upper || ANY_CASE.has(upper))) return [upper];
  const [, code = ""] = isShort ? /^([A-Z]{3})\$$/i.exec(text) ?? [] : [];
  if (currencyExponent(code.toUpperCase()) !== null) return [code.toUpperCase()];
  const exact = CODES_BY_WRITING.get(text);
  if (exact) return exact;
  const folded = isShort && /^[a-z]{1,3}\.?$/i.test(text)
    ? undefined
    : CODES_BY_WRITING.get(text.toLowerCase());
  return folded ?? (isShort && LONE_SYMBOL.test(text) ? [] : null);
}

export function currencyAtEnd(text: string): WrittenCurrency | null {
  const end = withoutAtEnd(text, /[\s:]/);
  if (!/[A-Za-z$.\u0080-\uffff]/.test(end.slice(-1))) return null;
  const [spaced, country = ""] = end.endsWith("$") ? SPACED_DOLLAR.exec(end) ?? [] : [];
  const dollars = CODES_BY_WRITING.get(`${country.toLowerCase()}$`);
  if (spaced !== undefined && dollars) return { text: spaced, codes: dollars };
  const run = UNBROKEN_END.exec(end.slice(-WRITING_CHARACTERS_MAX))?.[0] ?? "";
  for (let length = run.length; length > 0; length--) {
    if (isLetter(end, end.length - length) && isLetter(end, end.length - length - 1)) continue;
    const part = run.slice(run.length - length);
    const codes = WORD_LIKE.has(part) ? null : currencyCodes(part);
    if (codes) return { text: part, codes };
  }
  return null;
}

export function currencyAtStart(text: string): WrittenCurrency | null {
  const start = text.trimStart();
  if (!/^[A-Za-z$\u0080-\uffff]/.test(start)) return null;
  const run = UNBROKEN_START.exec(start.slice(0, WRITING_CHARACTERS_MAX))?.[0] ?? "";
  for (let length = run.length; length > 0; length--) {
    if (isLetter(start, length - 1) && isLetter(start, length)) continue;
    const part = run.slice(0, length);
    const codes = currencyCodes(part);
    if (codes) return { text: part, codes };
  }
  return null;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : LETTER.test(text.charAt(at));
}

export function currencyWithin(text: string): WrittenCurrency | null {
  for (const [word] of text.matchAll(/(?:\p{L}{1,3}\p{Sc}|\p{Sc}|\p{L}+\.?)/gu)) {
    const found = currencyAtEnd(word);
    if (found) return found;
  }
  return null;
}

export interface LoneSigns {
  readonly dot: "group" | "decimal" | "unclear";
  readonly comma: "group" | "decimal" | "unclear";
}

interface NumberShape {
  /** Index of the decimal sign; for a number without a decimal sign, the index of its end. */
  readonly decimalAt: number;
  readonly sign: string | null;
  /** `" "` stands for any kind of space, and `'` for any kind of apostrophe. */
  readonly groupSign: string | null;
}

const SPACES = " \u00a0\u2007\u2008\u2009\u202f\u205f";
const SPACE = new RegExp(`[${SPACES}]`, "g");
const APOSTROPHE = /[’‘ʼ´`′]/g;
const ONE_SIGN = /^(\d*)([.,' ])(\d+)$/;
/** Matches `1.234.567`, `1.234,56`, and Indian groups such as `1,26,000.00`. */
const SIGNS =
  /^\d{1,3}([.,' ])(?:\d{3}(?:\1\d{3})*|(?<=,)\d\d(?:,\d\d)*,\d{3})(?:(?!\1)([.,])(\d+))?$/;

export function shapeOf(number: string, lone: LoneSigns): NumberShape | "malformed" | "unclear" {
  const isPlain = /^[\d.,]*$/.test(number);
  const text = isPlain ? number : number.replace(SPACE, " ").replace(APOSTROPHE, "'");
  const end = text.length;
  if (/^\d+$/.test(text)) return { decimalAt: end, sign: null, groupSign: null };
  const [, whole = "", only, rest = ""] = ONE_SIGN.exec(text) ?? [];
  if (only !== undefined) return shapeOfOne(whole, only, rest, lone);
  const [, groupSign, sign = null, decimals = ""] = SIGNS.exec(text) ?? [];
  if (groupSign === undefined) return "malformed";
  return { decimalAt: sign === null ? end : end - decimals.length - 1, sign, groupSign };
}

function shapeOfOne(whole: string, sign: string, rest: string, lone: LoneSigns) {
  // A number with thousands separators never begins with 0, so the dot of `0.123` is decimal.
  const mayGroup = rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  const grouped = { decimalAt: whole.length + 1 + rest.length, sign: null, groupSign: sign };
  if (sign === "'" || sign === " ") return mayGroup ? grouped : "malformed";
  const meaning = sign === "." ? lone.dot : lone.comma;
  if (mayGroup && meaning === "unclear") return "unclear";
  return mayGroup && meaning === "group"
    ? grouped
    : { decimalAt: whole.length, sign, groupSign: null };
}

/** Returns the number times 10^exponent, rounded half up; `Infinity` above `max`. */
export function scaledValue(
  text: string,
  decimalAt: number,
  exponent: number,
  max: number,
): number {
  let value = 0;
  for (let at = 0; at < decimalAt; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) value = value * 10 + code - 48;
  }
  const end = decimalAt + 1 + exponent;
  for (let at = decimalAt + 1; at < end; at++) {
    value = value * 10 + (at < text.length ? text.charCodeAt(at) - 48 : 0);
  }
  if (text.charAt(end) >= "5") value += 1;
  return value > max ? Infinity : value;
}

/**
 * `de` reads `1.234` as 1234 and `1,234` as 1.234. `en` takes a single dot or comma as the decimal
 * sign, so it reads both as 1.234. `auto` refuses both, because they are ambiguous.
 */
export type NumberFormat = "de" | "en" | "auto";

export interface NumberSetting {
  readonly format: NumberFormat;
  /** Number of decimals that are kept; the last is rounded half up. */
  readonly exponent: number;
  /** The only currency that a text may contain; null allows no currency. */
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

/**
 * Refuses a number with a plus or minus sign (docs/decisions/imports.md). The warning `dot_decimal`
 * means that the number is written in the other format, such as `1.5` with `de`, `1,5` with `en`.
 */
export function readNumber(text: string, setting: NumberSetting): ReadNumber {
  const isBare = isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1));
  const number = isBare ? text : withoutCurrency(trimmed(text), setting.currency);
  const shape = number === null ? "malformed" : shapeOf(number, LONE_SIGNS[setting.format]);
  if (number === null || typeof shape === "string") return { reason: "invalid_number" };
  const max = setting.max ?? MINOR_UNITS_MAX;
  const value = scaledValue(number, shape.decimalAt, setting.exponent, max);
  if (value === Infinity) return { reason: "price_out_of_range" };
  const isForeign = setting.format === "de"
    ? shape.sign === "." || shape.groupSign === ","
    : setting.format === "en" && (shape.sign === "," || shape.groupSign === ".");
  return { value, warning: isForeign ? "dot_decimal" : null };
}

function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charAt(from))) from += 1;
  while (to > from && isBlank(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
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

function isBlank(character: string): boolean {
  return character <= " " || SPACES.includes(character) || character === "\ufeff";
}

interface WrittenDate {
  readonly date: string;
  readonly time: string | null;
  /** The offset from UTC, `Z` or `+02:00`; null for local time. */
  readonly offset: string | null;
}

const DATE = [
  String.raw`(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d{2})`,
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`,
].join("|");
const TIME = [
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?(?: Uhr)?`,
  String.raw`(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})`,
].join("|");
const OFFSET = String.raw`Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d`;
const FORM = new RegExp(`^(?:${DATE})(?:[T ] ?(?:${TIME}))?(?: ?(?<offset>${OFFSET}))?$`);

export function readDate(text: string): WrittenDate | { readonly reason: "invalid_date" } {
  const numbers = dateNumbers(text);
  if (!numbers || numbers.time === "invalid") return { reason: "invalid_date" };
  const { year, month, day, time, offset } = numbers;
  const pad = (value: number, digits: number) => String(value).padStart(digits, "0");
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return year > 0 && isDate(date) ? { date, time, offset } : { reason: "invalid_date" };
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

export function dayStartMs(date: string, timeZone: string): number {
  return Date.parse(instantOf({ date, time: null, offset: null }, timeZone));
}

export function startOfDay(at: Date, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return day.startOfDay().toInstant().toString({ fractionalSecondDigits: 3 });
}

function dateNumbers(text: string) {
  const parts = text.length > 64 ? null : FORM.exec(text.trim())?.groups;
  if (!parts) return null;
  const { year = "", month, day, hour, minute, second = "00", offset = null } = parts;
  const time = hour === undefined ? null : `${hour.padStart(2, "0")}:${minute}:${second}`;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return {
    year: year.length === 2 ? Number(year) + (year < "70" ? 2000 : 1900) : Number(year),
    month: Number(month),
    day: Number(day),
    hasLongYear: year.length === 4,
    time: hour === undefined || isTime ? time : "invalid",
    offset,
  };
}

const TRUE_WORDS = new Set(["j", "ja", "y", "yes", "1", "true", "x", "wahr"]);
const FALSE_WORDS = new Set(["n", "nein", "no", "0", "false", "", "falsch"]);

/** Returns null for unknown texts, because a typo must not be false (docs/decisions/imports.md). */
export function readFlag(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}
