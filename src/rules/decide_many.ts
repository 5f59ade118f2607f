/**
 * Applies one decision to many proposals, and closes expired proposals. Each proposal is decided in
 * its own commit, so some decisions may be refused while others succeed.
 */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../accounts/audit/audit.ts";
import { batchesOf } from "../base/collections.ts";
import { Failure, requireRefusal } from "../base/failure.ts";
import type { MarketSource } from "../catalogue/prices/product_market.ts";
import { pageQuery } from "../platform/http/http.ts";
import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact } from "../platform/store/kv.ts";
import { decideProposal, DECISIONS, ReopenedProposal } from "./decide_proposal.ts";
import { isLeftOut, kindsOf, LeaveOut } from "./proposals/preview_many.ts";
import { decided, type StoredProposal } from "./proposals/proposal.ts";
import { movedAmong, OPEN_FILTER_SHAPE } from "./proposals/proposal_filter.ts";
import {
  findOpenBriefsOf,
  listExpired,
  proposalTable,
  publishDecision,
  saveProposal,
} from "./proposals/proposal_store.ts";
import { ANY_FILTER_SHAPE, pageOfRows } from "./proposals/read_proposals.ts";

const PER_COMMIT = COMMIT_MAX.checks - 1;
const EXPIRED_AT_ONCE = 500;
const SWEEP: Actor = { type: "system", id: "proposals", name: "Proposals" };

export async function expireProposals(store: Store, clock: ClockAndIds): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await listExpired(store, clock.now(), EXPIRED_AT_ONCE);
    if (due.length === 0) return count;
    for (const [workspaceId, group] of Map.groupBy(due, (one) => one.workspaceId)) {
      const requestId = `swp_${clock.newId()}`;
      const ctx = contextFor({ store, clock, requestId }, workspaceId, SWEEP);
      for await (const some of batchesOf(group, PER_COMMIT)) {
        count += await expireSome(ctx, some.map(({ id }) => id));
      }
    }
  }
}

async function expireSome(ctx: Context, ids: readonly string[]): Promise<number> {
  return await transact(ctx, async (write) => {
    const closed: StoredProposal[] = [];
    for (const id of ids) {
      const found = await proposalTable.find(ctx, { id });
      if (!found) throw new Failure("internal_error", `The open proposal ${id} is missing`);
      if (found.row.status !== "open") continue;
      proposalTable.check(write, ctx, found.row, found);
      const after = decided(found.row, "expired", SWEEP, ctx.now());
      saveProposal(write, ctx.workspaceId, found.row, after);
      closed.push(after);
    }
    publishDecision(write, ctx, ...closed);
    return closed.length;
  });
}

const IDS_MAX = 500;

export const Until = z.iso.datetime({ offset: true }).nullable()
  .describe("In the future, at most 30 days ahead; null shows it again now");

export const BulkDecision = z.strictObject({
  action: z.enum(DECISIONS).describe("What to do with each proposal"),
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

export async function decideMany(
  ctx: Context,
  market: MarketSource | null,
  decision: BulkDecision,
): Promise<BulkDecisionOutcome> {
  const each = { ...ctx, receipt: null };
  const { ids, nextCursor } = await namedBy(ctx, market, decision);
  const briefs = decision.action === "approve" ? await findOpenBriefsOf(ctx, ids) : [];
  const behind = new Map(briefs.map((brief) => [brief.id, brief.behind]));
  const results: BulkDecisionOutcome["results"] = [];
  for (const id of ids) {
    try {
      const { proposal, reopened } = await decideProposal(each, id, decision);
      const isWaiting = decision.action === "approve" && proposal.status === "open";
      const proposalId = reopened ? reopened.proposalId : proposal.id;
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
    ? await pageOfRows({ ...ctx, list: () => JSON.stringify(filter) }, query, market)
    : { rows: ids.map((id) => ({ id })), nextCursor: null };
  const named = rows.map(({ id }) => id);
  if (leaveOut === undefined) return { ids: named, nextCursor };
  const briefs = await findOpenBriefsOf(ctx, named);
  const moved = await movedAmong(ctx, market, briefs);
  const left = new Set(
    briefs.filter((brief) => isLeftOut(brief, kindsOf(brief, moved.has(brief.id)), leaveOut))
      .map(({ id }) => id),
  );
  return { ids: named.filter((id) => !left.has(id)), nextCursor };
}
