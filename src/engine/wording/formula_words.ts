/** What formulas are called, in both languages. The compiler asks for a row per formula. */
import type { FormulaName } from "../pricing/formulas.ts";
import type { Language } from "./language.ts";
import type { InBoth, Table } from "./sentences.ts";

export interface FormulaWords {
  readonly label: InBoth;
  /** The price that a rule proposes or sets; `targetPct` is null when the rule names none. */
  readonly price: {
    de(targetPct: string | null): string;
    en(targetPct: string | null): string;
  };
}

export const FORMULA_WORDS: Readonly<Record<FormulaName, FormulaWords>> = {
  match_cheapest: {
    label: { de: "wie der günstigste Wettbewerber", en: "as the cheapest competitor" },
    price: { de: () => "den Preis des Günstigsten", en: () => "the price of the cheapest" },
  },
  min_competitor_minus_1pct: {
    label: { de: "1 % unter dem günstigsten", en: "1 % below the cheapest" },
    price: { de: () => "1 % unter dem Günstigsten", en: () => "1 % below the cheapest" },
  },
  target_margin_pct: {
    label: { de: "Marge erreichen", en: "reach a margin" },
    price: {
      de: (pct) => pct === null ? "den Preis der Zielmarge" : `den Preis mit ${pct} Marge`,
      en: (pct) =>
        pct === null ? "the price of the target margin" : `the price with a margin of ${pct}`,
    },
  },
};

const ROWS: Table<FormulaWords> = FORMULA_WORDS;

/** The words of a formula by its code; undefined for a code that nobody knows. */
export function formulaWordsOf(code: string): FormulaWords | undefined {
  return ROWS[code];
}

/** What the screens call formulas, by code. */
export function formulaLabels(language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(FORMULA_WORDS).map(([code, { label }]) => [code, label[language]]),
  );
}
