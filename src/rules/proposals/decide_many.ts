/** Applies one decision to many proposals. Each proposal has its own commit and its own result. */
import { AuditReason } from "../../accounts/audit/audit.ts";
import { requireRefusal } from "../../base/failure.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import { pageQuery } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  approveProposal,
  type ProposalDeps,
  putOffProposal,
  rejectProposal,
} from "./decide_proposal.ts";
import { movedAmong, OPEN_FILTER_SHAPE } from "./proposal_filter.ts";
import { isLeftOut, kindsOf, LeaveOut } from "./preview_many.ts";
import type { StoredProposal } from "./proposal.ts";
import { findOpenBriefsOf } from "./proposal_store.ts";
import { ANY_FILTER_SHAPE, pageOfRows } from "./read_proposals.ts";
import { ReopenedProposal, reopenProposal, rollBackProposal } from "./reopen_proposal.ts";
import { z } from "@hono/zod-openapi";

const IDS_MAX = 500;

const BULK_ACTIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

/** Null shows the proposal now. */
export const Until = z.iso.datetime({ offset: true }).nullable()
  .describe("In the future, at most 30 days ahead; null shows it again now");

export const BulkDecision = z.strictObject({
  action: z.enum(BULK_ACTIONS).describe("What to do with each proposal"),
  ids: z.array(z.string()).min(1).max(IDS_MAX).optional(),
  filter: z.strictObject({ ...ANY_FILTER_SHAPE, ...OPEN_FILTER_SHAPE }).optional()
    .describe("Instead of `ids`: the matching open proposals, 500 per call"),
  cursor: pageQuery(IDS_MAX, IDS_MAX).cursor
    .describe("With `filter`: the `nextCursor` of the previous call"),
  until: Until.optional().describe("For `later`: when the proposal is shown again"),
  reason: AuditReason.optional(),
  leaveOut: LeaveOut.optional().describe("For `approve`: proposals that stay open, without result"),
})
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    message: "Must name either ids or a filter",
    path: ["ids"],
  })
  .refine(({ ids, cursor }) => ids === undefined || cursor === undefined, {
    message: "Is only allowed with `filter`",
    path: ["cursor"],
  })
  .refine(
    ({ action, filter }) => filter === undefined || action !== "reopen" && action !== "rollback",
    { message: "Selects only open proposals: send `ids` for this action", path: ["filter"] },
  )
  .refine(({ action, until }) => (action === "later") === (until !== undefined), {
    message: "Is required for `later`, and not allowed for other actions",
    path: ["until"],
  })
  .refine(({ action, leaveOut }) => action === "approve" || leaveOut === undefined, {
    message: "Is only allowed for `approve`",
    path: ["leaveOut"],
  })
  .meta({ id: "BulkDecision" });

export type BulkDecision = z.infer<typeof BulkDecision>;

export const BulkDecisionOutcome = z.object({
  results: z.array(z.object({
    id: z.string().describe("The proposal"),
    ok: z.boolean(),
    settles: z.int().optional().describe(
      "Approved: number of other rules' prices for the product that it decides; absent if none",
    ),
    isWaiting: z.boolean().optional()
      .describe("Approved, but still open: more people must approve it"),
    proposalId: z.string().optional().describe("The new proposal of `reopen` or `rollback`"),
    reopened: ReopenedProposal.optional().describe("For `rollback`: the new state of the proposal"),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }).optional().describe("Why it was refused; absent if it was not"),
  })),
  nextCursor: z.string().nullable().describe(
    "With `filter`: the next call's cursor; null: the end",
  ),
}).meta({ id: "BulkDecisionOutcome" });

export type BulkDecisionOutcome = z.infer<typeof BulkDecisionOutcome>;

type DecideDeps = Pick<ProposalDeps, "askAgain">;

/** Returns one result per id, in order. */
export async function decideMany(
  ctx: Context,
  deps: DecideDeps & Partial<ProposalDeps>,
  decision: BulkDecision,
): Promise<BulkDecisionOutcome> {
  // A receipt belongs to one commit. The proposals themselves show what was decided.
  const each = { ...ctx, receipt: null };
  const { ids, nextCursor } = await namedBy(ctx, deps.market ?? null, decision);
  const briefs = decision.action === "approve" ? await findOpenBriefsOf(ctx, ids) : [];
  const behind = new Map(briefs.map((brief) => [brief.id, brief.behind]));
  const results: BulkDecisionOutcome["results"] = [];
  for (const id of ids) {
    try {
      const { id: decidedId, status, reopened } = await decide(each, deps, id, decision);
      const isWaiting = decision.action === "approve" && status === "open";
      const proposalId = reopened ? reopened.proposalId : decidedId;
      const more = {
        ...(proposalId !== null && proposalId !== id && { proposalId }),
        ...(reopened && { reopened }),
        ...(isWaiting ? { isWaiting } : behind.get(id) && { settles: behind.get(id) }),
      };
      results.push({ id, ok: true, ...more });
    } catch (error) {
      const { code, message, details } = requireRefusal(error);
      results.push({ id, ok: false, error: { code, message, ...(details && { details }) } });
    }
  }
  return { results, nextCursor };
}

async function namedBy(
  ctx: Context,
  market: MarketSource | null,
  { ids, filter, cursor, leaveOut }: BulkDecision,
): Promise<{ readonly ids: readonly string[]; readonly nextCursor: string | null }> {
  const query = { ...filter, status: "open" as const, limit: IDS_MAX, cursor };
  const { rows, nextCursor } = ids === undefined
    ? await pageOfRows(ctx, query, market)
    : { rows: ids.map((id) => ({ id })), nextCursor: null };
  const named = rows.map(({ id }) => id);
  return { ids: await withoutLeftOut(ctx, market, named, leaveOut), nextCursor };
}

async function withoutLeftOut(
  ctx: Context,
  market: MarketSource | null,
  ids: readonly string[],
  leaveOut: LeaveOut | undefined,
): Promise<readonly string[]> {
  if (leaveOut === undefined) return ids;
  if (market === null) throw new Error("Kinds to leave out need the market");
  const briefs = await findOpenBriefsOf(ctx, ids);
  const moved = await movedAmong(ctx, market, briefs);
  const left = new Set(
    briefs.filter((brief) => isLeftOut(brief, kindsOf(brief, moved.has(brief.id)), leaveOut))
      .map(({ id }) => id),
  );
  return ids.filter((id) => !left.has(id));
}

interface OneDecided extends Pick<StoredProposal, "id" | "status"> {
  readonly reopened?: ReopenedProposal;
}

async function decide(
  ctx: Context,
  deps: DecideDeps,
  id: string,
  { action, until = null, reason = null }: BulkDecision,
): Promise<OneDecided> {
  switch (action) {
    case "approve":
      return await approveProposal(ctx, id, { reason });
    case "reject":
      return await rejectProposal(ctx, id, reason);
    case "later":
      return await putOffProposal(ctx, id, until);
    case "reopen":
      return await reopenProposal(ctx, id);
    case "rollback": {
      const { proposal, reopened } = await rollBackProposal(ctx, deps, id, reason);
      return { ...proposal, reopened };
    }
  }
}
