/** Price proposals on both interfaces (docs/decisions/rules.md). */

import { AuditReason } from "../../accounts/audit/audit.ts";
import { keyWith, listFiles, manager, viewer } from "../../accounts/route_access.ts";
import { MajorUnits, MinorUnits } from "../../catalogue/products/product_fields.ts";
import { bothFaces, told, toldPage } from "../../platform/http/face.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import {
  dataPageOf,
  jsonAnswer,
  jsonBody,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../../platform/http/http.ts";
import { BulkDecision, BulkDecisionOutcome, decideMany, Until } from "./decide_many.ts";
import {
  approveProposal,
  type ProposalDeps,
  putOffProposal,
  rejectProposal,
} from "./decide_proposal.ts";
import { previewMany, PreviewQuery, ProposalPreview } from "./preview_many.ts";
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
import { reopenProposal, rollBackProposal, RolledBackProposal } from "./reopen_proposal.ts";
import { z } from "@hono/zod-openapi";

const params = z.object({ id: z.string() });
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

const FACES = bothFaces({
  look: viewer,
  change: manager,
  proposal: Proposal,
  proposals: pageOf(Proposal).extend({ total }).meta({ id: "ProposalPage" }),
}, {
  look: keyWith("proposals:read"),
  change: keyWith("proposals:write"),
  proposal: z.object({ data: Proposal }).meta({ id: "ProposalData" }),
  proposals: dataPageOf(Proposal).extend({ total }).meta({ id: "ProposalDataPage" }),
});

type ProposalFace = (typeof FACES)[number];

function declared({ base, look, change, proposal, proposals }: ProposalFace) {
  return {
    list: route({
      method: "get",
      path: `${base}/proposals`,
      access: look,
      request: { query: ProposalQuery },
      responses: { 200: jsonAnswer(proposals, "In the order of creation, or of `sort`") },
    }),
    approve: route({
      method: "post",
      path: `${base}/proposals/{id}/approve`,
      access: change,
      request: { params, query: largeChange, body: optionalJsonBody(Approval) },
      responses: { 200: jsonAnswer(proposal, "The price is set") },
    }),
    reject: route({
      method: "post",
      path: `${base}/proposals/{id}/reject`,
      access: change,
      request: { params, body: optionalJsonBody(Rejection) },
      responses: { 200: jsonAnswer(proposal, "The proposal is closed") },
    }),
  };
}

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

const preview = route({
  method: "post",
  path: "/api/proposals/bulk/preview",
  access: manager,
  keepsAnswers: false,
  request: { body: optionalJsonBody(PreviewQuery) },
  responses: {
    200: jsonAnswer(ProposalPreview, "What accepting them would do; nothing is written"),
  },
});

const read = route({
  method: "get",
  path: "/api/proposals/{id}",
  access: viewer,
  request: { params },
  responses: { 200: jsonAnswer(ProposalInMarket, "The proposal, with the offers of now") },
});

const later = route({
  method: "post",
  path: "/api/proposals/{id}/later",
  access: manager,
  request: { params, body: jsonBody(PutOff) },
  responses: { 200: jsonAnswer(Proposal, "It comes back by itself at that time") },
});

const rollback = route({
  method: "post",
  path: "/api/proposals/{id}/rollback",
  access: manager,
  request: { params, body: optionalJsonBody(RollBack) },
  responses: { 200: jsonAnswer(RolledBackProposal, "The price is what it was before") },
});

const reopen = route({
  method: "post",
  path: "/api/proposals/{id}/reopen",
  access: manager,
  request: { params },
  responses: { 200: jsonAnswer(Proposal, "The new proposal, of the same price") },
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
  const ofFace = (face: ProposalFace) => {
    const { list, approve, reject } = declared(face);
    return {
      list: room().openapi(list, async (c) => {
        const page = await pageOfProposals(c.var.ctx, c.req.valid("query"), market);
        return c.json(toldPage(face, page), 200);
      }),
      decisions: room()
        .openapi(approve, async (c) => {
          const { allowLargeChange: allowsLargeChange } = c.req.valid("query");
          const options = { ...c.req.valid("json"), allowsLargeChange };
          const applied = await approveProposal(c.var.ctx, deps, c.req.valid("param").id, options);
          return c.json(told(face, await shownProposal(c.var.ctx, applied)), 200);
        })
        .openapi(reject, async (c) => {
          const { reason } = c.req.valid("json");
          const rejected = await rejectProposal(c.var.ctx, c.req.valid("param").id, reason);
          return c.json(told(face, await shownProposal(c.var.ctx, rejected)), 200);
        }),
    };
  };
  const [inApp, external] = [ofFace(FACES[0]), ofFace(FACES[1])];
  return room()
    .route("/", inApp.list)
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
      preview,
      async (c) => c.json(await previewMany(c.var.ctx, market, c.req.valid("json")), 200),
    )
    .openapi(
      read,
      async (c) => c.json(await readProposal(c.var.ctx, market, c.req.valid("param").id), 200),
    )
    .route("/", inApp.decisions)
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
      const { reason } = c.req.valid("json");
      const { id } = c.req.valid("param");
      const { proposal, reopened } = await rollBackProposal(c.var.ctx, deps, id, reason);
      return c.json({ ...await shownProposal(c.var.ctx, proposal), reopened }, 200);
    })
    .route("/", external.list)
    .route("/", external.decisions);
}
