export type Language = "de" | "en";

export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? "de" : "en";
}

export interface LocalisedText {
  readonly plain: string;
  textIn(language: Language): string;
}

export const YES_NO: Readonly<Record<Language, { readonly yes: string; readonly no: string }>> = {
  de: { yes: "ja", no: "nein" },
  en: { yes: "yes", no: "no" },
};
