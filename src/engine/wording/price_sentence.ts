/** The price of an action in the sentence of a rule: a formula, or what the price is reckoned from. */
import { exponentOf } from "../../base/currency.ts";
import type { Action } from "../pricing/actions.ts";
import type { PriceAim } from "../pricing/price_aim.ts";
import {
  type Fields,
  fields,
  isFields,
  list,
  money,
  type Said,
  type Say,
  sayAll,
  some,
  text,
  type Voice,
} from "./sentence_fields.ts";

type PriceActionType = "propose_price" | "auto_apply_if_safe";
/** Of each of the types, not only those that all of them have. */
export type ActionField<Type extends Action["type"]> = Type extends Action["type"]
  ? Exclude<keyof Extract<Action, { readonly type: Type }>, "type">
  : never;

/** The fields of an action with a formula; `price` is said by `AIM`. */
const FORMULA: Readonly<
  Record<Exclude<ActionField<PriceActionType>, "price" | "maxChangePct">, Say>
> = {
  formula: (action, voice) => {
    const formula = text(action, "formula", voice);
    return formula === "" ? null : voice.words.formula(formula, targetOf(action, voice));
  },
  targetMarginPct: (action, voice) => {
    const target = targetOf(action, voice);
    const isTold = target === null || action.formula === "target_margin_pct";
    return isTold ? null : voice.words.targetMargin(target);
  },
  rounding: (action, voice) => {
    const rounding = text(action, "rounding", voice);
    return rounding === "" || rounding === "none" ? null : voice.words.rounded(rounding);
  },
};

function targetOf(action: Fields, voice: Voice): string | null {
  return some(action, "targetMarginPct", voice, null, voice.words.pct);
}

/** Nothing for an action that takes the price of another one. */
export function sayPrice(
  action: Fields,
  path: string,
  voice: Voice,
): { readonly price: readonly Said[]; readonly more: readonly Said[] } {
  if (isFields(action.price)) {
    const aim = action.price;
    const reference = sayAll(AIM_REFERENCE, aim, `${path}.price`, voice);
    return {
      // "1 % below" stands before the reference, "+ 35 %" behind what is our own.
      price: isOwn(aim) ? reference.toReversed() : reference,
      more: sayAll(AIM, aim, `${path}.price`, voice),
    };
  }
  const [price, ...more] = sayAll(FORMULA, action, path, voice);
  return { price: price === undefined ? [] : [price], more };
}

const AIM_REFERENCE: Readonly<Record<"adjust" | "reference", Say>> = {
  adjust: (aim, voice) => {
    const by = adjustmentOf(fields(aim, "adjust"), voice);
    return by === null ? null : voice.words.adjust(by.text, by.isBelow, isOwn(aim));
  },
  reference: (aim, voice) => {
    const { name, beside } = whoOf(fields(aim, "reference"), voice);
    const isAdjusted = adjustmentOf(fields(aim, "adjust"), voice) !== null;
    return isAdjusted && !isOwn(aim) ? beside : name;
  },
};

const AIM: Readonly<Record<Exclude<keyof PriceAim, keyof typeof AIM_REFERENCE>, Say>> = {
  direction: (aim, voice) => {
    const direction = text(aim, "direction", voice);
    const { lowerOnly, raiseOnly } = voice.words;
    return direction === "lower" ? lowerOnly : direction === "raise" ? raiseOnly : null;
  },
  rounding: (aim, voice) => sayRounding(fields(aim, "rounding"), voice),
  deadbandPct: (aim, voice) => some(aim, "deadbandPct", voice, 0, voice.words.deadband),
  fallback: (aim, voice) => sayFallback(aim.fallback, voice),
};

function whoOf(reference: Fields, voice: Voice) {
  const id = text(reference, "competitorId", voice);
  return voice.words.reference(
    text(reference, "kind", voice) || "cheapest",
    text(reference, "nth", voice) || "…",
    id === "" ? "…" : voice.speaker.nameOf(id),
  );
}

function isOwn(aim: Fields): boolean {
  const { kind } = fields(aim, "reference");
  return kind === "target" || kind === "cost";
}

/** Null where nothing is added or taken away. */
function adjustmentOf(
  adjust: Fields,
  voice: Voice,
): { readonly text: string; readonly isBelow: boolean } | null {
  const { words, speaker } = voice;
  const { pct, cents } = adjust;
  if (typeof pct === "number" && pct !== 0) {
    return { text: words.pct(speaker.show.number(Math.abs(pct))), isBelow: pct < 0 };
  }
  if (typeof cents === "number" && cents !== 0) {
    return { text: money(Math.abs(cents), voice), isBelow: cents < 0 };
  }
  const typed = text(adjust, "pct", voice) || text(adjust, "cents", voice);
  return typed === "" || typed === "0" ? null : { text: typed, isBelow: false };
}

function sayRounding(rounding: Fields, voice: Voice): string | null {
  const { words } = voice;
  const way = text(rounding, "to", voice) || "down";
  const ranges = Array.isArray(rounding.ranges) ? rounding.ranges.filter(isFields) : [];
  if (ranges.length === 0) return way === "down" ? null : words.roundedBare(way);
  const parts = ranges.map((range, at) => {
    const endings = list(range, "endings").map((digits) => sayEnding(digits, voice));
    const said = words.toEnding(endings.length === 0 ? words.anyEnding : endings.join(words.or));
    const { belowCents } = range;
    if (typeof belowCents === "number") return words.below(money(belowCents, voice), said);
    if (at < ranges.length - 1) return words.below("…", said);
    return ranges.length === 1 ? said : words.above(said);
  });
  return words.roundedTo(way, parts);
}

/** "99" as …,99 and "990" as …9,90, with the decimals of the currency. */
function sayEnding(digits: string, { words, currency }: Voice): string {
  const decimals = exponentOf(currency);
  const at = digits.length - decimals;
  if (at < 0 || decimals === 0) return `…${digits}`;
  return `…${digits.slice(0, at)}${words.decimalMark}${digits.slice(at)}`;
}

function sayFallback(fallback: unknown, voice: Voice): string | null {
  if (!isFields(fallback)) return null;
  const { words } = voice;
  const { name } = whoOf(fallback, voice);
  const by = adjustmentOf(fallback, voice);
  return words.otherwise(by === null ? name : `${name} ${words.adjust(by.text, by.isBelow, true)}`);
}
