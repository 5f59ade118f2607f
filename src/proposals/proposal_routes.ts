/** Price proposals on both interfaces (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { dataPageOf, jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import { BulkDecision, BulkDecisionOutcome, decideMany } from "./decide_many.ts";
import {
  approveProposal,
  type ProposalDeps,
  rejectProposal,
  rollBackProposal,
} from "./decide_proposal.ts";
import { Proposal } from "./proposal.ts";
import { pageOfProposals, ProposalQuery, readProposal, shownProposal } from "./read_proposals.ts";
import { manager, viewer } from "../identity/route_access.ts";

const reader = { by: "key", scopes: ["proposals:read"] } as const;
const writer = { by: "key", scopes: ["proposals:write"] } as const;
const params = z.object({ id: z.string() });
const Enveloped = z.object({ data: Proposal }).meta({ id: "ProposalData" });

const list = route({
  method: "get",
  path: "/api/proposals",
  access: viewer,
  request: { query: ProposalQuery },
  responses: {
    200: jsonAnswer(pageOf(Proposal).meta({ id: "ProposalPage" }), "In the order of creation"),
  },
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
  responses: { 200: jsonAnswer(Proposal, "The proposal") },
});

const decision = <Path extends string>(path: Path, description: string) =>
  route({
    method: "post",
    path,
    access: manager,
    request: { params },
    responses: { 200: jsonAnswer(Proposal, description) },
  });

const approve = decision("/api/proposals/{id}/approve", "The price is set");
const reject = decision("/api/proposals/{id}/reject", "The proposal is closed");
const rollback = decision("/api/proposals/{id}/rollback", "The price is what it was before");

const externalList = route({
  method: "get",
  path: "/api/public/v1/proposals",
  access: reader,
  request: { query: ProposalQuery },
  responses: {
    200: jsonAnswer(
      dataPageOf(Proposal).meta({ id: "ProposalDataPage" }),
      "In the order of creation",
    ),
  },
});

const externalDecision = <Path extends string>(path: Path, description: string) =>
  route({
    method: "post",
    path,
    access: writer,
    request: { params },
    responses: { 200: jsonAnswer(Enveloped, description) },
  });

const externalApprove = externalDecision(
  "/api/public/v1/proposals/{id}/approve",
  "The price is set",
);
const externalReject = externalDecision(
  "/api/public/v1/proposals/{id}/reject",
  "The proposal is closed",
);

export function proposalRoutes(deps: ProposalDeps) {
  return room()
    .openapi(list, async (c) => c.json(await pageOfProposals(c.var.ctx, c.req.valid("query")), 200))
    .openapi(
      bulk,
      async (c) => c.json(await decideMany(c.var.ctx, deps, c.req.valid("json")), 200),
    )
    .openapi(
      read,
      async (c) => c.json(await readProposal(c.var.ctx, c.req.valid("param").id), 200),
    )
    .openapi(approve, async (c) => {
      const applied = await approveProposal(c.var.ctx, deps, c.req.valid("param").id);
      return c.json(await shownProposal(c.var.ctx, applied), 200);
    })
    .openapi(reject, async (c) => {
      const rejected = await rejectProposal(c.var.ctx, c.req.valid("param").id);
      return c.json(await shownProposal(c.var.ctx, rejected), 200);
    })
    .openapi(rollback, async (c) => {
      const rolledBack = await rollBackProposal(c.var.ctx, c.req.valid("param").id);
      return c.json(await shownProposal(c.var.ctx, rolledBack), 200);
    })
    .openapi(externalList, async (c) => {
      const { items, ...page } = await pageOfProposals(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(externalApprove, async (c) => {
      const applied = await approveProposal(c.var.ctx, deps, c.req.valid("param").id);
      return c.json({ data: await shownProposal(c.var.ctx, applied) }, 200);
    })
    .openapi(externalReject, async (c) => {
      const rejected = await rejectProposal(c.var.ctx, c.req.valid("param").id);
      return c.json({ data: await shownProposal(c.var.ctx, rejected) }, 200);
    });
}
