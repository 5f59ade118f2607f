/**
 * The fragments of a rule's sentence in both languages. The compiler requires a row for each aim
 * and each formula.
 */

import type { Action, FormulaName } from "../pricing/actions.ts";
import type { AimKind } from "../pricing/price_aim.ts";
import { codeWords } from "./code_words.ts";
import type { Language } from "../../base/language.ts";
import { type InBoth, type Table, wordsIn } from "./show.ts";

/** `beside` follows the words "below" and "above". */
interface AimedAt {
  readonly name: string;
  readonly beside: string;
}

interface AimWords extends InBoth {
  readonly wire: string;
  /** `nth` and `shop` are "…" if the rule has no value. */
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
      en: () => ({ name: "the lowest competitor price", beside: "the cheapest" }),
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
    en: "most expensive",
    wire: "the dearest",
    price: {
      de: () => rivalDe("des Teuersten", "dem Teuersten"),
      en: () => ({ name: "the highest competitor price", beside: "the most expensive" }),
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

const AIM_ROWS: Table<AimWords> = AIM_WORDS;

/** An unknown kind is named like `cheapest`. */
function aimedAt(language: Language, kind: string, nth: string, shop: string): AimedAt {
  return (AIM_ROWS[kind] ?? AIM_WORDS.cheapest).price[language](nth, shop);
}

const ORDINALS: Readonly<Record<string, string | undefined>> = { "1": "st", "2": "nd", "3": "rd" };

/** For example "2nd". Texts without a number are returned unchanged. */
function ordinal(nth: string): string {
  const tens = /1[1-3]$/.test(nth);
  const ending = tens ? undefined : ORDINALS[nth.slice(-1)];
  return /^\d+$/.test(nth) ? nth + (ending ?? "th") : nth;
}

export function aimLabels(language: Language): Readonly<Record<string, string>> {
  return wordsIn(language, AIM_WORDS);
}

interface FormulaWords {
  readonly label: InBoth;
  /** `targetPct` is null if the rule has no target margin. */
  readonly price: {
    de(targetPct: string | null): string;
    en(targetPct: string | null): string;
  };
}

const FORMULA_WORDS: Readonly<Record<FormulaName, FormulaWords>> = {
  match_cheapest: {
    label: { de: "wie der günstigste Wettbewerber", en: "as the cheapest competitor" },
    price: { de: () => "den Preis des Günstigsten", en: () => "the lowest competitor price" },
  },
  min_competitor_minus_1pct: {
    label: { de: "1 % unter dem günstigsten", en: "1% below the cheapest" },
    price: { de: () => "1 % unter dem Günstigsten", en: () => "1% below the cheapest" },
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

const FORMULA_ROWS: Table<FormulaWords> = FORMULA_WORDS;

export function formulaWordsOf(code: string): FormulaWords | undefined {
  return FORMULA_ROWS[code];
}

export function formulaLabels(language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(FORMULA_WORDS).map(([code, { label }]) => [code, label[language]]),
  );
}

const NBSP = "\u00a0";

function wordOf(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

const SCOPE_DE: Readonly<Record<string, readonly [one: string, many: string]>> = {
  brand: ["der Marke", "der Marken"],
  category: ["der Kategorie", "der Kategorien"],
  tier: ["der Preisgruppe", "der Preisgruppen"],
  currency: ["in der Währung", "in den Währungen"],
};

const sentenceDe = {
  and: " und ",
  or: " oder ",
  orWhen: ", oder wenn ",
  atAnyCheck: "geprüft wird",
  decimalMark: ",",
  anyDigits: "…",
  pct: (value: string) => `${value}${NBSP}%`,
  severity: (code: string) => wordOf(codeWords("de").severities, code),
  comparedWith: (kind: string) => {
    const to = { second: "dem Zweitgünstigsten", average: "dem Schnitt", highest: "dem Teuersten" };
    return `verglichen mit ${wordOf(to, kind)}`;
  },
  of: (names: string) => `von ${names}`,
  without: (names: string) => `ohne ${names}`,
  group: (name: string) => `Gruppe ${name}`,
  soldOutToo: "auch nicht lieferbar",
  exactOnly: "gleiches Produkt",
  sameCondition: "gleicher Zustand",
  withShipping: "mit Versand",
  noShipping: "ohne Versand",
  marketplaces: (which: "without" | "only"): string =>
    which === "only" ? "nur Marktplätze" : "ohne Marktplätze",
  maxAge: (hours: string) => `≤ ${hours}${NBSP}h alt`,
  minShops: (count: string) => `mindestens ${count} Shops`,
  propose: (price: string) => `schlage ${price} vor`,
  apply: (price: string | null) =>
    price === null ? "setze den Preis selbst" : `setze selbst ${price} fest`,
  whenSafe: (maxPct: string) =>
    `wenn es sicher ist und sich der Preis höchstens um ${maxPct} ändert`,
  act: (type: Action["type"]): string => {
    switch (type) {
      case "propose_price":
        return "schlage vor";
      case "auto_apply_if_safe":
        return "setze selbst";
      case "alert_inapp":
        return "melde es in der App";
      case "alert_email":
        return "melde es per E-Mail";
    }
  },
  to: (to: string) => `an ${to}`,
  formula: (formula: string, target: string | null) =>
    formulaWordsOf(formula)?.price.de(target) ?? formula,
  targetMargin: (pct: string) => `Zielmarge ${pct}`,
  rounded: (rounding: string) =>
    `abgerundet auf ${
      wordOf({ "x.99": "…,99", "x.95": "…,95", "10ct": "volle 10 Cent" }, rounding)
    }`,
  reference: (kind: string, nth: string, shop: string) => aimedAt("de", kind, nth, shop),
  adjust: (by: string, isBelow: boolean, isOwn: boolean): string =>
    isOwn ? `${isBelow ? "−" : "+"} ${by}` : `${by} ${isBelow ? "unter" : "über"}`,
  lowerOnly: "nur senken",
  raiseOnly: "nur anheben",
  roundedBare: (way: string): string => way === "up" ? "aufgerundet" : "gerundet",
  roundedTo: (way: string, parts: readonly string[]) => {
    const verb = wordOf({ down: "abgerundet", up: "aufgerundet", nearest: "gerundet" }, way);
    return `${verb} ${parts.join(", ")}`;
  },
  toEnding: (ending: string) => `auf ${ending}`,
  anyEnding: "jede Endung",
  below: (amount: string, ending: string) => `bis ${amount} ${ending}`,
  above: (ending: string) => `darüber ${ending}`,
  deadband: (pct: string) => `unter ${pct}${NBSP}% Änderung nichts`,
  otherwise: (price: string) => `sonst ${price}`,
  floor: (pct: string) => `nie unter ${pct}${NBSP}% Marge`,
  markup: (pct: string) => `nie unter Einkauf + ${pct}${NBSP}%`,
  least: (amount: string) => `nie unter ${amount}`,
  most: (amount: string) => `nie über ${amount}`,
  target: (side: "below" | "above", pct: string | null) => {
    const way = side === "below" ? "unter" : "über";
    return pct === null ? `nie ${way} der UVP` : `höchstens ${pct} ${way} der UVP`;
  },
  ifThere: "(falls da)",
  noTarget: "ohne UVP kein Preis",
  maxMove: (pct: string) => `höchstens ${pct}${NBSP}% auf einmal`,
  maxMovePerDay: (pct: string) => `höchstens ${pct}${NBSP}% am Tag`,
  maxMoves: (count: string) => `höchstens ${count}${NBSP}× täglich`,
  brake: (rest: string, cuts: string, days: string) =>
    `${rest} ${rest === "1" ? "Tag" : "Tage"} Pause nach ${cuts} ${
      cuts === "1" ? "Senkung" : "Senkungen"
    } in ${days}${NBSP}${days === "1" ? "Tag" : "Tagen"}`,
  currency: (code: string) => `Beträge in ${code}`,
  budget: (count: string) => `${count} Preise am Tag`,
  schedule: (at: string, days: readonly string[], isOnly: boolean) =>
    `${isOnly ? "nur " : ""}${daysOf(days, "täglich", "werktags", codeWords("de").days)} ${at}`,
  cooldown: (length: string | null) => length === null ? "ohne Ruhezeit" : `Ruhezeit ${length}`,
  priority: (rank: string) => `Vorrang ${rank}`,
  all: "alle Produkte",
  skus: (count: string, isOne: boolean) => isOne ? "1 SKU" : `${count} SKUs`,
  scopeField: (field: string, wanted: string, isFirst: boolean, form: "one" | "these" | "some") => {
    const [one, many] = SCOPE_DE[field] ?? [field, field];
    return `${isFirst ? "Produkte " : ""}${form === "one" ? one : many} ${wanted}`;
  },
  contains: (part: string) => `mit „${part}“ im Namen`,
  whole: (
    { condition, filter }: { readonly condition: string; readonly filter: string },
    scope: string,
    then: string,
    rest: readonly string[],
  ) => {
    const seen = filter === "" ? "" : ` (${filter})`;
    const head = condition === ""
      ? `Bei jeder Prüfung${seen}: `
      : `Wenn ${condition}${seen}, dann `;
    return `${head}${then} – für ${[scope, ...rest].join(", ")}.`;
  },
};

export type SentenceWords = typeof sentenceDe;

const sentenceEn: SentenceWords = {
  and: " and ",
  or: " or ",
  orWhen: ", or when ",
  atAnyCheck: "it is checked",
  decimalMark: ".",
  anyDigits: "x",
  pct: (value) => `${value}%`,
  severity: (code) => `${wordOf(codeWords("en").severities, code)} severity`,
  comparedWith: (kind) => {
    const to = {
      second: "the second cheapest",
      average: "the mean",
      highest: "the most expensive",
    };
    return `compared with ${wordOf(to, kind)}`;
  },
  of: (names) => `of ${names}`,
  without: (names) => `without ${names}`,
  group: (name) => `group ${name}`,
  soldOutToo: "also out of stock",
  exactOnly: "same product",
  sameCondition: "same condition",
  withShipping: "with shipping",
  noShipping: "without shipping",
  marketplaces: (which) => which === "only" ? "only marketplaces" : "without marketplaces",
  maxAge: (hours) => `≤ ${hours}${NBSP}h old`,
  minShops: (count) => `if at least ${count} shops offer it`,
  propose: (price) => `propose ${price}`,
  apply: (price) => `apply ${price ?? "the price"} by itself`,
  whenSafe: (maxPct) => `when it is safe and the price changes by ${maxPct} at most`,
  act: (type) => {
    switch (type) {
      case "propose_price":
        return "propose";
      case "auto_apply_if_safe":
        return "apply by itself";
      case "alert_inapp":
        return "alert in the app";
      case "alert_email":
        return "alert by e-mail";
    }
  },
  to: (to) => `to ${to}`,
  formula: (formula, target) => formulaWordsOf(formula)?.price.en(target) ?? formula,
  targetMargin: (pct) => `target margin ${pct}`,
  rounded: (rounding) => `rounded down to ${rounding === "10ct" ? "full 10 cents" : rounding}`,
  reference: (kind, nth, shop) => aimedAt("en", kind, nth, shop),
  adjust: (by, isBelow, isOwn) =>
    isOwn ? `${isBelow ? "−" : "+"} ${by}` : `${by} ${isBelow ? "below" : "above"}`,
  lowerOnly: "only lower",
  raiseOnly: "only raise",
  roundedBare: (way) => way === "up" ? "rounded up" : "rounded to the nearest",
  roundedTo: (way, parts) => {
    const verb = wordOf({ down: "rounded down", up: "rounded up", nearest: "rounded" }, way);
    return `${verb} ${parts.join(", ")}`;
  },
  toEnding: (ending) => `to ${ending}`,
  anyEnding: "any ending",
  below: (amount, ending) => `${ending} below ${amount}`,
  above: (ending) => `${ending} above`,
  deadband: (pct) => `no changes below ${pct}%`,
  otherwise: (price) => `else ${price}`,
  floor: (pct) => `never below ${pct}% margin`,
  markup: (pct) => `never below cost + ${pct}%`,
  least: (amount) => `never below ${amount}`,
  most: (amount) => `never above ${amount}`,
  target: (side, pct) => pct === null ? `never ${side} RRP` : `at most ${pct} ${side} RRP`,
  ifThere: "(if any)",
  noTarget: "no price without RRP",
  maxMove: (pct) => `at most ${pct}% at once`,
  maxMovePerDay: (pct) => `at most ${pct}% a day`,
  maxMoves: (count) => count === "1" ? "at most once daily" : `at most ${count}${NBSP}× daily`,
  brake: (rest, cuts, days) =>
    `${rest} ${rest === "1" ? "day's" : "days'"} rest after ${cuts} ${
      cuts === "1" ? "cut" : "cuts"
    } in ${days}${NBSP}${days === "1" ? "day" : "days"}`,
  currency: (code) => `amounts in ${code}`,
  budget: (count) => `${count} prices a day`,
  schedule: (at, days, isOnly) =>
    `${isOnly ? "only " : ""}${daysOf(days, "daily", "weekdays", codeWords("en").days)} ${at}`,
  cooldown: (length) => length === null ? "no cooldown" : `cooldown ${length}`,
  priority: (rank) => `priority ${rank}`,
  all: "all products",
  skus: (count, isOne) => isOne ? "1 SKU" : `${count} SKUs`,
  scopeField: (field, wanted, isFirst, form) => {
    const head = isFirst ? `products ${field === "category" ? "in" : "of"} ` : "";
    const many = field.endsWith("y") ? `${field.slice(0, -1)}ies` : `${field}s`;
    const name = wordOf({ one: field, these: `the ${many}`, some: many }, form);
    return `${head}${name} ${wanted}`;
  },
  contains: (part) => `with “${part}” in the name`,
  whole: ({ condition, filter }, scope, then, rest) => {
    const seen = filter === "" ? "" : ` (${filter})`;
    const head = condition === "" ? `At every check${seen}: ` : `When ${condition}${seen}, `;
    return `${head}${then} – for ${[scope, ...rest].join(", ")}.`;
  },
};

export const SENTENCE_WORDS: Readonly<Record<Language, SentenceWords>> = {
  de: sentenceDe,
  en: sentenceEn,
};

function daysOf(
  days: readonly string[],
  all: string,
  work: string,
  names: Readonly<Record<string, string>>,
): string {
  if (days.length === 0 || days.length === 7) return all;
  const isWork = days.length === 5 && !days.includes("sat") && !days.includes("sun");
  return isWork ? work : days.map((day) => names[day] ?? day).join("/");
}
