/** Routes of price proposals (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../accounts/audit/audit.ts";
import { keyWith, manager, viewer } from "../accounts/roles.ts";
import { type Columns, fields, moments, openListTable } from "../catalogue/lists/list_file.ts";
import type { MarketSource } from "../catalogue/prices/product_market.ts";
import { MajorUnits, MinorUnits } from "../catalogue/products/product_fields.ts";
import { allowLargeChange } from "../catalogue/products/product_input.ts";
import { codeCell } from "../engine/wording/code_words.ts";
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { momentCell, moneyCell } from "../platform/tables/cell.ts";
import type { Context } from "../platform/store/context.ts";
import { decideProposal, type Decision, ReopenedProposal } from "./decide_proposal.ts";
import {
  previewMany,
  PreviewQuery,
  ProposalPreview,
  ProposalSummary,
  ProposalSummaryQuery,
  summariseProposals,
} from "./proposals/preview_many.ts";
import { Proposal, ProposalInMarket } from "./proposals/proposal.ts";
import {
  pageOfProposals,
  ProposalFilter,
  ProposalQuery,
  readProposal,
  serialiseProposal,
} from "./proposals/read_proposals.ts";
import { BulkDecision, BulkDecisionOutcome, decideMany, Until } from "./decide_many.ts";

const total = z.int().nullable()
  .describe("Number of matching open proposals; null for other statuses, which are not counted");

/** An empty body approves the proposed price. */
const Approval = z.strictObject({
  price: MajorUnits.unwrap().optional()
    .describe("Another price than the proposed one, in major units"),
  priceCents: MinorUnits.unwrap().min(1).optional()
    .describe("The price in minor units; if `price` is given too, both must agree"),
  reason: AuditReason.optional()
    .describe("The reason, for the audit log; required for a price below cost or margin floor"),
}).meta({ id: "ProposalApproval" });

const Rejection = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRejection" });

const RollBack = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRollBack" });

const RolledBackProposal = Proposal.extend({ reopened: ReopenedProposal })
  .meta({ id: "RolledBackProposal" });

const PutOff = z.strictObject({ until: Until }).meta({ id: "ProposalPutOff" });

const proposal = (words: string) => one(Proposal, words, { external: "ProposalData" });

const proposalPage = page(Proposal, "In the order of creation, or of `sort`", {
  inApp: "ProposalPage",
  external: "ProposalDataPage",
  extra: { total },
});

export function proposalRoutes(market: MarketSource) {
  return listRoutes(market)
    .read({
      answer: one(ProposalInMarket, "The proposal, with the current offers of its product"),
    }, ({ ctx, id }) => readProposal(ctx, market, id))
    .post("/{id}/approve", {
      query: z.strictObject({ allowLargeChange }),
      optionalBody: Approval,
      answer: proposal("The price was set"),
    }, ({ ctx, id, query, body }) => {
      const allowsLargeChange = query.allowLargeChange;
      return decide(ctx, id, { action: "approve", ...body, allowsLargeChange });
    })
    .post("/{id}/reject", {
      optionalBody: Rejection,
      answer: proposal("The proposal is closed"),
    }, ({ ctx, id, body }) => decide(ctx, id, { action: "reject", ...body }))
    .post("/{id}/later", {
      body: PutOff,
      answer: proposal("The proposal is hidden until that time"),
    }, ({ ctx, id, body }) => decide(ctx, id, { action: "later", ...body }))
    .post("/{id}/reopen", {
      callers: { people: manager },
      answer: one(Proposal, "The new proposal, with the same price"),
    }, ({ ctx, id }) => decide(ctx, id, { action: "reopen" }))
    .post("/{id}/rollback", {
      callers: { people: manager },
      optionalBody: RollBack,
      answer: one(RolledBackProposal, "The earlier price is set again"),
    }, async ({ ctx, id, body }) => {
      const { proposal, reopened } = await decideProposal(ctx, id, { action: "rollback", ...body });
      if (!reopened) throw new Error("A rollback does not say what became of its proposal");
      return { ...await serialiseProposal(ctx, proposal), reopened };
    }).routes;
}

async function decide(ctx: Context, id: string, decision: Decision) {
  const { proposal } = await decideProposal(ctx, id, decision);
  return await serialiseProposal(ctx, proposal);
}

function listRoutes(market: MarketSource) {
  return resource("/proposals", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    change: { people: manager, keys: keyWith("proposals:write") },
  })
    .list({
      query: ProposalQuery,
      answer: proposalPage,
    }, ({ ctx, query }) => pageOfProposals(ctx, query, market))
    .files("", {
      query: ProposalFilter,
      words: "All matching proposals, in the order of the list",
      open: (ctx, filter) =>
        openListTable(
          "proposals",
          COLUMNS,
          (page) => pageOfProposals(ctx, { ...filter, ...page }, market),
        ),
    })
    .get("/summary", {
      callers: { people: viewer },
      query: ProposalSummaryQuery,
      answer: one(ProposalSummary, "Number of open proposals, by kind and by rule"),
    }, ({ ctx, query }) => summariseProposals(ctx, market, query))
    .post("/bulk", {
      body: BulkDecision,
      answer: one(BulkDecisionOutcome, "The result for each id"),
    }, ({ ctx, body }) => decideMany(ctx, market, body))
    .post("/bulk/preview", {
      callers: { people: manager },
      keepsAnswers: false,
      optionalBody: PreviewQuery,
      answer: one(ProposalPreview, "What approving them would change; nothing is written"),
    }, ({ ctx, body }) => previewMany(ctx, market, body));
}

const COLUMNS: Columns<Proposal> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  status: ({ status }) => codeCell("proposalStatuses", status),
  sku: ({ sku }) => sku,
  title: ({ productTitle }) => productTitle,
  rule: ({ ruleName }) => ruleName,
  current: ({ currentCents, currency }) => moneyCell(currentCents, currency),
  proposed: ({ proposedCents, currency }) => moneyCell(proposedCents, currency),
  applied: ({ appliedCents, currency }) => moneyCell(appliedCents, currency),
  ...fields("currency", "marginPct", "marginAfterPct"),
  effect: ({ effect, currency }) => moneyCell(effect?.cents ?? null, currency),
  effectBasis: ({ effect }) => codeCell("effectBases", effect?.basis ?? null),
  units30d: ({ units30d }) => units30d,
  cheapest: ({ marketNow, currency }) => moneyCell(marketNow?.cheapestCents ?? null, currency),
  cheapestCompetitor: ({ marketNow }) => marketNow?.cheapestCompetitor ?? null,
  gapPct: ({ marketNow }) => marketNow?.gapPct ?? null,
  gapAfterPct: ({ marketAfter }) => marketAfter?.gapPct ?? null,
  rank: ({ marketNow }) => marketNow?.rank ?? null,
  rankAfter: ({ marketAfter }) => marketAfter?.rank ?? null,
  of: ({ marketNow }) => marketNow?.of ?? null,
  ...fields("hasMarketMoved", "reason"),
  ...moments("expiresAt", "heldUntil", "decidedAt"),
  decidedBy: ({ decidedBy }) => decidedBy?.name ?? null,
  ...fields("decisionReason", "ruleId", "productId", "id"),
};
