/**
 * What a decision about many proposals leaves alone: they stay open. A preview counts by the same kinds
 * (docs/decisions/rules.md).
 */
import { z } from "@hono/zod-openapi";
import type { ProposalBrief } from "./proposal_brief.ts";

const LEFT_OUT_IDS_MAX = 200;

/** Kinds of proposals that somebody may not want to accept unseen; one may be of several. */
export const LEAVABLE_KINDS = ["below_cost", "thin", "moved", "large", "unsold"] as const;
export type LeavableKind = (typeof LEAVABLE_KINDS)[number];

/** In percent of the net price or of today's; null for a kind without a bound. */
export const KIND_PCT = { below_cost: 0, thin: 10, moved: null, large: 8, unsold: null } as const;

export const LeavableKindCode = z.enum(LEAVABLE_KINDS).meta({
  description: "`below_cost`: the margin after it is below 0; `thin`: below 10 %; `moved`: " +
    "competitors have moved since it was made; `large`: the price moves by more than 8 %; " +
    "`unsold`: sales are known, and there was none in 30 days",
});

export const LeaveOut = z.strictObject({
  kinds: z.array(LeavableKindCode).max(LEAVABLE_KINDS.length).default([]),
  ids: z.array(z.string()).max(LEFT_OUT_IDS_MAX).default([]),
}).meta({ id: "LeftOutProposals" });

export type LeaveOut = Readonly<z.infer<typeof LeaveOut>>;

/** The kinds of a proposal whose market has moved, or not; exact. */
export function kindsOf(brief: ProposalBrief, hasMarketMoved: boolean): readonly LeavableKind[] {
  const { currentCents, proposedCents, marginAfterPct, effect30dCents } = brief;
  const change = Math.abs(proposedCents - currentCents);
  const isOf: Readonly<Record<LeavableKind, boolean>> = {
    below_cost: marginAfterPct !== null && marginAfterPct < KIND_PCT.below_cost,
    thin: marginAfterPct !== null && marginAfterPct < KIND_PCT.thin,
    moved: hasMarketMoved,
    large: change * 100 > currentCents * KIND_PCT.large,
    unsold: effect30dCents === 0,
  };
  return LEAVABLE_KINDS.filter((kind) => isOf[kind]);
}

/** Whether it is left out, for another reason than the kind `besides`. */
export function isLeftOut(
  { id }: Pick<ProposalBrief, "id">,
  kinds: readonly LeavableKind[],
  leaveOut: LeaveOut,
  besides: LeavableKind | null = null,
): boolean {
  return leaveOut.ids.includes(id) ||
    kinds.some((kind) => kind !== besides && leaveOut.kinds.includes(kind));
}
