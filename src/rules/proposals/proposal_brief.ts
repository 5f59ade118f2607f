/** The fields of an open proposal by which lists filter, sort and count. */
import type { Trace } from "../../engine/pricing/trace.ts";
import { type StoredProposal, worthOf } from "./proposal.ts";
import type { Rivals } from "./priced_product.ts";

type Copied =
  | "ruleId"
  | "ruleName"
  | "productId"
  | "sku"
  | "productTitle"
  | "currentCents"
  | "proposedCents"
  | "currency"
  | "createdAt"
  | "expiresAt"
  | "heldUntil";

export interface ProposalBrief extends Pick<StoredProposal, "id" | Copied> {
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
  const { ruleId, ruleName, productId, sku, productTitle = null } = proposal;
  const { currentCents, proposedCents, currency } = proposal;
  const { createdAt, expiresAt, heldUntil = null } = proposal;
  const { effectCents, effect30dCents, marginAfterPct } = worthOf(proposal, trace);
  const behind = trace?.behind?.length ?? 0;
  return {
    ruleId,
    ruleName,
    productId,
    sku,
    productTitle,
    currentCents,
    proposedCents,
    currency,
    createdAt,
    expiresAt,
    heldUntil,
    effectCents,
    ...(effect30dCents !== null && { effect30dCents }),
    marginAfterPct,
    ...(behind > 0 && { behind }),
    rivals: rivalsOf(proposal),
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

function rivalsOf({ marketThen }: StoredProposal): Rivals | null {
  if (!marketThen) return null;
  const { offers, cheapestCents, cheapestCompetitorId, averageCents } = marketThen;
  return { offers, cheapestCents, cheapestCompetitorId, averageCents };
}
