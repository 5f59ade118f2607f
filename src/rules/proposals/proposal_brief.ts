/** A brief: the part of an open proposal that lists need to filter, sort and count it. */
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
  /** Absent when sales are unknown. */
  readonly effect30dCents?: number;
  readonly marginAfterPct: number | null;
  /** How many other rules would set a price of the product; absent for none. */
  readonly behind?: number;
  /** Null for a proposal that was made before anybody kept it. */
  readonly rivals: Rivals | null;
}

/** The stored form in the list of open proposals, whose key contains the id. */
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

/** Without fields that are derived from the trace, because the trace may have expired. */
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
