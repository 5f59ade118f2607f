/** The part of a rule's sentence that describes its price: a formula or a price aim. */
import { exponentOf } from "../../base/money.ts";
import type { Action } from "../pricing/actions.ts";
import type { PriceAim } from "../pricing/price_aim.ts";
import type { SentenceWords } from "./sentence_words.ts";
import type { Audience } from "./show.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface SentenceSpeaker extends Audience {
  nameOf(competitorId: string): string;
}

export interface TextContext {
  readonly words: SentenceWords;
  readonly speaker: SentenceSpeaker;
  readonly currency: string;
}

/** `field` is a path such as `bounds.maxCents`. */
export interface SentencePart {
  readonly path: string;
  readonly text: string;
}

/** Null if the field has its default value. */
export type Say = (fields: Fields, context: TextContext) => string | null;

/** Describes only the fields that differ from their defaults, in the order of the table. */
export function sayAll(
  table: Readonly<Record<string, Say>>,
  source: Fields,
  path: string | null,
  context: TextContext,
): SentencePart[] {
  return Object.entries(table).flatMap(([name, say]) => {
    const text = say(source, context);
    return text === null ? [] : [{ path: path === null ? name : `${path}.${name}`, text }];
  });
}

/**
 * Describes a field with `say`, which gets the field's value as a text. Null for a missing field
 * and for the default value.
 */
export function some(
  source: Fields,
  name: string,
  context: TextContext,
  fallback: number | null,
  say: (shown: string) => string,
): string | null {
  const value = source[name];
  if (value === fallback) return null;
  const shown = text(source, name, context);
  return shown === "" ? null : say(shown);
}

export function text(source: Fields, name: string, { speaker }: TextContext): string {
  const value = source[name];
  if (typeof value === "number") return speaker.show.number(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value).trim() : "";
}

export function money(cents: number, { speaker, currency }: TextContext): string {
  return speaker.show.money(cents, currency);
}

export function list(source: Fields, name: string): string[] {
  const value = source[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function fields(source: Fields, name: string): Fields {
  const value = source[name];
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type PriceActionType = "propose_price" | "auto_apply_if_safe";
export type ActionField<Type extends Action["type"]> = Type extends Action["type"]
  ? Exclude<keyof Extract<Action, { readonly type: Type }>, "type">
  : never;

const FORMULA: Readonly<
  Record<Exclude<ActionField<PriceActionType>, "price" | "maxChangePct">, Say>
> = {
  formula: (action, context) => {
    const formula = text(action, "formula", context);
    return formula === "" ? null : context.words.formula(formula, targetOf(action, context));
  },
  targetMarginPct: (action, context) => {
    const target = targetOf(action, context);
    const isStated = target === null || action.formula === "target_margin_pct";
    return isStated ? null : context.words.targetMargin(target);
  },
  rounding: (action, context) => {
    const rounding = text(action, "rounding", context);
    return rounding === "" || rounding === "none" ? null : context.words.rounded(rounding);
  },
};

function targetOf(action: Fields, context: TextContext): string | null {
  return some(action, "targetMarginPct", context, null, context.words.pct);
}

export function sayPrice(
  action: Fields,
  path: string,
  context: TextContext,
): { readonly price: readonly SentencePart[]; readonly more: readonly SentencePart[] } {
  if (isFields(action.price)) {
    const aim = action.price;
    const reference = sayAll(AIM_REFERENCE, aim, `${path}.price`, context);
    return {
      // "1 % below" precedes the reference. "+ 35 %" follows the target price or the cost.
      price: isOwn(aim) ? reference.toReversed() : reference,
      more: sayAll(AIM, aim, `${path}.price`, context),
    };
  }
  const [price, ...more] = sayAll(FORMULA, action, path, context);
  return { price: price === undefined ? [] : [price], more };
}

const AIM_REFERENCE: Readonly<Record<"adjust" | "reference", Say>> = {
  adjust: (aim, context) => {
    const by = adjustmentOf(fields(aim, "adjust"), context);
    return by === null ? null : context.words.adjust(by.text, by.isBelow, isOwn(aim));
  },
  reference: (aim, context) => {
    const { name, beside } = whoOf(fields(aim, "reference"), context);
    const isAdjusted = adjustmentOf(fields(aim, "adjust"), context) !== null;
    return isAdjusted && !isOwn(aim) ? beside : name;
  },
};

const AIM: Readonly<Record<Exclude<keyof PriceAim, keyof typeof AIM_REFERENCE>, Say>> = {
  direction: (aim, context) => {
    const direction = text(aim, "direction", context);
    const { lowerOnly, raiseOnly } = context.words;
    return direction === "lower" ? lowerOnly : direction === "raise" ? raiseOnly : null;
  },
  rounding: (aim, context) => sayRounding(fields(aim, "rounding"), context),
  deadbandPct: (aim, context) => some(aim, "deadbandPct", context, 0, context.words.deadband),
  fallback: (aim, context) => sayFallback(aim.fallback, context),
};

function whoOf(reference: Fields, context: TextContext) {
  const id = text(reference, "competitorId", context);
  return context.words.reference(
    text(reference, "kind", context) || "cheapest",
    text(reference, "nth", context) || "…",
    id === "" ? "…" : context.speaker.nameOf(id),
  );
}

function isOwn(aim: Fields): boolean {
  const { kind } = fields(aim, "reference");
  return kind === "target" || kind === "cost";
}

function adjustmentOf(
  adjust: Fields,
  context: TextContext,
): { readonly text: string; readonly isBelow: boolean } | null {
  const { words, speaker } = context;
  const { pct, cents } = adjust;
  if (typeof pct === "number" && pct !== 0) {
    return { text: words.pct(speaker.show.number(Math.abs(pct))), isBelow: pct < 0 };
  }
  if (typeof cents === "number" && cents !== 0) {
    return { text: money(Math.abs(cents), context), isBelow: cents < 0 };
  }
  const typed = text(adjust, "pct", context) || text(adjust, "cents", context);
  return typed === "" || typed === "0" ? null : { text: typed, isBelow: false };
}

function sayRounding(rounding: Fields, context: TextContext): string | null {
  const { words } = context;
  const way = text(rounding, "to", context) || "down";
  const ranges = Array.isArray(rounding.ranges) ? rounding.ranges.filter(isFields) : [];
  if (ranges.length === 0) return way === "down" ? null : words.roundedBare(way);
  const parts = ranges.map((range, at) => {
    const endings = list(range, "endings").map((digits) => sayEnding(digits, context));
    const text = words.toEnding(endings.length === 0 ? words.anyEnding : endings.join(words.or));
    const { belowCents } = range;
    if (typeof belowCents === "number") return words.below(money(belowCents, context), text);
    if (at < ranges.length - 1) return words.below("…", text);
    return ranges.length === 1 ? text : words.above(text);
  });
  return words.roundedTo(way, parts);
}

/** Shows "99" as …,99 and "990" as …9,90, with the decimals of the currency. */
function sayEnding(digits: string, { words, currency }: TextContext): string {
  const decimals = exponentOf(currency);
  const at = digits.length - decimals;
  if (at < 0 || decimals === 0) return `${words.anyDigits}${digits}`;
  return `${words.anyDigits}${digits.slice(0, at)}${words.decimalMark}${digits.slice(at)}`;
}

function sayFallback(fallback: unknown, context: TextContext): string | null {
  if (!isFields(fallback)) return null;
  const { words } = context;
  const { name } = whoOf(fallback, context);
  const by = adjustmentOf(fallback, context);
  return words.otherwise(by === null ? name : `${name} ${words.adjust(by.text, by.isBelow, true)}`);
}
