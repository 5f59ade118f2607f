/**
 * Converts texts for comparison and search, counts their characters, and makes texts safe in
 * spreadsheets. A search finds a text if all words of the query occur in it, in any order.
 */
import { Buffer } from "node:buffer";

const STACKED_MARKS = /\p{M}{31}/u;
const QUICK_UNITS_MAX = 1_024;

/**
 * Normalises a text. A text above `QUICK_UNITS_MAX` with more than 30 combining marks in a row
 * stays unchanged, because normalising it would be slow.
 */
export function composed(text: string, form: "NFC" | "NFKC" | "NFD" = "NFC"): string {
  const isQuick = text.length <= QUICK_UNITS_MAX || !STACKED_MARKS.test(text);
  return isQuick ? text.normalize(form) : text;
}

export function fold(text: string): string {
  return composed(text).toLowerCase();
}

const SKU_TEXT_UNITS_MAX = 4_096;
const NOT_BLANK_AT_ENDS = /[^\s\p{Cf}](?:[^]*[^\s\p{Cf}])?/u;

/**
 * Converts to NFC, and removes blanks and invisible characters at the ends. A text longer than
 * `SKU_TEXT_UNITS_MAX` stays unchanged.
 */
export function normaliseSku(text: string): string {
  if (text.length > SKU_TEXT_UNITS_MAX) return text;
  // A pattern for final blanks would be slow, so match the text up to its last non-blank.
  return composed(NOT_BLANK_AT_ENDS.exec(text)?.[0] ?? "");
}

/** Also true for a text with lone surrogates, which UTF-8 cannot encode. */
export function hasControlCharacters(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** `max` is a number of code points, each of which has one or two UTF-16 units. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && codePoints(text) > max);
}

/** A check for zod's `superRefine`: refuses texts of more than `max` code points as too long. */
export function atMost(max: number) {
  const issue = {
    code: "too_big",
    origin: "string",
    maximum: max,
    inclusive: true,
    message: `Must have at most ${max} characters`,
  } as const;
  return (text: string, check: { addIssue(found: typeof issue & { input: string }): void }) => {
    if (isLongerThan(text, max)) check.addIssue({ ...issue, input: text });
  };
}

export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter(Boolean);
}

/** Removes matching characters at the end; a regular expression such as `/0+$/` would be slower. */
export function withoutAtEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Matches a text that a spreadsheet would run as a formula, even if apostrophes precede the text.
 */
const FORMULA = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

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

/** If names differ only in case, keeps the first of them. */
export function oneEach(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names.map((one) => composed(one))) {
    if (!first.has(fold(name))) first.set(fold(name), name);
  }
  return [...first.values()];
}

const ASCII = /^\p{ASCII}*$/u;
const NO_ASCII_WORD = /[^a-z0-9\s]+/g;
const NO_WORD = /[^\p{L}\p{N}\p{M}\p{So}\s]+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
const SPELLED: Readonly<Record<string, string>> = {
  "ä": "ae",
  "ö": "oe",
  "ü": "ue",
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "oe",
  "đ": "d",
  "ł": "l",
  "ı": "i",
};
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "g");
const VOWEL = /([aou])e?/g;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/** Removes case, accents and punctuation; spells out umlauts: `Kühl-Café 2` → `kuehlcafe 2`. */
export function searchForm(text: string): string {
  const words = ASCII.test(text)
    ? text.toLowerCase().replace(NO_ASCII_WORD, "")
    : spelledOut(text).replace(NO_WORD, "");
  return words.replace(/\s+/g, " ").trim();
}

function spelledOut(text: string): string {
  const spelled = withSpelled(composed(text, "NFKC").toLowerCase());
  // Remove accents first: normalisation would sort them, which is slow for many accents.
  const plain = composed(composed(spelled.replace(ACCENTS, ""), "NFD").replace(ACCENTS, ""));
  // Removing an accent can leave a letter that must be spelled out, such as the `æ` of `ǣ`.
  return withSpelled(plain);
}

function withSpelled(text: string): string {
  return text.replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter);
}

/** Like `searchForm`, but also removes blanks: `KT-11 915` → `kt11915`. */
export function searchNumber(text: string): string {
  return searchForm(text).replaceAll(" ", "");
}

export function searchQuery(text: string): string | null {
  const words = new Set(searchForm(text).split(" "));
  return [...words].slice(0, 32).join(" ") || null;
}

export interface WordSearch {
  readonly words: readonly RegExp[];
  /** Pattern for SKUs, EANs and MPNs: all words of the query, joined without blanks. */
  readonly number: string;
}

export function wordSearchOf(query: string): WordSearch {
  const words = query.split(" ");
  return {
    // The patterns' only operator is an optional `e` after a, o, u, so a search takes linear time.
    words: words.toSorted((a, b) => b.length - a.length)
      .map((word) => new RegExp(`(?:${patternOf(word)})`)),
    number: words.map(patternOf).join(""),
  };
}

export function searchFor(text: string | undefined): WordSearch | null {
  const query = searchQuery(text ?? "");
  return query === null ? null : wordSearchOf(query);
}

export function hasWords({ words }: WordSearch, text: string): boolean {
  return words.every((word) => word.test(text));
}

function patternOf(word: string): string {
  return word.replace(SPECIAL, "\\$&").replace(VOWEL, "$1e?");
}
