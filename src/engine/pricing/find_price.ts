/**
 * The price of a rule that fires (docs/decisions/rules.md): what must be there, the formula or the aim,
 * the bounds, the rounding, then the guards of the result and of applying it.
 */
import { aimPrice } from "./aim_price.ts";
import { sourceOf } from "./aim_base.ts";
import { bindingBound, boundsOn, tightest } from "./bounds.ts";
import type { Exhausted } from "./budget.ts";
import type { CompiledPrice, CompiledRule } from "./compile_rule.ts";
import type { Draft, PricedDraft } from "./draft.ts";
import { INPUT_GUARDS } from "./guards/input_guards.ts";
import { AIM_GUARDS, PRICE_GUARDS, REST_CODES } from "./guards/price_guards.ts";
import { SAFETY_GUARDS } from "./guards/safety_guards.ts";
import { whole } from "../../base/fraction.ts";
import type { Note } from "./notes.ts";
import { draftBy } from "./price_needs.ts";
import { selectReferences } from "./reference.ts";
import { hasTwoDecimals, roundPrice } from "./rounding.ts";
import type { Facts, Saying } from "./said.ts";
import type { Situation } from "./situation.ts";
import type { View } from "./trigger.ts";

/** How old the references may be that an applied price was computed from. */
const APPLIED_AGE_HOURS = 24;

/** A guard that was asked. */
export interface Asked {
  readonly guard: string;
  readonly forbids: "price" | "apply";
  /** What its objection is made from; null when it has none. */
  readonly facts: Facts | null;
}

/** What became of a rule's price. */
export interface FoundPrice {
  /** Null when an input is missing, so that nothing could be computed. */
  readonly priced: PricedDraft | null;
  readonly asked: readonly Asked[];
  /** True when nothing forbids the price. */
  readonly stands: boolean;
  /** True when nothing forbids to apply it, and the rule wants to. */
  readonly isSafe: boolean;
  /** True when the price is as the rule wants it: the rule has nothing to do, and has not fired. */
  readonly isAtRest: boolean;
}

/** Null for a rule that makes no price. */
export function findPrice(
  rule: CompiledRule,
  judged: View,
  isCoolingDown: boolean,
): FoundPrice | null {
  if (rule.price === null) return null;
  const { price } = rule;
  const view = rule.needs.references
    ? judged
    : { ...judged, references: selectReferences(rule.options, judged.market) };
  const draft: Draft = {
    ...draftBy(rule, view),
    brake: rule.brake,
    exhausted: exhaustedOf(rule, view.market.situation),
    isCoolingDown,
  };
  const inputs = INPUT_GUARDS.map((guard): Asked => asked(guard.value, "price", guard.why(draft)));
  if (inputs.some(isObjection)) {
    const isAtRest = price.kind === "aim" && isRest(inputs);
    return { priced: null, asked: inputs, stands: false, isSafe: false, isAtRest };
  }
  const priced = computePrice(draft, price);
  const guards = price.kind === "aim" ? AIM_GUARDS : PRICE_GUARDS;
  const results = guards.map((guard) => asked(guard.value, "price", guard.why(priced)));
  const stands = !results.some(isObjection);
  const safety = stands && price.maxChangePct !== null
    ? SAFETY_GUARDS.map((guard) => asked(guard.value, "apply", guard.why(priced)))
    : [];
  const isSafe = safety.length > 0 && !safety.some(isObjection);
  const isAtRest = price.kind === "aim" && isRest(results);
  return { priced, asked: [...inputs, ...results, ...safety], stands, isSafe, isAtRest };
}

/** True when the guard forbids something. */
export function isObjection({ facts }: Asked): boolean {
  return facts !== null;
}

/** True when the price is the one that the floor allows, not the one that the rule asked for. */
export function isLifted({ notes }: PricedDraft): boolean {
  return notes.some(({ code }) => code === "margin_floor");
}

/** The first objection is one of a rule that has nothing to do. */
function isRest(guards: readonly Asked[]): boolean {
  const first = guards.find(isObjection);
  return first !== undefined && REST_CODES.has(first.guard);
}

function asked(guard: string, forbids: Asked["forbids"], objection: Saying | null): Asked {
  return { guard, forbids, facts: objection && objection.facts };
}

/** The tighter one of the budgets that are spent; null while both have room. */
function exhaustedOf(
  { id, budgetPerDay: ofRule }: CompiledRule,
  { settings: { budgetPerDay: ofAll = null }, spent }: Situation,
): Exhausted | null {
  if (spent === undefined) return null;
  if (ofRule !== null && (spent.rules[id] ?? 0) >= ofRule) return { of: "rule", most: ofRule };
  return ofAll !== null && spent.all >= ofAll ? { of: "workspace", most: ofAll } : null;
}

function computePrice(draft: Draft, price: CompiledPrice): PricedDraft {
  const { view, limits } = draft;
  const bounds = boundsOn(limits, view.market);
  const tight = tightest(bounds);
  const floorCents = bounds.find(({ said }) => said.code === "margin_floor")?.cents ?? null;
  const shared = { ...draft, usedMaxAgeHours: APPLIED_AGE_HOURS, bounds, tight, floorCents };
  if (price.kind === "aim") {
    const source = sourceOf(price.aim, view);
    const aimed = aimPrice(price, source, view, tight);
    const used = aimed.aimed.base.used.map(({ offer }) => offer);
    return { ...shared, ...aimed, used };
  }
  const wish = price.formula.wish(view, draft.targetMarginPct);
  const binding = bindingBound(whole(wish.cents), tight);
  const liftedCents = binding?.cents ?? wish.cents;
  const rounded = roundWithin(liftedCents, price, draft, tight.span);
  const notes: Note[] = rounded === null ? [{ code: "ending_dropped", facts: {} }] : [];
  if (binding !== null) notes.push(binding.said);
  return {
    ...shared,
    wish,
    used: wish.used.map(({ offer }) => offer),
    liftedCents,
    proposedCents: rounded ?? liftedCents,
    aimed: null,
    notes,
  };
}

/** Null where the bounds leave no ending: bounds come first. */
function roundWithin(
  cents: number,
  { rounding }: Extract<CompiledPrice, { kind: "formula" }>,
  { view: { market } }: Draft,
  { lowCents, highCents }: { readonly lowCents: number; readonly highCents: number },
): number | null {
  // A product in a currency without two decimals has no such endings: its price stays as it is.
  if (rounding === "none" || !hasTwoDecimals(market.situation.product.currency)) return cents;
  const rounded = roundPrice(cents, rounding, lowCents > 1 ? lowCents : null);
  return rounded > highCents ? null : rounded;
}
