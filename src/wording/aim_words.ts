/** What a price is reckoned from, in both languages. The compiler asks for a row per kind. */
import type { AimKind } from "../pricing/price_aim.ts";
import type { InBoth } from "./sentences.ts";

interface AimWords extends InBoth {
  readonly wire: string;
}

export const AIM_WORDS: Readonly<Record<AimKind, AimWords>> = {
  cheapest: { de: "Günstigster", en: "cheapest", wire: "the cheapest" },
  nth: { de: "n-günstigster", en: "n-th cheapest", wire: "the nth cheapest" },
  highest: { de: "teuerster", en: "dearest", wire: "the dearest" },
  average: { de: "Schnitt", en: "mean", wire: "the average" },
  median: { de: "Median", en: "median", wire: "the median" },
  competitor: { de: "ein Wettbewerber", en: "one competitor", wire: "the competitor" },
  target: { de: "UVP", en: "RRP", wire: "the target price" },
  cost: { de: "Einkauf", en: "cost", wire: "the cost" },
};

/** What the screens call them, by code. */
export function aimLabels(language: "de" | "en"): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(AIM_WORDS).map(([kind, words]) => [kind, words[language]]),
  );
}
