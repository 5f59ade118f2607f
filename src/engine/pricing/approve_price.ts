/** Whether a price may still be applied that a rule asked for a while ago (docs/decisions/rules.md, Proposals). */
import type { CompiledRule } from "./compile_rule.ts";
import type { ApprovedDraft, ChosenPrice, UsedReference } from "./draft.ts";
import { boundsOn, tightest } from "./bounds.ts";
import { belowCost, BOUND_GUARDS, priceChanged } from "./guards/approval_guards.ts";
import { INPUT_GUARDS } from "./guards/input_guards.ts";
import { PRICE_GUARDS } from "./guards/price_guards.ts";
import { SAFETY_GUARDS } from "./guards/safety_guards.ts";
import { viewOf } from "./judge_rule.ts";
import { readMarket } from "./market.ts";
import { draftBy } from "./price_needs.ts";
import { maxAgeHoursOf, selectReferences } from "./reference.ts";
import type { Saying } from "./said.ts";
import type { Situation } from "./situation.ts";

/** The price as it was computed, and what is known of its product now. */
export interface Approval {
  /** As it is now. */
  readonly rule: CompiledRule;
  readonly situation: Situation;
  readonly proposedCents: number;
  /** Null: the proposed one is approved. */
  readonly chosen: ChosenPrice | null;
  readonly made: ApprovedDraft["made"];
  /** What it was computed from; a price that was seen again is as young as its newest sight. */
  readonly used: readonly { readonly matchId: string; readonly competitor: string }[];
}

/** The first guard that speaks against it, by the facts of now; null when none does. */
export function objectionToApproval(approval: Approval): Saying | null {
  const draft = draftOf(approval);
  return priceChanged.why(draft) ??
    first(INPUT_GUARDS, draft) ??
    first(PRICE_GUARDS, draft) ??
    first(BOUND_GUARDS, rulesBounds(draft, approval)) ??
    belowCost.why(draft) ??
    first(SAFETY_GUARDS, draft);
}

/** The bounds as they are now: asked once all that they need is known to be there. */
function rulesBounds(draft: ApprovedDraft, { rule }: Approval): ApprovedDraft {
  const bounds = boundsOn(rule.limits, draft.view.market);
  return { ...draft, bounds, tight: tightest(bounds) };
}

interface Asking {
  readonly isAskedAgain: boolean;
  why(draft: ApprovedDraft): Saying | null;
}

function first(guards: readonly Asking[], draft: ApprovedDraft): Saying | null {
  for (const guard of guards) {
    const objection = guard.isAskedAgain ? guard.why(draft) : null;
    if (objection !== null) return objection;
  }
  return null;
}

function draftOf(
  { rule, situation, proposedCents, chosen, made, used }: Approval,
): ApprovedDraft {
  const cents = chosen?.cents ?? proposedCents;
  const market = readMarket(situation);
  const view = viewOf(rule, market, selectReferences(rule.options, market));
  return {
    ...draftBy(rule, view),
    // Only what a rule does by itself is braked.
    brake: null,
    exhausted: null,
    // Whoever approves knows that the rule has fired.
    isCoolingDown: false,
    wish: { cents, used: [] },
    used: used.map((one) => seenNow(one, situation)),
    usedMaxAgeHours: maxAgeHoursOf(rule.options, situation.mode),
    bounds: [],
    tight: tightest([]),
    floorCents: null,
    liftedCents: cents,
    proposedCents: cents,
    aimed: null,
    notes: [],
    made,
    chosen,
  };
}

function seenNow(
  { matchId, competitor }: Approval["used"][number],
  { offers }: Situation,
): UsedReference {
  const offer = offers.find((one) => one.matchId === matchId);
  return { competitor, observedAtMs: offer?.observedAtMs ?? null };
}
