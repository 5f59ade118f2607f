/**
 * A guard can forbid a price of a rule. It is declared with its code and the facts of its objection, and
 * judges a draft of the price.
 */

import type { Wish } from "./actions.ts";
import type { Brake, Exhausted } from "./brake.ts";
import type { Bound, BoundTerms, Limits, Note } from "./bounds.ts";
import type { AimBase } from "./price_aim.ts";
import type { Goal } from "./price_goal.ts";
import type { Saying } from "./statement.ts";
import type { Offer } from "./situation.ts";
import type { View } from "./trigger.ts";
import type { z } from "zod";

/** The inputs of a price, in addition to those of the bounds of the rule. */
export interface PriceNeeds {
  readonly references: boolean;
  /** How many of them, at least. */
  readonly leastOffers: number;
  readonly targetMargin: boolean;
  /** True when the price is reckoned from the cost. */
  readonly cost: boolean;
  /** True when there is no price without a target price. */
  readonly targetPrice: boolean;
  /** The currency of the amounts of the rule; null when it has none. */
  readonly currency: string | null;
}

/** A price before it is computed: what must be there first can be asked of this. */
export interface Draft {
  readonly view: View;
  readonly needs: PriceNeeds;
  /** Null when no field of the rule names one. */
  readonly targetMarginPct: number | null;
  /** Null: the rule only proposes. */
  readonly maxChangePct: number | null;
  readonly limits: BoundTerms;
  /** The brake that ends a price war; null: none. */
  readonly brake: Brake | null;
  /** The budget that leaves no room today; null: there is room. */
  readonly exhausted: Exhausted | null;
  /** True when a price is omitted of the references because its side of VAT is unknown. */
  readonly lacksVat: boolean;
  /** True when the rule fired too short a time ago and this decision honours that. */
  readonly isCoolingDown: boolean;
}

/** A competitor's price that ours was computed from; never seen where its match does not count any more. */
export type UsedReference = Pick<Offer, "competitor" | "observedAtMs">;

/** A computed price that a person approves later, with what is known by then. */
export interface ApprovedDraft extends PricedDraft {
  /** The price of today that it was computed against. */
  readonly made: { readonly fromCents: number; readonly currency: string };
  readonly chosen: ChosenPrice | null;
}

/** A person has chosen this price in place of the proposed one. */
export interface ChosenPrice {
  readonly cents: number;
  /** Whether the person said why: a price below cost or floor needs that. */
  readonly hasReason: boolean;
}

/** A price on its way: asked for by the formula, lifted to the floor, rounded. */
export interface PricedDraft extends Draft {
  readonly wish: Wish;
  readonly used: readonly UsedReference[];
  readonly usedMaxAgeHours: number;
  readonly bounds: readonly Bound[];
  readonly tight: Limits;
  /** Null without a margin floor. */
  readonly floorCents: number | null;
  /** The wish within the bounds, before rounding. */
  readonly liftedCents: number;
  /** The resulting price, also where a guard forbids it. */
  readonly proposedCents: number;
  /** Null for a price of a formula. */
  readonly aimed: Aimed | null;
  /** Notes of what has changed the price on its way: bounds, dropped endings, the fallback. */
  readonly notes: readonly Note[];
}

export interface Aimed {
  readonly base: AimBase;
  readonly goal: Goal;
}

/** A guard: its code and the facts of its objection. */
export interface Guard<
  Asked = never,
  Code extends string = string,
  Facts extends z.ZodObject = z.ZodObject,
> {
  /** The code that reasons, traces and refusals contain. */
  readonly value: Code;
  readonly facts: Facts;
  /** Whether it is checked again with current facts when a person approves the price later. */
  readonly isAskedAgain: boolean;
  /** True when its objection ends by itself; until then the rule keeps its place before others. */
  readonly isTemporary: boolean;
  why(draft: Asked): Saying<Code, z.output<Facts>> | null;
}

interface Declaration<Asked, Code extends string, Facts extends z.ZodObject> {
  readonly value: Code;
  readonly facts: Facts;
  readonly isAskedAgain?: boolean;
  readonly isTemporary?: boolean;
  /** `say` puts the code before the facts of an objection; null when there is none. */
  against(
    draft: Asked,
    say: (facts: z.output<Facts>) => Saying<Code, z.output<Facts>>,
  ): Saying<Code, z.output<Facts>> | null;
}

function guardOf<Asked>() {
  return <const Code extends string, Facts extends z.ZodObject>(
    { value, facts, isAskedAgain = false, isTemporary = false, against }: Declaration<
      Asked,
      Code,
      Facts
    >,
  ): Guard<Asked, Code, Facts> => {
    const say = (found: z.output<Facts>) => ({ code: value, facts: found });
    return { value, facts, isAskedAgain, isTemporary, why: (draft) => against(draft, say) };
  };
}

/** Asked before a price is computed; an objection forbids it. */
export const inputGuard = guardOf<Draft>();

/** Asked of a computed price; an objection forbids it, or forbids to apply it without a person. */
export const priceGuard = guardOf<PricedDraft>();

/** Asked when a person approves a price; an objection refuses that. */
export const approvalGuard = guardOf<ApprovedDraft>();
