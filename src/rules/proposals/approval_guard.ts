/** Whether a price may still be applied that a rule asked for a while ago (docs/decisions/rules.md, Proposals). */

import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { objectionToApproval } from "../../engine/pricing/find_price.ts";
import type { ChosenPrice } from "../../engine/pricing/guard.ts";
import type { Situation } from "../../engine/pricing/situation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import type { Saying } from "../../engine/pricing/said.ts";
import type { StoredProposal } from "./proposal.ts";

/** What is known now. */
export interface KnownNow {
  readonly situation: Situation;
  /** Null for a deleted one. */
  readonly rule: JudgedRule | null;
  /** What the price was made from; null when it is not kept any more. */
  readonly trace: Trace | null;
}

/** The first thing that speaks against it, with the code that programs get; null when nothing does. */
export function objectionTo(
  { currentCents, proposedCents, currency }: StoredProposal,
  { situation, rule, trace }: KnownNow,
  chosen: ChosenPrice | null,
): Saying | null {
  if (rule === null) return { code: "rule_deleted", facts: {} };
  if (!rule.enabled) return { code: "rule_off", facts: {} };
  return objectionToApproval({
    rule: compileRule(rule),
    situation,
    proposedCents,
    chosen,
    made: { fromCents: currentCents, currency },
    used: trace?.references.filter(({ isUsed }) => isUsed) ?? [],
  });
}
