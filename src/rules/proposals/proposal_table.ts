import { exponentOf } from "../../base/currency.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  type Amount,
  amountCell,
  codeCell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import type { Proposal } from "./proposal.ts";
import { pageOfProposals, type ProposalFilter } from "./read_proposals.ts";

const COLUMNS: Columns<Proposal> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  status: ({ status }) => codeCell("proposalStatuses", status),
  sku: ({ sku }) => sku,
  title: ({ productTitle }) => productTitle,
  rule: ({ ruleName }) => ruleName,
  current: (proposal) => amountOf(proposal, proposal.currentCents),
  proposed: (proposal) => amountOf(proposal, proposal.proposedCents),
  applied: (proposal) => amountOf(proposal, proposal.appliedCents),
  currency: ({ currency }) => currency,
  marginPct: ({ marginPct }) => marginPct,
  marginAfterPct: ({ marginAfterPct }) => marginAfterPct,
  effect: (proposal) => amountOf(proposal, proposal.effect?.cents ?? null),
  effectBasis: ({ effect }) => codeCell("effectBases", effect?.basis ?? null),
  units30d: ({ units30d }) => units30d,
  cheapest: (proposal) => amountOf(proposal, proposal.marketNow?.cheapestCents ?? null),
  cheapestCompetitor: ({ marketNow }) => marketNow?.cheapestCompetitor ?? null,
  gapPct: ({ marketNow }) => marketNow?.gapPct ?? null,
  gapAfterPct: ({ marketAfter }) => marketAfter?.gapPct ?? null,
  rank: ({ marketNow }) => marketNow?.rank ?? null,
  rankAfter: ({ marketAfter }) => marketAfter?.rank ?? null,
  of: ({ marketNow }) => marketNow?.of ?? null,
  hasMarketMoved: ({ hasMarketMoved }) => hasMarketMoved,
  reason: ({ reason }) => reason,
  expiresAt: ({ expiresAt }) => momentCell(expiresAt),
  heldUntil: ({ heldUntil }) => momentCell(heldUntil),
  decidedAt: ({ decidedAt }) => momentCell(decidedAt),
  decidedBy: ({ decidedBy }) => decidedBy?.name ?? null,
  decisionReason: ({ decisionReason }) => decisionReason,
  ruleId: ({ ruleId }) => ruleId,
  productId: ({ productId }) => productId,
  id: ({ id }) => id,
};

function amountOf({ currency }: Proposal, cents: number | null): Amount | null {
  return amountCell(cents, exponentOf(currency));
}

/** Every proposal that fits, in the order of the list. Refuses as the list does. */
export async function openProposalTable(
  ctx: Context,
  filter: ProposalFilter,
  market: MarketSource,
): Promise<OutgoingTable> {
  return await openListTable(
    "proposals",
    COLUMNS,
    (page) => pageOfProposals(ctx, { ...filter, ...page }, market),
  );
}
