/** Whether a price may still be applied that a rule asked for a while ago (docs/decisions/rules.md, Proposals). */
import type { CompiledRule } from "./compile_rule.ts";
import type { ApprovedDraft, UsedReference } from "./draft.ts";
import { marginFloor, priceChanged } from "./guards/approval_guards.ts";
import { INPUT_GUARDS } from "./guards/input_guards.ts";
import { PRICE_GUARDS } from "./guards/price_guards.ts";
import { SAFETY_GUARDS } from "./guards/safety_guards.ts";
import { readMarket } from "./market.ts";
import { lacksVat, maxAgeHoursOf, selectReferences } from "./reference.ts";
import type { Saying } from "./said.ts";
import type { Situation } from "./situation.ts";

/** The price as it was computed, and what is known of its product now. */
export interface Approval {
  /** As it is now. */
  readonly rule: CompiledRule;
  readonly situation: Situation;
  readonly proposedCents: number;
  readonly made: ApprovedDraft["made"];
  /** What it was computed from; a price that was seen again is as young as its newest sight. */
  readonly used: readonly { readonly matchId: string; readonly competitor: string }[];
}

const NO_NEEDS = { references: false, targetMargin: false };

/** The first guard that speaks against it, by the facts of now; null when none does. */
export function objectionToApproval(approval: Approval): Saying | null {
  const draft = draftOf(approval);
  return priceChanged.why(draft) ??
    first(INPUT_GUARDS, draft) ??
    first(PRICE_GUARDS, draft) ??
    marginFloor.why(draft) ??
    first(SAFETY_GUARDS, draft);
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

function draftOf({ rule, situation, proposedCents, made, used }: Approval): ApprovedDraft {
  const market = readMarket(situation);
  const needs = rule.price?.formula.needs ?? NO_NEEDS;
  const { options, floorPct } = rule;
  const looksAtOffers = rule.needs.references || needs.references;
  return {
    view: {
      market,
      references: selectReferences(options, market),
      options,
      memory: situation.history.rules[rule.id] ?? null,
      ourPriceCents: situation.product.ourPriceCents ?? 0,
    },
    needs,
    targetMarginPct: rule.price?.terms.targetMarginPct ?? null,
    maxChangePct: rule.price?.terms.maxChangePct ?? null,
    floorPct,
    lacksVat: looksAtOffers && lacksVat(options, market),
    // Whoever approves knows that the rule has fired.
    isCoolingDown: false,
    wish: { cents: proposedCents, used: [] },
    used: used.map((one) => seenNow(one, situation)),
    usedMaxAgeHours: maxAgeHoursOf(options, situation.mode),
    floorCents: null,
    liftedCents: proposedCents,
    proposedCents,
    made,
  };
}

function seenNow(
  { matchId, competitor }: Approval["used"][number],
  { offers }: Situation,
): UsedReference {
  const offer = offers.find((one) => one.matchId === matchId);
  return { competitor, observedAtMs: offer?.observedAtMs ?? null };
}
