import type { z } from "zod";
import type { ApprovedDraft, Draft, PricedDraft } from "./draft.ts";
import type { Saying } from "./said.ts";

/** What stands between a rule and a price: its code and the facts of its objection. */
export interface Guard<
  Asked = never,
  Code extends string = string,
  Facts extends z.ZodObject = z.ZodObject,
> {
  /** The code that reasons, traces and refusals contain. */
  readonly value: Code;
  /** What the sentence of an objection is made from. */
  readonly facts: Facts;
  /** Whether it is asked again, with fresh facts, when a person approves the price later. */
  readonly isAskedAgain: boolean;
  /** Null when it has no objection. */
  why(draft: Asked): Saying<Code, z.output<Facts>> | null;
}

interface Declaration<Asked, Code extends string, Facts extends z.ZodObject> {
  readonly value: Code;
  readonly facts: Facts;
  readonly isAskedAgain?: boolean;
  /** `say` puts the code before the facts of an objection; null when there is none. */
  against(
    draft: Asked,
    say: (facts: z.output<Facts>) => Saying<Code, z.output<Facts>>,
  ): Saying<Code, z.output<Facts>> | null;
}

/** How guards are declared that are asked of such drafts. */
function guardOf<Asked>() {
  return <const Code extends string, Facts extends z.ZodObject>(
    { value, facts, isAskedAgain = false, against }: Declaration<Asked, Code, Facts>,
  ): Guard<Asked, Code, Facts> => {
    const say = (found: z.output<Facts>) => ({ code: value, facts: found });
    return { value, facts, isAskedAgain, why: (draft) => against(draft, say) };
  };
}

/** Asked before a price is computed; an objection forbids it. */
export const inputGuard = guardOf<Draft>();

/** Asked of a computed price; an objection forbids it, or forbids to apply it without a person. */
export const priceGuard = guardOf<PricedDraft>();

/** Asked when a person approves a price; an objection refuses that. */
export const approvalGuard = guardOf<ApprovedDraft>();
