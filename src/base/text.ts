import { Buffer } from "node:buffer";

/** More marks in a row than any script stacks; the Stream-Safe Text Format of Unicode allows 30. */
const STACKED_MARKS = /\p{M}{31}/u;
/** Whatever a text of so many units is made of, its normal form takes no more than a few milliseconds. */
const QUICK_UNITS = 1_024;

/**
 * The text in a normal form. A long one that stacks more than 30 marks on a letter stays as it is: to
 * sort them costs the square of their number, and no such text is equal to one that people write.
 */
export function composed(text: string, form: "NFC" | "NFKC" | "NFD" = "NFC"): string {
  const isQuick = text.length <= QUICK_UNITS || !STACKED_MARKS.test(text);
  return isQuick ? text.normalize(form) : text;
}

/** The form in which texts are compared and indexed: NFC, lower case. `KÜHL` folds to `kühl`. */
export function fold(text: string): string {
  return composed(text).toLowerCase();
}

/** No SKU is that long, however it is composed and whatever blanks stand around it. */
const SKU_TEXT_UNITS_MAX = 4_096;
const BLANK_OR_INVISIBLE = /^[\s\p{Cf}]$/u;

/**
 * A SKU as the service compares it: NFC, without blanks and invisible characters at its ends. A text
 * that is too long for any SKU comes back as it is.
 */
export function normaliseSku(text: string): string {
  if (text.length > SKU_TEXT_UNITS_MAX) return text;
  let from = 0;
  let to = text.length;
  while (from < to) {
    const first = text.codePointAt(from) ?? 0;
    if (!BLANK_OR_INVISIBLE.test(String.fromCodePoint(first))) break;
    from += first > 0xffff ? 2 : 1;
  }
  while (to > from) {
    // The second half of a surrogate pair alone is a lone surrogate, which is not a blank.
    const pair = to - from > 1 ? text.codePointAt(to - 2) ?? 0 : 0;
    const last = pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(to - 1);
    if (!BLANK_OR_INVISIBLE.test(last)) break;
    to -= last.length;
  }
  return composed(text.slice(from, to));
}

/** True for characters of Unicode class Cc, and for lone surrogates, which no UTF-8 can carry. */
export function hasControlCharacters(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** Length in code points: `📦` is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** True for more than `max` code points; a long text is not counted to its end. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && codePoints(text) > max);
}

/** Length in bytes of UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Below 0, 0 or above 0, as the first text comes before the second, is the same or comes after it. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Blanks and invisible characters before it do not keep a spreadsheet from running a formula. Apostrophes
 * before it do; they get another one, so that the one that is added can be told from them.
 */
const FORMULA = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The text with an apostrophe before it when a spreadsheet would run it, or would without its own. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The inverse of `harmless`. */
export function withoutApostrophe(text: string): string {
  return text.charCodeAt(0) === 39 && FORMULA.test(text) ? text.slice(1) : text;
}

/** Most names of one list. */
export const NAMES_MAX = 20;
const NAME_CHARACTERS_MAX = 60;

/** The reason why a trimmed name is invalid; null for a valid one. */
export function nameError(name: string): string | null {
  if (name === "") return "Must not be empty";
  if (isLongerThan(name, NAME_CHARACTERS_MAX)) {
    return `Must have at most ${NAME_CHARACTERS_MAX} characters`;
  }
  return hasControlCharacters(name) ? "Must not hold control characters" : null;
}

/** The names in the form that is kept; one that stands there twice, whatever its case, once. */
export function oneEach(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names.map((one) => composed(one))) {
    if (!first.has(fold(name))) first.set(fold(name), name);
  }
  return [...first.values()];
}
