export type Language = "de" | "en";

/** `de` for locales such as `de-AT`, English for all other languages. */
export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? "de" : "en";
}

/** A text for programs, and the same content for people in each language. */
export interface LocalisedText {
  readonly plain: string;
  textIn(language: Language): string;
}

export const YES_NO: Readonly<Record<Language, { readonly yes: string; readonly no: string }>> = {
  de: { yes: "ja", no: "nein" },
  en: { yes: "yes", no: "no" },
};
