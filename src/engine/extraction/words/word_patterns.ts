/** Patterns of the words of all languages. */

import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import type { ShopLanguage } from "./shop_language.ts";

const LANGUAGES: readonly ShopLanguage[] = [GERMAN, ENGLISH, FRENCH];

/** The alternatives of some words, for a larger pattern. */
export function oneOfWords(pick: (language: ShopLanguage) => readonly string[]): string {
  return `(?:${LANGUAGES.flatMap(pick).join("|")})`;
}

/** Finds any of the words as whole words, in a text in lower case. */
export function anyWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?!\\p{L}))${oneOfWords(pick)}(?!\\p{L})`, "u");
}

/** Holds for a text that is one of the words and nothing else but signs. */
export function aloneWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`^[^\\p{L}/]*${oneOfWords(pick)}\\P{L}*$`, "u");
}
