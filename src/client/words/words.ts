import type { Language } from "../../wording/language.ts";
import { de, type Words } from "./de.ts";
import { en } from "./en.ts";

const DICTIONARIES: Readonly<Record<Language, Words>> = { de, en };

export function wordsOf(language: Language): Words {
  return DICTIONARIES[language];
}
