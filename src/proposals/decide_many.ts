import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import type { Context } from "../platform/store/context.ts";
import { approveProposal, type ProposalDeps, rejectProposal } from "./decide_proposal.ts";

const IDS_MAX = 200;

/** One decision about many proposals; each is judged by itself (docs/decisions/rules.md). */
export const BulkDecision = z.strictObject({
  action: z.enum(["approve", "reject"]),
  ids: z.array(z.string()).min(1).max(IDS_MAX),
}).meta({ id: "BulkDecision" });

export type BulkDecision = z.infer<typeof BulkDecision>;

export const BulkDecisionOutcome = z.object({
  results: z.array(z.object({
    id: z.string(),
    ok: z.boolean(),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }).optional(),
  })),
}).meta({ id: "BulkDecisionOutcome" });

export type BulkDecisionOutcome = z.infer<typeof BulkDecisionOutcome>;

/** One result per id in their order; an id that stands there twice is refused the second time. */
export async function decideMany(
  ctx: Context,
  deps: ProposalDeps,
  { action, ids }: BulkDecision,
): Promise<BulkDecisionOutcome> {
  // The answer is kept for a repeated request; a crash in the middle shows in the proposals.
  const each = { ...ctx, receipt: null };
  const results: BulkDecisionOutcome["results"] = [];
  for (const id of ids) {
    try {
      if (action === "approve") await approveProposal(each, deps, id);
      else await rejectProposal(each, id);
      results.push({ id, ok: true });
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      const { code, message, details } = error;
      results.push({ id, ok: false, error: { code, message, ...(details && { details }) } });
    }
  }
  return { results };
}
