/** Price proposals on both interfaces (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../audit/audit.ts";
import { MajorUnits, MinorUnits } from "../catalogue/products/product_fields.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import {
  dataPageOf,
  jsonAnswer,
  jsonBody,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import { BulkDecision, BulkDecisionOutcome, decideMany, Until } from "./decide_many.ts";
import {
  approveProposal,
  type ProposalDeps,
  putOffProposal,
  rejectProposal,
  reopenProposal,
  rollBackProposal,
} from "./decide_proposal.ts";
import { Proposal, ProposalInMarket } from "./proposal.ts";
import { ProposalSummary, ProposalSummaryQuery, summariseProposals } from "./proposal_summary.ts";
import { openProposalTable } from "./proposal_table.ts";
import {
  pageOfProposals,
  ProposalFilter,
  ProposalQuery,
  readProposal,
  shownProposal,
} from "./read_proposals.ts";
import { listFiles } from "../identity/list_files.ts";
import { manager, viewer } from "../identity/route_access.ts";

const reader = { by: "key", scopes: ["proposals:read"] } as const;
const writer = { by: "key", scopes: ["proposals:write"] } as const;
const params = z.object({ id: z.string() });
const Enveloped = z.object({ data: Proposal }).meta({ id: "ProposalData" });
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

const PutOff = z.strictObject({ until: Until }).meta({ id: "ProposalPutOff" });

const largeChange = z.object({
  allowLargeChange: flagQuery.meta({
    type: "boolean",
    description: "Lets a price become exactly 100 times what it was",
  }),
});

const list = route({
  method: "get",
  path: "/api/proposals",
  access: viewer,
  request: { query: ProposalQuery },
  responses: {
    200: jsonAnswer(
      pageOf(Proposal).extend({ total }).meta({ id: "ProposalPage" }),
      "In the order of creation, or of `sort`",
    ),
  },
});

const summary = route({
  method: "get",
  path: "/api/proposals/summary",
  access: viewer,
  request: { query: ProposalSummaryQuery },
  responses: { 200: jsonAnswer(ProposalSummary, "How many wait, by kind and by rule") },
});

const bulk = route({
  method: "post",
  path: "/api/proposals/bulk",
  access: manager,
  request: { body: jsonBody(BulkDecision) },
  responses: { 200: jsonAnswer(BulkDecisionOutcome, "What became of each id") },
});

const read = route({
  method: "get",
  path: "/api/proposals/{id}",
  access: viewer,
  request: { params },
  responses: { 200: jsonAnswer(ProposalInMarket, "The proposal, with the offers of now") },
});

const decision = <Path extends string>(path: Path, description: string) =>
  route({
    method: "post",
    path,
    access: manager,
    request: { params },
    responses: { 200: jsonAnswer(Proposal, description) },
  });

const approve = route({
  method: "post",
  path: "/api/proposals/{id}/approve",
  access: manager,
  request: { params, query: largeChange, body: optionalJsonBody(Approval) },
  responses: { 200: jsonAnswer(Proposal, "The price is set") },
});
const reject = route({
  method: "post",
  path: "/api/proposals/{id}/reject",
  access: manager,
  request: { params, body: optionalJsonBody(Rejection) },
  responses: { 200: jsonAnswer(Proposal, "The proposal is closed") },
});
const later = route({
  method: "post",
  path: "/api/proposals/{id}/later",
  access: manager,
  request: { params, body: jsonBody(PutOff) },
  responses: { 200: jsonAnswer(Proposal, "It comes back by itself at that time") },
});
const rollback = decision("/api/proposals/{id}/rollback", "The price is what it was before");
const reopen = decision("/api/proposals/{id}/reopen", "The new proposal, of the same price");

const externalList = route({
  method: "get",
  path: "/api/public/v1/proposals",
  access: reader,
  request: { query: ProposalQuery },
  responses: {
    200: jsonAnswer(
      dataPageOf(Proposal).extend({ total }).meta({ id: "ProposalDataPage" }),
      "In the order of creation, or of `sort`",
    ),
  },
});

const externalApprove = route({
  method: "post",
  path: "/api/public/v1/proposals/{id}/approve",
  access: writer,
  request: { params, query: largeChange, body: optionalJsonBody(Approval) },
  responses: { 200: jsonAnswer(Enveloped, "The price is set") },
});
const externalReject = route({
  method: "post",
  path: "/api/public/v1/proposals/{id}/reject",
  access: writer,
  request: { params, body: optionalJsonBody(Rejection) },
  responses: { 200: jsonAnswer(Enveloped, "The proposal is closed") },
});

export function proposalRoutes(deps: ProposalDeps) {
  const { market } = deps;
  const files = listFiles({
    path: "/api/proposals",
    access: viewer,
    query: ProposalFilter,
    describes: "Every proposal that fits, in the order of the list",
    open: (ctx, filter) => openProposalTable(ctx, filter, market),
  });
  return room()
    .openapi(
      list,
      async (c) => c.json(await pageOfProposals(c.var.ctx, c.req.valid("query"), market), 200),
    )
    .route("/", files)
    .openapi(
      summary,
      async (c) => c.json(await summariseProposals(c.var.ctx, market, c.req.valid("query")), 200),
    )
    .openapi(
      bulk,
      async (c) => c.json(await decideMany(c.var.ctx, deps, c.req.valid("json")), 200),
    )
    .openapi(
      read,
      async (c) => c.json(await readProposal(c.var.ctx, market, c.req.valid("param").id), 200),
    )
    .openapi(approve, async (c) => {
      const { allowLargeChange: allowsLargeChange } = c.req.valid("query");
      const options = { ...c.req.valid("json"), allowsLargeChange };
      const applied = await approveProposal(c.var.ctx, deps, c.req.valid("param").id, options);
      return c.json(await shownProposal(c.var.ctx, applied), 200);
    })
    .openapi(reject, async (c) => {
      const { reason } = c.req.valid("json");
      const rejected = await rejectProposal(c.var.ctx, c.req.valid("param").id, reason);
      return c.json(await shownProposal(c.var.ctx, rejected), 200);
    })
    .openapi(later, async (c) => {
      const { until } = c.req.valid("json");
      const time = until === null ? null : new Date(until);
      const putOff = await putOffProposal(c.var.ctx, c.req.valid("param").id, time);
      return c.json(await shownProposal(c.var.ctx, putOff), 200);
    })
    .openapi(reopen, async (c) => {
      const reopened = await reopenProposal(c.var.ctx, deps, c.req.valid("param").id);
      return c.json(await shownProposal(c.var.ctx, reopened), 200);
    })
    .openapi(rollback, async (c) => {
      const rolledBack = await rollBackProposal(c.var.ctx, c.req.valid("param").id);
      return c.json(await shownProposal(c.var.ctx, rolledBack), 200);
    })
    .openapi(externalList, async (c) => {
      const query = c.req.valid("query");
      const { items, ...page } = await pageOfProposals(c.var.ctx, query, market);
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(externalApprove, async (c) => {
      const { allowLargeChange: allowsLargeChange } = c.req.valid("query");
      const options = { ...c.req.valid("json"), allowsLargeChange };
      const applied = await approveProposal(c.var.ctx, deps, c.req.valid("param").id, options);
      return c.json({ data: await shownProposal(c.var.ctx, applied) }, 200);
    })
    .openapi(externalReject, async (c) => {
      const { reason } = c.req.valid("json");
      const rejected = await rejectProposal(c.var.ctx, c.req.valid("param").id, reason);
      return c.json({ data: await shownProposal(c.var.ctx, rejected) }, 200);
    });
}
