/**
 * Computes the price of a rule that fires (docs/decisions/rules.md). First, guards (safety checks)
 * check the input. Then the price is computed, limited and rounded, and other guards check it.
 */

import { floorOf, whole } from "../../base/fraction.ts";
import { type AimKind, baseOf, sourceOf } from "./actions.ts";
import { bindingBound, boundsOn, cutFacts, type Limits, type Note, tightest } from "./bounds.ts";
import {
  type CompiledPrice,
  type CompiledRule,
  type FormulaPrice,
  viewOf,
} from "./compile_rule.ts";
import {
  type ApprovedDraft,
  belowCost,
  BOUND_GUARDS,
  type ChosenPrice,
  type Draft,
  priceChanged,
  type PricedDraft,
  SAFETY_GUARDS,
} from "./safety_guards.ts";
import { AIM_GUARDS, INPUT_GUARDS, PRICE_GUARDS, REST_CODES, TEMPORARY_CODES } from "./guards.ts";
import { findGoal, hasTwoDecimals, roundPrice } from "./price_goal.ts";
import { maxAgeHoursOf, selectReferences } from "./reference.ts";
import { readMarket, type Situation } from "./situation.ts";
import type { Facts, Statement, View } from "./trigger.ts";

const AGE_HOURS_MAX_IF_APPLIED = 24;

interface GuardCheck {
  readonly guard: string;
  readonly forbids: "price" | "apply";
  readonly facts: Facts | null;
}

export type FoundPrice = NonNullable<ReturnType<typeof findPrice>>;

export function findPrice(rule: CompiledRule, judged: View) {
  if (rule.price === null) return null;
  const { price } = rule;
  const view = rule.needs.references
    ? judged
    : { ...judged, references: selectReferences(rule.options, judged.market) };
  const draft = { rule, view, aimedAt: aimedAt(price, view) };
  const checks = checksOf(INPUT_GUARDS, "price", draft);
  const priced = checks.some(isObjection) ? null : computePrice(draft, price);
  const isAim = price.kind === "aim";
  if (priced) checks.push(...checksOf(isAim ? AIM_GUARDS : PRICE_GUARDS, "price", priced));
  const first = checks.find(isObjection)?.guard;
  const isAllowed = first === undefined;
  const safety = priced && isAllowed && price.maxChangePct !== null
    ? checksOf(SAFETY_GUARDS, "apply", priced)
    : [];
  checks.push(...safety);
  return {
    priced,
    checks,
    objections: checks.filter(isObjection).map(({ guard }) => guard),
    isAllowed,
    isSafe: safety.length > 0 && !safety.some(isObjection),
    /** True if the rule does nothing, for example because the price is already right. */
    isAtRest: isAim && first !== undefined && REST_CODES.has(first),
  };
}

function checksOf<D>(
  guards: readonly { readonly value: string; against(draft: D): Facts | null }[],
  forbids: GuardCheck["forbids"],
  draft: D,
): GuardCheck[] {
  return guards.map(({ value, against }) => ({ guard: value, forbids, facts: against(draft) }));
}

export type Claim = NonNullable<ReturnType<typeof claimOf>>;

/**
 * Returns null if there is no price, or if a guard that is not temporary forbids it. `hold` is the
 * code of a temporary guard that forbids the price now; null if none does.
 */
export function claimOf(found: FoundPrice | null) {
  if (!found?.priced) return null;
  const { priced: { proposedCents: cents }, isAllowed, objections } = found;
  const hold = isAllowed ? null : objections[0] ?? null;
  return isAllowed || objections.every((code) => TEMPORARY_CODES.has(code))
    ? { cents, hold }
    : null;
}

function isObjection({ facts }: GuardCheck): boolean {
  return facts !== null;
}

function computePrice(draft: Draft, price: CompiledPrice): PricedDraft {
  const { rule, view } = draft;
  const bounds = boundsOn(rule.limits, view.market);
  const tight = tightest(bounds);
  const priced = price.kind === "aim"
    ? aimPrice(price, view, tight)
    : formulaPrice(price, view, tight);
  return {
    ...draft,
    ...priced,
    used: priced.wish.used.map(({ offer }) => offer),
    usedMaxAgeHours: AGE_HOURS_MAX_IF_APPLIED,
    bounds,
    tight,
  };
}

type Computed = Pick<PricedDraft, "wish" | "liftedCents" | "proposedCents" | "aimed" | "notes">;

function formulaPrice(price: FormulaPrice, view: View, tight: Limits): Computed {
  const wish = price.formula.wish(view, price.targetMarginPct);
  const binding = bindingBound(whole(wish.cents), tight);
  const liftedCents = binding?.cents ?? wish.cents;
  const rounded = roundWithin(liftedCents, price, view, tight.span);
  const notes: Note[] = rounded === null ? [{ code: "ending_dropped", facts: {} }] : [];
  if (binding !== null) notes.push(binding.said);
  return { wish, liftedCents, proposedCents: rounded ?? liftedCents, aimed: null, notes };
}

function roundWithin(
  cents: number,
  { rounding }: FormulaPrice,
  { market }: View,
  { lowCents, highCents }: { readonly lowCents: number; readonly highCents: number },
): number | null {
  if (rounding === "none" || !hasTwoDecimals(market.situation.product.currency)) return cents;
  const rounded = roundPrice(cents, rounding, lowCents > 1 ? lowCents : null);
  return rounded > highCents ? null : rounded;
}

interface Approval {
  readonly rule: CompiledRule;
  readonly situation: Situation;
  readonly proposedCents: number;
  readonly chosen: ChosenPrice | null;
  readonly made: ApprovedDraft["made"];
  readonly used: readonly { readonly matchId: string; readonly competitor: string }[];
}

const APPROVAL_GUARDS = [
  priceChanged,
  ...INPUT_GUARDS,
  ...PRICE_GUARDS,
  ...BOUND_GUARDS,
  belowCost,
  ...SAFETY_GUARDS,
];

export function objectionToApproval(approval: Approval): Statement | null {
  const draft = draftOf(approval);
  for (const { value: code, isCheckedAgain, against } of APPROVAL_GUARDS) {
    const facts = isCheckedAgain ? against(draft) : null;
    if (facts !== null) return { code, facts };
  }
  return null;
}

function draftOf({ rule, situation, proposedCents, chosen, made, used }: Approval): ApprovedDraft {
  const cents = chosen?.cents ?? proposedCents;
  const market = readMarket(situation);
  const view = viewOf(rule, market, selectReferences(rule.options, market));
  const bounds = boundsOn(rule.limits, market);
  return {
    rule,
    view,
    aimedAt: aimedAt(rule.price, view),
    wish: { cents, used: [] },
    used: used.map(({ matchId, competitor }) => {
      const offer = situation.offers.find((one) => one.matchId === matchId);
      return { competitor, observedAtMs: offer?.observedAtMs ?? null };
    }),
    usedMaxAgeHours: maxAgeHoursOf(rule.options, situation.mode),
    bounds,
    tight: tightest(bounds),
    liftedCents: cents,
    proposedCents: cents,
    aimed: null,
    notes: [],
    made,
    chosen,
  };
}

function aimPrice(
  { aim, goal: terms }: Extract<CompiledPrice, { kind: "aim" }>,
  view: View,
  tight: Limits,
): Computed {
  const base = baseOf(aim, sourceOf(aim, view), view);
  const goal = findGoal(terms, base.wish, tight.span, {
    oursCents: view.ourPriceCents,
    dayAgoCents: view.market.situation.history.price?.dayAgoCents ?? null,
  });
  const binding = bindingBound(base.wish, tight);
  const { currency } = view.market.situation.product;
  const { goalCents, cents, isEndingDropped } = goal;
  const notes: Note[] = [];
  const cut = cutFacts(goal, terms, currency);
  if (cut !== null && cents !== null) notes.push({ code: "max_move", facts: cut });
  if (isEndingDropped) notes.push({ code: "ending_dropped", facts: {} });
  if (binding !== null) notes.push(binding.said);
  if (base.isFallback) notes.push({ code: "fallback", facts: { kind: base.kind } });
  const liftedCents = binding?.cents ?? floorOf(base.wish);
  return {
    wish: { cents: floorOf(base.wish), used: base.used },
    liftedCents,
    proposedCents: cents ?? goalCents ?? liftedCents,
    aimed: { base, goal },
    notes,
  };
}

function aimedAt(price: CompiledPrice | null, view: View): AimKind | null {
  return price?.kind === "aim" ? sourceOf(price.aim, view).kind : null;
}
