import type { Show } from "./show.ts";
import { type Terms, termsDe } from "./terms_de.ts";
import { termsEn } from "./terms_en.ts";

export type Language = "de" | "en";

/** The language of a reader and the formats of the workspace. */
export interface Listener {
  readonly language: Language;
  readonly show: Show;
}

/** Of a locale such as `de-AT`; English for all that is not German. */
export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? "de" : "en";
}

const TERMS: Readonly<Record<Language, Terms>> = { de: termsDe, en: termsEn };

export function termsOf(language: Language): Terms {
  return TERMS[language];
}
