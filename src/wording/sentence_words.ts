/** The fragments that a rule's sentence is made of, in both languages. */
import type { Language } from "./language.ts";
import { formulaWordsOf } from "./formula_words.ts";
import { termsDe } from "./terms_de.ts";
import { termsEn } from "./terms_en.ts";

/** What a price is reckoned from: its name, and as it stands behind "below" and "above". */
interface Who {
  readonly name: string;
  readonly beside: string;
  /** True for amounts of our own, to which something is added. */
  readonly isOwn: boolean;
}

const DAYS_DE = { mon: "Mo", tue: "Di", wed: "Mi", thu: "Do", fri: "Fr", sat: "Sa", sun: "So" };
const DAYS_EN = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};

const NBSP = "\u00a0";

/** The word for a code; the code itself where nobody has one. */
function wordOf(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

const sentenceDe = {
  and: " und ",
  or: " oder ",
  orWhen: ", oder wenn ",
  atAnyCheck: "geprüft wird",
  decimalMark: ",",
  pct: (value: string) => `${value}${NBSP}%`,
  severity: (code: string) => wordOf(termsDe.severities, code),
  comparedWith: (kind: string) =>
    `verglichen mit ${
      wordOf(
        { second: "dem zweitgünstigsten", average: "dem Schnitt", highest: "dem teuersten" },
        kind,
      )
    }`,
  of: (names: string) => `von ${names}`,
  without: (names: string) => `ohne ${names}`,
  soldOutToo: "auch nicht lieferbar",
  exactOnly: "gleiches Produkt",
  sameCondition: "gleicher Zustand",
  maxAge: (hours: string) => `≤ ${hours}${NBSP}h alt`,
  minShops: (count: string) => `ab ${count} Shops`,
  propose: (price: string) => `schlage ${price} vor`,
  apply: (price: string | null, maxPct: string) =>
    `${
      price === null ? "übernimm den Preis selbst" : `setze ${price} selbst`
    }, wenn es sicher und die Änderung höchstens ${maxPct} ist`,
  alert: "melde es in der App",
  mail: (to: string | null) => `melde es per E-Mail${to === null ? "" : ` an ${to}`}`,
  formula: (formula: string, target: string | null) =>
    formulaWordsOf(formula)?.price.de(target) ?? formula,
  targetMargin: (pct: string) => `Zielmarge ${pct}`,
  rounded: (rounding: string) =>
    `gerundet auf ${wordOf({ "x.99": "…,99", "x.95": "…,95", "10ct": "volle 10 Cent" }, rounding)}`,
  reference: (kind: string, nth: string, shop: string): Who => {
    const one = (name: string, beside: string, isOwn = false) => ({ name, beside, isOwn });
    switch (kind) {
      case "nth":
        return one(`${nth}.-Günstigster`, `dem ${nth}.-Günstigsten`);
      case "highest":
        return one("Teuerster", "dem Teuersten");
      case "average":
        return one("Schnitt", "dem Schnitt");
      case "median":
        return one("Median", "dem Median");
      case "competitor":
        return one(shop, shop);
      case "target":
        return one("UVP", "der UVP", true);
      case "cost":
        return one("Einkauf", "dem Einkauf", true);
      default:
        return one("Günstigster", "dem Günstigsten");
    }
  },
  as: ({ name, isOwn }: Who) => isOwn ? name : `wie ${name}`,
  adjusted: ({ name, beside, isOwn }: Who, by: string, isBelow: boolean) =>
    isOwn
      ? `${name} ${isBelow ? "−" : "+"} ${by}`
      : `${by} ${isBelow ? "unter" : "über"} ${beside}`,
  lowerOnly: "nur senken",
  raiseOnly: "nur anheben",
  roundedBare: (way: string): string => way === "up" ? "aufgerundet" : "kaufmännisch gerundet",
  roundedTo: (way: string, endings: string) =>
    `${wordOf({ down: "ab", up: "auf", nearest: "nächste" }, way)} ${endings}`,
  anyEnding: "jede Endung",
  below: (amount: string, endings: string) => `bis ${amount} ${endings}`,
  above: (endings: string) => `darüber ${endings}`,
  deadband: (pct: string) => `unter ${pct}${NBSP}% nichts`,
  otherwise: (price: string) => `sonst ${price}`,
  floor: (pct: string) => `nie unter ${pct}${NBSP}% Marge`,
  markup: (pct: string) => `nie unter Einkauf + ${pct}${NBSP}%`,
  least: (amount: string) => `nie unter ${amount}`,
  most: (amount: string) => `nie über ${amount}`,
  target: (side: "below" | "above", pct: string | null) => {
    const way = side === "below" ? "unter" : "über";
    return pct === null ? `nie ${way} UVP` : `höchstens ${pct} ${way} UVP`;
  },
  ifThere: "(falls da)",
  noTarget: "ohne UVP kein Preis",
  maxMove: (pct: string) => `höchstens ${pct}${NBSP}% auf einmal`,
  maxMovePerDay: (pct: string) => `höchstens ${pct}${NBSP}% am Tag`,
  maxMoves: (count: string) => `höchstens ${count}${NBSP}× täglich`,
  currency: (code: string) => `Beträge in ${code}`,
  cooldown: (minutes: string) => minutes === "0" ? "ohne Ruhezeit" : `Ruhezeit ${minutes} Minuten`,
  schedule: (at: string, days: readonly string[], isOnly: boolean) =>
    `${isOnly ? "nur " : ""}${daysOf(days, "täglich", "werktags", DAYS_DE)} ${at}`,
  priority: (rank: string) => `Rang ${rank}`,
  all: "alle Produkte",
  skus: (count: string) => `${count} SKUs`,
  scopeField: (field: string, wanted: string) =>
    `${
      wordOf(
        { brand: "Marke", category: "Kategorie", tier: "Preisgruppe", currency: "Währung" },
        field,
      )
    } ${wanted}`,
  contains: (part: string) => `enthält „${part}“`,
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
  pct: (value) => `${value}${NBSP}%`,
  severity: (code) => wordOf(termsEn.severities, code),
  comparedWith: (kind) =>
    `compared with ${
      wordOf({ second: "the second cheapest", average: "the mean", highest: "the dearest" }, kind)
    }`,
  of: (names) => `of ${names}`,
  without: (names) => `without ${names}`,
  soldOutToo: "also out of stock",
  exactOnly: "same product",
  sameCondition: "same condition",
  maxAge: (hours) => `≤ ${hours}${NBSP}h old`,
  minShops: (count) => `from ${count} shops`,
  propose: (price) => `propose ${price}`,
  apply: (price, maxPct) =>
    `${
      price === null ? "apply the price by itself" : `set ${price} by itself`
    } when it is safe and the change is at most ${maxPct}`,
  alert: "alert in the app",
  mail: (to) => `alert by e-mail${to === null ? "" : ` to ${to}`}`,
  formula: (formula, target) => formulaWordsOf(formula)?.price.en(target) ?? formula,
  targetMargin: (pct) => `target margin ${pct}`,
  rounded: (rounding) =>
    `rounded to ${wordOf({ "x.99": "….99", "x.95": "….95", "10ct": "full 10 cents" }, rounding)}`,
  reference: (kind, nth, shop) => {
    const one = (name: string, isOwn = false) => ({ name, beside: name, isOwn });
    switch (kind) {
      case "nth":
        return one(`the ${ordinal(nth)} cheapest`);
      case "highest":
        return one("the dearest");
      case "average":
        return one("the mean");
      case "median":
        return one("the median");
      case "competitor":
        return one(shop);
      case "target":
        return one("RRP", true);
      case "cost":
        return one("cost", true);
      default:
        return one("the cheapest");
    }
  },
  as: ({ name, isOwn }) => isOwn ? name : `the same as ${name}`,
  adjusted: ({ name, isOwn }, by, isBelow) =>
    isOwn ? `${name} ${isBelow ? "−" : "+"} ${by}` : `${by} ${isBelow ? "below" : "above"} ${name}`,
  lowerOnly: "only lower",
  raiseOnly: "only raise",
  roundedBare: (way) => way === "up" ? "rounded up" : "rounded to the nearest",
  roundedTo: (way, endings) =>
    `${wordOf({ down: "down to", up: "up to", nearest: "nearest" }, way)} ${endings}`,
  anyEnding: "any ending",
  below: (amount, endings) => `below ${amount} ${endings}`,
  above: (endings) => `above ${endings}`,
  deadband: (pct) => `below ${pct}${NBSP}% nothing`,
  otherwise: (price) => `else ${price}`,
  floor: (pct) => `never below ${pct}${NBSP}% margin`,
  markup: (pct) => `never below cost + ${pct}${NBSP}%`,
  least: (amount) => `never below ${amount}`,
  most: (amount) => `never above ${amount}`,
  target: (side, pct) => pct === null ? `never ${side} RRP` : `at most ${pct} ${side} RRP`,
  ifThere: "(if any)",
  noTarget: "no price without RRP",
  maxMove: (pct) => `at most ${pct}${NBSP}% at once`,
  maxMovePerDay: (pct) => `at most ${pct}${NBSP}% a day`,
  maxMoves: (count) => count === "1" ? "at most once daily" : `at most ${count}${NBSP}× daily`,
  currency: (code) => `amounts in ${code}`,
  cooldown: (minutes) => minutes === "0" ? "no cooldown" : `${minutes} minutes' cooldown`,
  schedule: (at, days, isOnly) =>
    `${isOnly ? "only " : ""}${daysOf(days, "daily", "weekdays", DAYS_EN)} ${at}`,
  priority: (rank) => `priority ${rank}`,
  all: "all products",
  skus: (count) => `${count} SKUs`,
  scopeField: (field, wanted) => `${field} ${wanted}`,
  contains: (part) => `contains “${part}”`,
  whole: ({ condition, filter }, scope, then, rest) => {
    const seen = filter === "" ? "" : ` (${filter})`;
    const head = condition === "" ? `At every check${seen}: ` : `When ${condition}${seen}, `;
    return `${head}${then} – for ${[scope, ...rest].join(", ")}.`;
  },
};

const ORDINALS: Readonly<Record<string, string | undefined>> = { "1": "st", "2": "nd", "3": "rd" };

/** "2nd"; what is no number stays as it is. */
function ordinal(nth: string): string {
  const tens = /1[1-3]$/.test(nth);
  const ending = tens ? undefined : ORDINALS[nth.slice(-1)];
  return /^\d+$/.test(nth) ? nth + (ending ?? "th") : nth;
}

export const SENTENCE_WORDS: Readonly<Record<Language, SentenceWords>> = {
  de: sentenceDe,
  en: sentenceEn,
};

/** All days and the five of work have a word. */
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
