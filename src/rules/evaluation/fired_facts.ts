import type { AlertFacts } from "../../engine/wording/alert_facts.ts";
import type { Decision } from "../../engine/pricing/decide.ts";

interface FiredFor {
  readonly ruleName: string;
  readonly sku: string;
  readonly productTitle: string;
}

/** What an alert of a rule tells of; the competitor is the one that the trigger compared with. */
export function firedFacts(decision: Decision, about: FiredFor): AlertFacts {
  const { outcome, currentCents, proposedCents, marginPct, bindingGuard } = decision;
  const { inputs, trigger, references } = decision.trace();
  const compared = references.find(({ matchId }) => trigger.comparedWith.includes(matchId));
  return {
    code: "rule_fired",
    ...about,
    trigger: trigger.value,
    outcome,
    currency: inputs.currency,
    currentCents,
    proposedCents,
    marginPct,
    competitor: compared?.competitor ?? null,
    competitorCents: compared?.unitCents ?? null,
    guard: bindingGuard,
  };
}
