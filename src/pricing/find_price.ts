/**
 * The price of a rule that fires (docs/decisions/rules.md): what must be there, the formula, the lift to the
 * margin floor, the rounding, then the guards of the result and of applying it.
 */
import type { CompiledRule } from "./compile_rule.ts";
import type { Draft, PricedDraft } from "./draft.ts";
import { INPUT_GUARDS } from "./guards/input_guards.ts";
import { PRICE_GUARDS } from "./guards/price_guards.ts";
import { SAFETY_GUARDS } from "./guards/safety_guards.ts";
import type { Formula } from "./formulas.ts";
import { priceForMargin } from "./margin.ts";
import type { PriceTerms } from "./price_terms.ts";
import { lacksVat, selectReferences } from "./reference.ts";
import { hasTwoDecimals, roundPrice } from "./rounding.ts";
import type { Facts, Saying } from "./said.ts";
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
}

/** Null for a rule that makes no price. */
export function findPrice(
  rule: CompiledRule,
  judged: View,
  isCoolingDown: boolean,
): FoundPrice | null {
  if (rule.price === null) return null;
  const { terms, formula } = rule.price;
  const view = rule.needs.references
    ? judged
    : { ...judged, references: selectReferences(rule.options, judged.market) };
  const looksAtOffers = rule.needs.references || formula.needs.references;
  const draft: Draft = {
    view,
    needs: formula.needs,
    targetMarginPct: terms.targetMarginPct,
    maxChangePct: terms.maxChangePct,
    floorPct: rule.floorPct,
    lacksVat: looksAtOffers && lacksVat(rule.options, view.market),
    isCoolingDown,
  };
  const inputs = INPUT_GUARDS.map((guard): Asked => asked(guard.value, "price", guard.why(draft)));
  if (inputs.some(isObjection)) {
    return { priced: null, asked: inputs, stands: false, isSafe: false };
  }
  const priced = computePrice(draft, terms, formula);
  const results = PRICE_GUARDS.map((guard) => asked(guard.value, "price", guard.why(priced)));
  const stands = !results.some(isObjection);
  const safety = stands && terms.maxChangePct !== null
    ? SAFETY_GUARDS.map((guard) => asked(guard.value, "apply", guard.why(priced)))
    : [];
  const isSafe = safety.length > 0 && !safety.some(isObjection);
  return { priced, asked: [...inputs, ...results, ...safety], stands, isSafe };
}

/** True when the guard forbids something. */
export function isObjection({ facts }: Asked): boolean {
  return facts !== null;
}

/** True when the price is the one that the floor allows, not the one that the formula asked for. */
export function isLifted({ wish, liftedCents }: PricedDraft): boolean {
  return liftedCents > wish.cents;
}

function asked(guard: string, forbids: Asked["forbids"], objection: Saying | null): Asked {
  return { guard, forbids, facts: objection && objection.facts };
}

function computePrice(draft: Draft, terms: PriceTerms, formula: Formula): PricedDraft {
  const { view, floorPct } = draft;
  const { market } = view;
  const wish = formula.wish(view, terms.targetMarginPct);
  const floorCents = floorPct === null ? null : priceForMargin(market, floorPct);
  const liftedCents = Math.max(wish.cents, floorCents ?? wish.cents);
  // A product in a currency without two decimals has no such endings: its price stays as it is.
  const isRounded = terms.rounding !== "none" &&
    hasTwoDecimals(market.situation.product.currency);
  const proposedCents = isRounded
    ? roundPrice(liftedCents, terms.rounding, floorCents)
    : liftedCents;
  const used = wish.used.map(({ offer }) => offer);
  const usedMaxAgeHours = APPLIED_AGE_HOURS;
  return { ...draft, wish, used, usedMaxAgeHours, floorCents, liftedCents, proposedCents };
}
