import { composed } from "../../base/text.ts";

/** No shop's title is longer; what follows is not read. */
const TITLE_UNITS_MAX = 500;
/** A letter can become several when it is normalised. */
const FOLDED_UNITS_MAX = 1_000;

const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}/gu;
const SIGNS = /[™®©]/g;
/** Letters that no normal form takes apart, and signs that mean an ASCII one. */
const SPELLED: Readonly<Record<string, string>> = {
  "ß": "ss",
  "æ": "a",
  "œ": "o",
  "ø": "o",
  "đ": "d",
  "ł": "l",
  "ı": "i",
  "×": "x",
  "″": '"',
  "”": '"',
  "–": "-",
};
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "g");
const VOWEL_AND_E = /([aou])e/g;

/** A text as titles are compared: lower case, without accents, of bounded length. */
export function foldTitle(text: string): string {
  const head = text.slice(0, TITLE_UNITS_MAX);
  if (ASCII.test(head)) return head.toLowerCase();
  const plain = composed(head.replace(SIGNS, " "), "NFKC").slice(0, FOLDED_UNITS_MAX).toLowerCase();
  return composed(plain, "NFD").replace(MARKS, "")
    .replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter).slice(0, FOLDED_UNITS_MAX);
}

/** A word of letters alone, so that `kühl`, `kuehl` and `kuhl` are one; takes what `foldTitle` gave. */
export function foldWord(word: string): string {
  return word.replace(VOWEL_AND_E, "$1");
}
