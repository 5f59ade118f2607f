/** Forms of texts for comparison, lengths, names, and texts that are safe in spreadsheets. */
import { Buffer } from "node:buffer";

/** Unicode's Stream-Safe Text Format allows 30 marks on a letter. */
const STACKED_MARKS = /\p{M}{31}/u;
/** Texts up to this length are normalised within milliseconds, whatever they contain. */
const QUICK_UNITS = 1_024;

/** Leaves a long text as it is if a letter has more than 30 marks: sorting the marks is slow. */
export function composed(text: string, form: "NFC" | "NFKC" | "NFD" = "NFC"): string {
  const isQuick = text.length <= QUICK_UNITS || !STACKED_MARKS.test(text);
  return isQuick ? text.normalize(form) : text;
}

/** NFC, lower case: `KÜHL` becomes `kühl`. */
export function fold(text: string): string {
  return composed(text).toLowerCase();
}

/** Longer texts cannot be SKUs. */
const SKU_TEXT_UNITS_MAX = 4_096;
const NOT_BLANK_AT_ENDS = /[^\s\p{Cf}](?:[^]*[^\s\p{Cf}])?/u;

/** NFC, without blanks at both ends. Texts that are too long for a SKU stay unchanged. */
export function normaliseSku(text: string): string {
  if (text.length > SKU_TEXT_UNITS_MAX) return text;
  // The greedy middle part makes the search linear, unlike a pattern for blanks at the end.
  return composed(NOT_BLANK_AT_ENDS.exec(text)?.[0] ?? "");
}

/** Unicode class Cc, and lone surrogates, which UTF-8 cannot encode. */
export function hasControlCharacters(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** Counts `📦` as one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Compares code points with `max`. A code point has at most two UTF-16 units. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && codePoints(text) > max);
}

export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** By UTF-16 code units, for `Array.sort`. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Texts that a spreadsheet would run as a formula. More apostrophes before a formula match as well,
 * so that `withoutApostrophe` removes only the added one.
 */
const FORMULA = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** Prevents a spreadsheet from running the text as a formula. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function withoutApostrophe(text: string): string {
  return text.charCodeAt(0) === 39 && FORMULA.test(text) ? text.slice(1) : text;
}

export const NAMES_MAX = 20;
const NAME_CHARACTERS_MAX = 60;

export function nameError(name: string): string | null {
  if (name === "") return "Must not be empty";
  if (isLongerThan(name, NAME_CHARACTERS_MAX)) {
    return `Must have at most ${NAME_CHARACTERS_MAX} characters`;
  }
  return hasControlCharacters(name) ? "Must not contain control characters" : null;
}

/** In NFC, without duplicates that differ only in case. */
export function oneEach(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names.map((one) => composed(one))) {
    if (!first.has(fold(name))) first.set(fold(name), name);
  }
  return [...first.values()];
}
