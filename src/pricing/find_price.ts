/**
 * The price of a rule that fires (decisions §8): what must be there, the formula, the lift to the
 * margin floor, the rounding, then the guards of the result and of applying it.
 */
import type { CompiledRule } from "./compile_rule.ts";
import type { Draft, PricedDraft } from "./draft.ts";
import { INPUT_GUARDS, PRICE_GUARDS, SAFETY_GUARDS } from "./guards.ts";
import { priceForMargin } from "./margin.ts";
import { lacksVat, selectReferences } from "./reference.ts";
import { roundPrice } from "./rounding.ts";
import type { View } from "./trigger.ts";
import { hasTwoDecimals } from "./words.ts";

/** A guard that was asked; `why` is null when it has no objection. */
export interface Asked {
  readonly guard: string;
  readonly forbids: "price" | "apply";
  readonly why: string | null;
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
    terms,
    formula,
    floorPct: rule.floorPct,
    lacksVat: looksAtOffers && lacksVat(rule.options, view.market),
    isCoolingDown,
  };
  const inputs = INPUT_GUARDS.map(({ value, why }): Asked => ask(value, "price", why(draft)));
  if (inputs.some(isObjection)) {
    return { priced: null, asked: inputs, stands: false, isSafe: false };
  }
  const priced = computePrice(draft);
  const results = PRICE_GUARDS.map(({ value, why }) => ask(value, "price", why(priced)));
  const stands = !results.some(isObjection);
  const safety = stands && terms.maxChangePct !== null
    ? SAFETY_GUARDS.map(({ value, why }) => ask(value, "apply", why(priced)))
    : [];
  const isSafe = safety.length > 0 && !safety.some(isObjection);
  return { priced, asked: [...inputs, ...results, ...safety], stands, isSafe };
}

/** True when the guard forbids something. */
export function isObjection({ why }: Asked): boolean {
  return why !== null;
}

/** True when the price is the one that the floor allows, not the one that the formula asked for. */
export function isLifted({ wish, liftedCents }: PricedDraft): boolean {
  return liftedCents > wish.cents;
}

function ask(guard: string, forbids: Asked["forbids"], why: string | null): Asked {
  return { guard, forbids, why };
}

function computePrice(draft: Draft): PricedDraft {
  const { view, terms, formula, floorPct } = draft;
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
  return { ...draft, wish, floorCents, liftedCents, proposedCents };
}
