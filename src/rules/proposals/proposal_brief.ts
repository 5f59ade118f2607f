/** The fields of an open proposal by which lists filter, sort and count. */
import type { Trace } from "../../engine/pricing/trace.ts";
import { pick } from "../../base/collections.ts";
import { LATER_FIELDS, type StoredProposal, worthOf } from "./proposal.ts";
import { RIVALS, type Rivals } from "./priced_product.ts";

const COPIED = [
  "ruleId",
  "ruleName",
  "productId",
  "sku",
  "productTitle",
  "currentCents",
  "proposedCents",
  "currency",
  "createdAt",
  "expiresAt",
  "heldUntil",
] as const;

export interface ProposalBrief extends Pick<StoredProposal, "id" | typeof COPIED[number]> {
  readonly effectCents: number | null;
  readonly effect30dCents?: number;
  readonly marginAfterPct: number | null;
  /** Number of other rules that would also set the price; absent if there are none. */
  readonly behind?: number;
  /** Null in proposals of older versions. */
  readonly rivals: Rivals | null;
}

export type StoredBrief = Omit<ProposalBrief, "id">;

export function briefOf(proposal: StoredProposal, trace: Trace | null): StoredBrief {
  const { marketThen } = proposal;
  const { effectCents, effect30dCents, marginAfterPct } = worthOf(proposal, trace);
  const behind = trace?.behind?.length ?? 0;
  return {
    ...pick({ ...LATER_FIELDS, ...proposal }, COPIED),
    effectCents,
    ...(effect30dCents !== null && { effect30dCents }),
    marginAfterPct,
    ...(behind > 0 && { behind }),
    rivals: marketThen ? pick(marketThen, RIVALS) : null,
  };
}

/** Omits fields that come from the trace. */
export function withoutWorth(
  {
    effectCents: _effect,
    effect30dCents: _sold,
    marginAfterPct: _margin,
    behind: _behind,
    ...brief
  }: StoredBrief,
): Partial<StoredBrief> {
  return brief;
}
