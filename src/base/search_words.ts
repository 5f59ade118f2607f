/** Defines how a search compares texts. All words of the query must occur, in any order. */
import { composed } from "./text.ts";

const ASCII = /^\p{ASCII}*$/u;
const NO_ASCII_WORD = /[^a-z0-9\s]+/g;
const NO_WORD = /[^\p{L}\p{N}\p{M}\p{So}\s]+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
/** Spellings of umlauts, and of letters that Unicode normalisation does not decompose. */
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

/** Removes case, accents and signs: `Kühl-Gefrier KOMBI` becomes `kuehlgefrier kombi`. */
export function searchForm(text: string): string {
  const words = ASCII.test(text)
    ? text.toLowerCase().replace(NO_ASCII_WORD, "")
    : spelledOut(text).replace(NO_WORD, "");
  return words.replace(/\s+/g, " ").trim();
}

function spelledOut(text: string): string {
  const spelled = withSpelled(composed(text, "NFKC").toLowerCase());
  // Accents are removed first, because normalisation sorts them, which is slow for many accents.
  const plain = composed(composed(spelled.replace(ACCENTS, ""), "NFD").replace(ACCENTS, ""));
  // Normalisation uncovers letters that must be spelled out, such as the `æ` of `ǣ`.
  return withSpelled(plain);
}

function withSpelled(text: string): string {
  return text.replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter);
}

/** Removes case, accents, signs and blanks: `KT-11 915` becomes `kt11915`. */
export function searchNumber(text: string): string {
  return searchForm(text).replaceAll(" ", "");
}

/** Returns null if the query has no words. */
export function searchQuery(text: string): string | null {
  const words = new Set(searchForm(text).split(" "));
  return [...words].slice(0, 32).join(" ") || null;
}

export interface WordSearch {
  readonly words: readonly RegExp[];
  /** A pattern of all words without blanks, for searches in SKUs, EANs and MPNs. */
  readonly number: string;
}

export function wordSearchOf(query: string): WordSearch {
  const words = query.split(" ");
  return {
    // Only single letters are optional in the patterns, so a search takes linear time.
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
