/**
 * How a search compares: it finds all words of the question in any order, ignoring case, accents and
 * punctuation. `ü` matches `u` and `ue`.
 */
import { composed } from "./text.ts";

/** Only the first words of a longer question count. */
const WORDS_MAX = 32;

const ASCII = /^\p{ASCII}*$/u;
const NO_ASCII_WORD = /[^a-z0-9\s]+/g;
const NO_WORD = /[^\p{L}\p{N}\p{M}\p{So}\s]+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
/** Letters that no normal form takes apart. */
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
/** Stands for an umlaut, written out or without its dots. */
const VOWEL = /([aou])e?/g;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * The words of a text as searches compare them, with one blank between two: `Kühl-Gefrier  KOMBI` is
 * `kuehlgefrier kombi`. No control character stays.
 */
export function searchForm(text: string): string {
  const words = ASCII.test(text)
    ? text.toLowerCase().replace(NO_ASCII_WORD, "")
    : spelledOut(text).replace(NO_WORD, "");
  return words.replace(/\s+/g, " ").trim();
}

function spelledOut(text: string): string {
  const spelled = withSpelled(composed(text, "NFKC").toLowerCase());
  // Without the accents that stand alone already, few are left to be sorted.
  const plain = composed(composed(spelled.replace(ACCENTS, ""), "NFD").replace(ACCENTS, ""));
  // Letters that stood below an accent: `ǣ`.
  return withSpelled(plain);
}

function withSpelled(text: string): string {
  return text.replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter);
}

/** A number that people write with blanks and strokes, or without: `KT-11 915` is `kt11915`. */
export function searchNumber(text: string): string {
  return searchForm(text).replaceAll(" ", "");
}

/** The words of a question, each once; null for one that asks for nothing. */
export function searchQuestion(text: string): string | null {
  const words = new Set(searchForm(text).split(" "));
  return [...words].slice(0, WORDS_MAX).join(" ") || null;
}

/** A question, ready for many texts in the form of `searchForm`. */
export interface WordSearch {
  /** One for each word, the longest, which is the rarest, first; none has a state of its own. */
  readonly words: readonly RegExp[];
  /** The pattern of the words one behind the other, as a number is written without blanks. */
  readonly number: string;
}

/** Reads what `searchQuestion` gave; no word of it is a pattern. */
export function wordSearchOf(question: string): WordSearch {
  const words = question.split(" ");
  return {
    // Letters and single letters that may be missing: no text costs more than its length.
    words: words.toSorted((a, b) => b.length - a.length)
      .map((word) => new RegExp(`(?:${patternOf(word)})`)),
    number: words.map(patternOf).join(""),
  };
}

/** A question for few texts; null for an empty one. */
export function searchFor(text: string | undefined): WordSearch | null {
  const question = searchQuestion(text ?? "");
  return question === null ? null : wordSearchOf(question);
}

/** True when a text in the form of `searchForm` has all words. */
export function hasWords({ words }: WordSearch, text: string): boolean {
  return words.every((word) => word.test(text));
}

function patternOf(word: string): string {
  return word.replace(SPECIAL, "\\$&").replace(VOWEL, "$1e?");
}
