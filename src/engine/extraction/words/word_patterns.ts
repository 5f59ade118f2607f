/** Builds regular expressions from the shops' words in all languages. */

import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN, type ShopLanguage } from "./german.ts";

const LANGUAGES: readonly ShopLanguage[] = [GERMAN, ENGLISH, FRENCH];

/** Replaces parts such as `\d+` by `\d{1,4}`, so that a search takes linear time. */
export function oneOfWords(pick: (language: ShopLanguage) => readonly string[]): string {
  const words = LANGUAGES.flatMap(pick).map((word) =>
    word.replace(
      /(\\p\{L\}|\\d)([*+])/g,
      (_, one: string, times: string) =>
        `${one}{${times === "*" ? 0 : 1},${one === "\\d" ? DIGITS_MAX : LETTERS_MAX}}`,
    )
  );
  return `(?:${words.join("|")})`;
}

const LETTERS_MAX = 24;
const DIGITS_MAX = 4;

/** Texts that are searched with the pattern must be in lower case. */
export function anyWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?!\\p{L}))${oneOfWords(pick)}(?!\\p{L})`, "u");
}

export function aloneWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`^[^\\p{L}/]*${oneOfWords(pick)}\\P{L}*$`, "u");
}

/** Stock states in the order of the search: "not available" must be found before "available". */
export const STOCK_ORDER = [
  "discontinued",
  "out_of_stock",
  "pre_order",
  "back_order",
  "limited",
  "in_stock",
] as const;
