/** A guard examines the price of a rule and can forbid the price. */

import type { Wish } from "./actions.ts";
import type { Brake, Exhausted } from "./brake.ts";
import type { Bound, BoundTerms, Limits, Note } from "./bounds.ts";
import type { AimBase } from "./price_aim.ts";
import type { Goal } from "./price_goal.ts";
import type { Statement } from "./statement.ts";
import type { Offer } from "./situation.ts";
import type { View } from "./trigger.ts";
import type { z } from "zod";

export interface PriceNeeds {
  readonly references: boolean;
  readonly leastOffers: number;
  readonly targetMargin: boolean;
  readonly cost: boolean;
  readonly targetPrice: boolean;
  /** Null if the rule has no amounts. */
  readonly currency: string | null;
}

export interface Draft {
  readonly view: View;
  readonly needs: PriceNeeds;
  /** Null if no field of the rule contains a target margin. */
  readonly targetMarginPct: number | null;
  /** Null if the rule only proposes prices. */
  readonly maxChangePct: number | null;
  readonly limits: BoundTerms;
  readonly brake: Brake | null;
  readonly exhausted: Exhausted | null;
  /** True if a competitor's price is unusable because the product's VAT rate is unknown. */
  readonly lacksVat: boolean;
  /** True if the rule fired recently and this decision respects the cooldown. */
  readonly isCoolingDown: boolean;
}

/** `observedAtMs` is null if the offer is gone or disabled. */
type UsedReference = Pick<Offer, "competitor" | "observedAtMs">;

export interface ApprovedDraft extends PricedDraft {
  readonly made: { readonly fromCents: number; readonly currency: string };
  readonly chosen: ChosenPrice | null;
}

export interface ChosenPrice {
  readonly cents: number;
  /** True if the person gave a reason, which a price below cost or floor requires. */
  readonly hasReason: boolean;
}

export interface PricedDraft extends Draft {
  readonly wish: Wish;
  readonly used: readonly UsedReference[];
  readonly usedMaxAgeHours: number;
  readonly bounds: readonly Bound[];
  readonly tight: Limits;
  readonly floorCents: number | null;
  /** The wished price within the bounds, before rounding. */
  readonly liftedCents: number;
  /** Set even if a guard forbids the price. */
  readonly proposedCents: number;
  /** Null for a price of a formula. */
  readonly aimed: Aimed | null;
  readonly notes: readonly Note[];
}

interface Aimed {
  readonly base: AimBase;
  readonly goal: Goal;
}

interface Guard<
  Input = never,
  Code extends string = string,
  Facts extends z.ZodObject = z.ZodObject,
> {
  readonly value: Code;
  readonly facts: Facts;
  /** True if the guard is checked again when a person approves the price. */
  readonly isCheckedAgain: boolean;
  /** True if the objection ends by itself. */
  readonly isTemporary: boolean;
  why(draft: Input): Statement<Code, z.output<Facts>> | null;
}

interface Declaration<Input, Code extends string, Facts extends z.ZodObject> {
  readonly value: Code;
  readonly facts: Facts;
  readonly isCheckedAgain?: boolean;
  readonly isTemporary?: boolean;
  against(
    draft: Input,
    say: (facts: z.output<Facts>) => Statement<Code, z.output<Facts>>,
  ): Statement<Code, z.output<Facts>> | null;
}

function guardOf<Input>() {
  return <const Code extends string, Facts extends z.ZodObject>(
    { value, facts, isCheckedAgain = false, isTemporary = false, against }: Declaration<
      Input,
      Code,
      Facts
    >,
  ): Guard<Input, Code, Facts> => {
    const say = (found: z.output<Facts>) => ({ code: value, facts: found });
    return { value, facts, isCheckedAgain, isTemporary, why: (draft) => against(draft, say) };
  };
}

/** Declares a guard that is checked before a price is computed. An objection forbids the price. */
export const inputGuard = guardOf<Draft>();

/** An objection forbids the price, or only its automatic application. */
export const priceGuard = guardOf<PricedDraft>();

export const approvalGuard = guardOf<ApprovedDraft>();
