/** Price proposals on both interfaces (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { MajorUnits, MinorUnits } from "../../catalogue/products/product_fields.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { BulkDecision, BulkDecisionOutcome, decideMany, Until } from "./decide_many.ts";
import {
  approveProposal,
  type ProposalDeps,
  putOffProposal,
  rejectProposal,
} from "./decide_proposal.ts";
import { Proposal, ProposalInMarket } from "./proposal.ts";
import { previewMany, PreviewQuery, ProposalPreview } from "./preview_many.ts";
import { ProposalSummary, ProposalSummaryQuery, summariseProposals } from "./proposal_summary.ts";
import { openProposalTable } from "./proposal_table.ts";
import {
  pageOfProposals,
  ProposalFilter,
  ProposalQuery,
  readProposal,
  shownProposal,
} from "./read_proposals.ts";
import { reopenProposal, rollBackProposal, RolledBackProposal } from "./reopen_proposal.ts";
import { keyWith, manager, viewer } from "../../accounts/route_access.ts";

const total = z.int().nullable().meta({
  description: "How many open ones fit; null of others, which nobody counts",
});

/** Nothing in it: the proposed price is set. */
const Approval = z.strictObject({
  price: MajorUnits.unwrap().optional().meta({
    description: "Another price than the proposed one, in major units",
  }),
  priceCents: MinorUnits.unwrap().min(1).optional().meta({
    description: "The same in minor units; beside `price` both must agree",
  }),
  reason: AuditReason.optional().meta({
    description: "Why, for the audit log; a price below cost or margin floor needs it",
  }),
}).meta({ id: "ProposalApproval" });

const Rejection = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRejection" });

const RollBack = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRollBack" });

const PutOff = z.strictObject({ until: Until }).meta({ id: "ProposalPutOff" });

const largeChange = z.object({
  allowLargeChange: flagQuery.meta({
    type: "boolean",
    description: "Lets a price become exactly 100 times what it was",
  }),
});

const proposal = (words: string) => one(Proposal, words, { external: "ProposalData" });

export function proposalRoutes(deps: ProposalDeps) {
  return [...manyRoutes(deps), ...oneRoutes(deps)];
}

const ACCESS = { look: { people: viewer }, change: { people: manager } };

/** Of many proposals at once. */
function manyRoutes(deps: ProposalDeps) {
  const { market } = deps;
  return resource("/proposals", ACCESS)
    .list({
      callers: { people: viewer, keys: keyWith("proposals:read") },
      query: ProposalQuery,
      answer: page(Proposal, "In the order of creation, or of `sort`", {
        inApp: "ProposalPage",
        external: "ProposalDataPage",
        extra: { total },
      }),
    }, ({ ctx, query }) => pageOfProposals(ctx, query, market))
    .files("", {
      query: ProposalFilter,
      words: "Every proposal that fits, in the order of the list",
      open: (ctx, filter) => openProposalTable(ctx, filter, market),
    })
    .get("/summary", {
      query: ProposalSummaryQuery,
      answer: one(ProposalSummary, "How many wait, by kind and by rule"),
    }, ({ ctx, query }) => summariseProposals(ctx, market, query))
    .post("/bulk", {
      body: BulkDecision,
      answer: one(BulkDecisionOutcome, "What became of each id"),
    }, ({ ctx, body }) => decideMany(ctx, deps, body))
    .post("/bulk/preview", {
      keepsAnswers: false,
      optionalBody: PreviewQuery,
      answer: one(ProposalPreview, "What accepting them would do; nothing is written"),
    }, ({ ctx, body }) => previewMany(ctx, market, body)).routes;
}

function oneRoutes(deps: ProposalDeps) {
  const deciders = { people: manager, keys: keyWith("proposals:write") };
  return resource("/proposals", ACCESS)
    .read({
      answer: one(ProposalInMarket, "The proposal, with the offers of now"),
    }, ({ ctx, id }) => readProposal(ctx, deps.market, id))
    .post("/{id}/approve", {
      callers: deciders,
      query: largeChange,
      optionalBody: Approval,
      answer: proposal("The price is set"),
    }, async ({ ctx, id, query, body }) => {
      const options = { ...body, allowsLargeChange: query.allowLargeChange };
      return await shownProposal(ctx, await approveProposal(ctx, deps, id, options));
    })
    .post("/{id}/reject", {
      callers: deciders,
      optionalBody: Rejection,
      answer: proposal("The proposal is closed"),
    }, async ({ ctx, id, body: { reason } }) => {
      return await shownProposal(ctx, await rejectProposal(ctx, id, reason));
    })
    .post("/{id}/later", {
      body: PutOff,
      answer: one(Proposal, "It comes back by itself at that time"),
    }, async ({ ctx, id, body: { until } }) => {
      const time = until === null ? null : new Date(until);
      return await shownProposal(ctx, await putOffProposal(ctx, id, time));
    })
    .post("/{id}/reopen", {
      answer: one(Proposal, "The new proposal, of the same price"),
    }, async ({ ctx, id }) => await shownProposal(ctx, await reopenProposal(ctx, deps, id)))
    .post("/{id}/rollback", {
      optionalBody: RollBack,
      answer: one(RolledBackProposal, "The price is what it was before"),
    }, async ({ ctx, id, body: { reason } }) => {
      const { proposal, reopened } = await rollBackProposal(ctx, deps, id, reason);
      return { ...await shownProposal(ctx, proposal), reopened };
    }).routes;
}
