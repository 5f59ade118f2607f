/** What a price is reckoned from, in both languages. The compiler asks for a row per kind. */
import type { AimKind } from "../pricing/price_aim.ts";
import type { Language } from "./language.ts";
import { type InBoth, type Table, wordsIn } from "./sentences.ts";

/** A price in the sentence of a rule: as what is proposed, and behind "below" and "above". */
export interface AimedAt {
  readonly name: string;
  readonly beside: string;
}

interface AimWords extends InBoth {
  readonly wire: string;
  /** `nth` and `shop` are those of the rule, or dots. */
  readonly price: Readonly<Record<Language, (nth: string, shop: string) => AimedAt>>;
}

const same = (name: string): AimedAt => ({ name, beside: name });
const rivalDe = (whose: string, beside: string) => ({ name: `den Preis ${whose}`, beside });
const rivalEn = (who: string): AimedAt => ({ name: `the price of ${who}`, beside: who });

export const AIM_WORDS: Readonly<Record<AimKind, AimWords>> = {
  cheapest: {
    de: "Günstigster",
    en: "cheapest",
    wire: "the cheapest",
    price: {
      de: () => rivalDe("des Günstigsten", "dem Günstigsten"),
      en: () => rivalEn("the cheapest"),
    },
  },
  nth: {
    de: "n-günstigster",
    en: "n-th cheapest",
    wire: "the nth cheapest",
    price: {
      de: (nth) => rivalDe(`des ${nth}.-Günstigsten`, `dem ${nth}.-Günstigsten`),
      en: (nth) => rivalEn(`the ${ordinal(nth)} cheapest`),
    },
  },
  highest: {
    de: "teuerster",
    en: "dearest",
    wire: "the dearest",
    price: {
      de: () => rivalDe("des Teuersten", "dem Teuersten"),
      en: () => rivalEn("the dearest"),
    },
  },
  average: {
    de: "Schnitt",
    en: "mean",
    wire: "the average",
    price: {
      de: () => ({ name: "den Schnitt", beside: "dem Schnitt" }),
      en: () => same("the mean"),
    },
  },
  median: {
    de: "Median",
    en: "median",
    wire: "the median",
    price: {
      de: () => ({ name: "den Median", beside: "dem Median" }),
      en: () => same("the median"),
    },
  },
  competitor: {
    de: "ein Wettbewerber",
    en: "one competitor",
    wire: "the competitor",
    price: {
      de: (_nth, shop) => rivalDe(`von ${shop}`, `dem Preis von ${shop}`),
      en: (_nth, shop) => rivalEn(shop),
    },
  },
  target: {
    de: "UVP",
    en: "RRP",
    wire: "the target price",
    price: { de: () => ({ name: "die UVP", beside: "der UVP" }), en: () => same("the RRP") },
  },
  cost: {
    de: "Einkauf",
    en: "cost",
    wire: "the cost",
    price: {
      de: () => ({ name: "den Einkaufspreis", beside: "dem Einkaufspreis" }),
      en: () => same("cost"),
    },
  },
};

const ROWS: Table<AimWords> = AIM_WORDS;

/** The price of a kind; one that nobody knows is the cheapest. */
export function aimedAt(language: Language, kind: string, nth: string, shop: string): AimedAt {
  return (ROWS[kind] ?? AIM_WORDS.cheapest).price[language](nth, shop);
}

const ORDINALS: Readonly<Record<string, string | undefined>> = { "1": "st", "2": "nd", "3": "rd" };

/** "2nd"; what is no number stays as it is. */
function ordinal(nth: string): string {
  const tens = /1[1-3]$/.test(nth);
  const ending = tens ? undefined : ORDINALS[nth.slice(-1)];
  return /^\d+$/.test(nth) ? nth + (ending ?? "th") : nth;
}

/** What the screens call them, by code. */
export function aimLabels(language: Language): Readonly<Record<string, string>> {
  return wordsIn(language, AIM_WORDS);
}
