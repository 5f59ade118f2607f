/** The languages of texts that people read. */
export type Language = "de" | "en";

/** The language of a locale such as `de-AT`; English for all other languages. */
export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? "de" : "en";
}

/** A code: unchanged for programs, as a word for readers. */
export interface Said {
  readonly plain: string;
  said(language: Language): string;
}

export const YES_NO: Readonly<Record<Language, { readonly yes: string; readonly no: string }>> = {
  de: { yes: "ja", no: "nein" },
  en: { yes: "yes", no: "no" },
};
