/** Says in German or English words how a rule calculates its price. */
import { exponentOf } from "../../base/money.ts";
import type { Action, AimKind, FormulaName, PriceAim } from "../pricing/actions.ts";
import type { Language } from "../../base/codes.ts";
import type { Audience, InBoth, sayIn, Table } from "./show.ts";
import { isJsonObject, mapValues } from "../../base/collections.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface SentenceSpeaker extends Audience {
  nameOf(competitorId: string): string;
}

export interface TextContext extends SentenceSpeaker {
  readonly currency: string;
  readonly say: ReturnType<typeof sayIn>;
}

/** `path` is the path of a field, such as `bounds.maxCents`. */
export interface SentencePart {
  readonly path: string;
  readonly text: string;
}

/** Returns null if the field `name` needs no words, for example because it has its default. */
export type Say = (fields: Fields, context: TextContext, name: string) => string | null;

export type SayTable<Name extends string> = Readonly<Record<Name, Say>>;

export function sayAll(
  table: SayTable<string>,
  source: Fields,
  path: string | null,
  context: TextContext,
): SentencePart[] {
  return Object.entries(table).flatMap(([name, say]) => {
    const text = say(source, context, name);
    return text === null ? [] : [{ path: path === null ? name : `${path}.${name}`, text }];
  });
}

export function given(de: string, en: string, fallback: number | null = null): Say {
  return (source, context, name) => {
    const shown = text(source, name, context);
    if (source[name] === fallback || shown === "") return null;
    return context.say(de, en).replace("{}", () => shown);
  };
}

export function choice(words: Table<InBoth>): Say {
  return (source, { language }, name) => words[String(source[name])]?.[language] ?? null;
}

export function flag(isOn: boolean, de: string, en: string): Say {
  return choice({ [String(isOn)]: { de, en } });
}

export function text(source: Fields, name: string, { show }: TextContext): string {
  const value = source[name];
  if (typeof value === "number") return show.number(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value).trim() : "";
}

export function list(source: Fields, name: string): string[] {
  const value = source[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function fields(source: Fields, name: string): Fields {
  const value = source[name];
  return isJsonObject(value) ? value : {};
}

export const OR: InBoth = { de: " oder ", en: " or " };
export const BELOW: InBoth = { de: "unter", en: "below" };
export const ABOVE: InBoth = { de: "über", en: "above" };

export function percent(shown: string, { say }: TextContext): string {
  return say(`${shown}\u00a0%`, `${shown}%`);
}

type AimWords = ReturnType<typeof aimWords>[AimKind];

/** The text `beside` is used after "below" or "above", as in "5% below the cheapest". */
function aimWords(nth: string, shop: string) {
  return {
    cheapest: {
      wire: "the cheapest",
      de: { label: "Günstigster", name: "den Preis des Günstigsten", beside: "dem Günstigsten" },
      en: { label: "cheapest", name: "the lowest competitor price", beside: "the cheapest" },
    },
    nth: {
      wire: "the nth cheapest",
      de: {
        label: "n-günstigster",
        name: `den Preis des ${nth}.-Günstigsten`,
        beside: `dem ${nth}.-Günstigsten`,
      },
      en: {
        label: "n-th cheapest",
        name: `the price of the ${ordinal(nth)} cheapest`,
        beside: `the ${ordinal(nth)} cheapest`,
      },
    },
    highest: {
      wire: "the dearest",
      de: { label: "teuerster", name: "den Preis des Teuersten", beside: "dem Teuersten" },
      en: {
        label: "most expensive",
        name: "the highest competitor price",
        beside: "the most expensive",
      },
    },
    average: {
      wire: "the average",
      de: { label: "Schnitt", name: "den Schnitt", beside: "dem Schnitt" },
      en: { label: "mean", name: "the mean", beside: "the mean" },
    },
    median: {
      wire: "the median",
      de: { label: "Median", name: "den Median", beside: "dem Median" },
      en: { label: "median", name: "the median", beside: "the median" },
    },
    competitor: {
      wire: "the competitor",
      de: {
        label: "ein Wettbewerber",
        name: `den Preis von ${shop}`,
        beside: `dem Preis von ${shop}`,
      },
      en: { label: "one competitor", name: `the price of ${shop}`, beside: shop },
    },
    target: {
      wire: "the target price",
      de: { label: "UVP", name: "die UVP", beside: "der UVP" },
      en: { label: "RRP", name: "the RRP", beside: "the RRP" },
    },
    cost: {
      wire: "the cost",
      de: { label: "Einkauf", name: "den Einkaufspreis", beside: "dem Einkaufspreis" },
      en: { label: "cost", name: "cost", beside: "cost" },
    },
  } satisfies Readonly<Record<AimKind, object>>;
}

export const AIM_WORDS = aimWords("…", "…");

export function aimLabels(language: Language): Readonly<Record<string, string>> {
  return mapValues(AIM_WORDS, (words) => words[language].label);
}

function ordinal(nth: string): string {
  const endings: Table<string> = { "1": "st", "2": "nd", "3": "rd" };
  const ending = /1[1-3]$/.test(nth) ? undefined : endings[nth.slice(-1)];
  return /^\d+$/.test(nth) ? nth + (ending ?? "th") : nth;
}

interface FormulaWords {
  readonly label: InBoth;
  readonly price: (targetPct: string | null) => InBoth;
}

const FORMULA_WORDS: Readonly<Record<FormulaName, FormulaWords>> = {
  match_cheapest: {
    label: { de: "wie der günstigste Wettbewerber", en: "as the cheapest competitor" },
    price: () => ({ de: "den Preis des Günstigsten", en: "the lowest competitor price" }),
  },
  min_competitor_minus_1pct: {
    label: { de: "1 % unter dem günstigsten", en: "1% below the cheapest" },
    price: () => ({ de: "1 % unter dem Günstigsten", en: "1% below the cheapest" }),
  },
  target_margin_pct: {
    label: { de: "Marge erreichen", en: "reach a margin" },
    price: (pct) =>
      pct === null ? { de: "den Preis der Zielmarge", en: "the price of the target margin" } : {
        de: `den Preis mit ${pct}\u00a0% Marge`,
        en: `the price with a margin of ${pct}%`,
      },
  },
};

const FORMULA_ROWS: Table<FormulaWords> = FORMULA_WORDS;

export function formulaLabels(language: Language): Readonly<Record<string, string>> {
  return mapValues(FORMULA_WORDS, ({ label }) => label[language]);
}

type PriceActionType = "propose_price" | "auto_apply_if_safe";
export type ActionField<Type extends Action["type"]> = Type extends Action["type"]
  ? Exclude<keyof Extract<Action, { readonly type: Type }>, "type">
  : never;

const TARGET_MARGIN = given("Zielmarge {}\u00a0%", "target margin {}%");

const FORMULA: SayTable<Exclude<ActionField<PriceActionType>, "price" | "maxChangePct">> = {
  formula(action, context) {
    const target = text(action, "targetMarginPct", context);
    const row = FORMULA_ROWS[text(action, "formula", context)];
    return row?.price(target || null)[context.language] ?? null;
  },
  targetMarginPct: (action, context, name) =>
    action.formula === "target_margin_pct" ? null : TARGET_MARGIN(action, context, name),
  rounding: choice({
    "x.99": { de: "abgerundet auf …,99", en: "rounded down to x.99" },
    "x.95": { de: "abgerundet auf …,95", en: "rounded down to x.95" },
    "10ct": { de: "abgerundet auf volle 10 Cent", en: "rounded down to full 10 cents" },
  }),
};

export function sayPrice(action: Fields, path: string, context: TextContext) {
  if (isJsonObject(action.price)) {
    const aim = action.price;
    const reference = sayAll(AIM_REFERENCE, aim, `${path}.price`, context);
    return {
      // "1 % below" comes before a competitor's price, "+ 35 %" after our cost or target price.
      price: isOwn(aim) ? reference.toReversed() : reference,
      more: sayAll(AIM, aim, `${path}.price`, context),
    };
  }
  const [price, ...more] = sayAll(FORMULA, action, path, context);
  return { price: price === undefined ? [] : [price], more };
}

const AIM_REFERENCE: SayTable<"adjust" | "reference"> = {
  adjust: (aim, context) => sayAdjustment(fields(aim, "adjust"), isOwn(aim), context),
  reference(aim, context) {
    const isAdjusted = sayAdjustment(fields(aim, "adjust"), false, context) !== null;
    const form = isAdjusted && !isOwn(aim) ? "beside" : "name";
    return sayReference(fields(aim, "reference"), form, context);
  },
};

const AIM: SayTable<Exclude<keyof PriceAim, keyof typeof AIM_REFERENCE>> = {
  direction: choice({
    lower: { de: "nur senken", en: "only lower" },
    raise: { de: "nur anheben", en: "only raise" },
  }),
  rounding: (aim, context) => sayRounding(fields(aim, "rounding"), context),
  deadbandPct: given("unter {}\u00a0% Änderung nichts", "no changes below {}%", 0),
  fallback({ fallback }, context) {
    if (!isJsonObject(fallback)) return null;
    const by = sayAdjustment(fallback, true, context);
    const name = sayReference(fallback, "name", context);
    return `${context.say("sonst", "else")} ${name}${by === null ? "" : ` ${by}`}`;
  },
};

function sayReference(reference: Fields, form: "name" | "beside", context: TextContext): string {
  const id = text(reference, "competitorId", context);
  const shop = id === "" ? "…" : context.nameOf(id);
  const table = aimWords(text(reference, "nth", context) || "…", shop);
  const rows: Table<AimWords> = table;
  return (rows[text(reference, "kind", context)] ?? table.cheapest)[context.language][form];
}

function isOwn(aim: Fields): boolean {
  const { kind } = fields(aim, "reference");
  return kind === "target" || kind === "cost";
}

function sayAdjustment(adjust: Fields, isOwn: boolean, context: TextContext): string | null {
  const { show, currency, language } = context;
  const { pct, cents } = adjust;
  const say = (by: string, isBelow: boolean) =>
    isOwn ? `${isBelow ? "−" : "+"} ${by}` : `${by} ${(isBelow ? BELOW : ABOVE)[language]}`;
  if (typeof pct === "number" && pct !== 0) {
    return say(percent(show.number(Math.abs(pct)), context), pct < 0);
  }
  if (typeof cents === "number" && cents !== 0) {
    return say(show.money(Math.abs(cents), currency), cents < 0);
  }
  const typed = text(adjust, "pct", context) || text(adjust, "cents", context);
  return typed === "" || typed === "0" ? null : say(typed, false);
}

const ROUNDINGS: Table<{ readonly to: InBoth; readonly bare: InBoth | null }> = {
  down: { to: { de: "abgerundet", en: "rounded down" }, bare: null },
  up: {
    to: { de: "aufgerundet", en: "rounded up" },
    bare: { de: "aufgerundet", en: "rounded up" },
  },
  nearest: {
    to: { de: "gerundet", en: "rounded" },
    bare: { de: "gerundet", en: "rounded to the nearest" },
  },
};

function sayRounding(rounding: Fields, context: TextContext): string | null {
  const { say, show, currency, language } = context;
  const words = ROUNDINGS[text(rounding, "to", context) || "down"];
  const ranges = Array.isArray(rounding.ranges) ? rounding.ranges.filter(isJsonObject) : [];
  if (words === undefined || ranges.length === 0) return words?.bare?.[language] ?? null;
  const parts = ranges.map((range, at) => {
    const to = list(range, "endings").map((digits) => sayEnding(digits, context))
      .join(OR[language]) || say("jede Endung", "any ending");
    const { belowCents } = range;
    if (typeof belowCents === "number" || at < ranges.length - 1) {
      const amount = typeof belowCents === "number" ? show.money(belowCents, currency) : "…";
      return say(`bis ${amount} auf ${to}`, `to ${to} below ${amount}`);
    }
    return at === 0 ? say(`auf ${to}`, `to ${to}`) : say(`darüber auf ${to}`, `to ${to} above`);
  });
  return `${words.to[language]} ${parts.join(", ")}`;
}

/** Shows the ending `990` as `…9,90`, with the decimals of the currency. */
function sayEnding(digits: string, { currency, say }: TextContext): string {
  const decimals = exponentOf(currency);
  const at = digits.length - decimals;
  if (at < 0 || decimals === 0) return say(`…${digits}`, `x${digits}`);
  const [whole, cents] = [digits.slice(0, at), digits.slice(at)];
  return say(`…${whole},${cents}`, `x${whole}.${cents}`);
}
