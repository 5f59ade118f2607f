/**
 * Undoes decisions on proposals, closes expired proposals, and applies one decision to many
 * proposals. A decision on many proposals is one commit per proposal, so it may be refused for some
 * proposals and succeed for others.
 */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../accounts/audit/audit.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { batchesOf } from "../base/collections.ts";
import { Failure, requireRefusal } from "../base/failure.ts";
import type { MarketSource } from "../catalogue/prices/product_market.ts";
import { listPriceChanges } from "../catalogue/products/product_store.ts";
import type { Trace } from "../engine/pricing/trace.ts";
import { publish } from "../platform/events/outbox_store.ts";
import { pageQuery } from "../platform/http/http.ts";
import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact, type Write } from "../platform/store/kv.ts";
import { askAgain, type AskedAgain } from "./evaluation/judge.ts";
import {
  approveProposal,
  changePrice,
  conflict,
  putOffProposal,
  rejectProposal,
  requireAllowed,
  requireOwner,
  saveWithAudit,
} from "./proposals/decide_proposal.ts";
import { isLeftOut, kindsOf, LeaveOut } from "./proposals/preview_many.ts";
import {
  decided,
  Proposal,
  reopened,
  type StoredProposal,
  superseded,
} from "./proposals/proposal.ts";
import { movedAmong, OPEN_FILTER_SHAPE } from "./proposals/proposal_filter.ts";
import {
  checkNoneOpen,
  createdEvent,
  findOpenBriefsOf,
  findOpenProposals,
  listExpired,
  proposalTable,
  publishDecision,
  requireProposal,
  saveProposal,
} from "./proposals/proposal_store.ts";
import { ANY_FILTER_SHAPE, pageOfRows } from "./proposals/read_proposals.ts";

const ReopenedProposal = z.object({
  outcome: z.enum(["open", "other_price", "closed"])
    .describe("Whether the proposal is open again with its price, with another price, or not open"),
  proposalId: z.string().nullable().describe("Id of the open proposal"),
  proposedCents: z.int().nullable().describe("The proposed price"),
  currency: z.string(),
  closedBy: z.string().nullable().meta({
    description: "Why it is not open: the code of a guard, or a `reason` of superseded proposals",
    example: "no_longer_fires",
  }),
}).meta({ id: "ReopenedProposal" });

type ReopenedProposal = Readonly<z.infer<typeof ReopenedProposal>>;

export const RolledBackProposal = Proposal.extend({ reopened: ReopenedProposal })
  .meta({ id: "RolledBackProposal" });

/**
 * Throws `conflict` if the proposal is not rejected, its product has another open proposal, or the
 * price is not allowed.
 */
export async function reopenProposal(ctx: Context, id: string) {
  return await transact(ctx, async (write) => {
    const { row: proposal } = await requireProposal(ctx, id);
    if (proposal.status !== "rejected") {
      throw conflict(`Only a rejected proposal can be reopened, it is ${proposal.status}`);
    }
    const { productId } = proposal;
    const other = await findOpenOf(ctx, productId);
    if (other) {
      const why = "Another proposal of its product is open: decide on that first";
      throw new Failure("conflict", why, { guard: "other_open", proposalId: other.id });
    }
    const product = await requireOwner(ctx, proposal);
    const asked = { action: "reopened", chosen: null } as const;
    const trace = await requireAllowed(ctx, proposal, product.product, asked);
    const after = reopened(proposal, ctx.newId(), ctx.now());
    checkNoneOpen(write, ctx.workspaceId, productId);
    addOpen(write, ctx, after, trace);
    const { ruleId, sku, currentCents, proposedCents, currency } = after;
    addAuditRow(write, ctx, {
      action: "proposal.reopen",
      resource: { type: "proposal", id: after.id, label: sku },
      before: { status: proposal.status },
      after: { status: after.status, ruleId, productId, currentCents, proposedCents },
      currency,
    });
    ctx.receipt?.put(write, null);
    return after;
  });
}

/**
 * Restores the price that the product had before the proposal. Throws `conflict` if the proposal
 * was not applied, the price has changed again, or the person may not set the previous price.
 */
export async function rollBackProposal(
  ctx: Context,
  id: string,
  reason: string | null = null,
): Promise<{ readonly proposal: StoredProposal; readonly reopened: ReopenedProposal }> {
  return await transact(ctx, async (write) => {
    const found = await requireProposal(ctx, id);
    const { row: proposal } = found;
    if (proposal.status !== "applied") {
      throw conflict(`Only an applied proposal can be rolled back, it is ${proposal.status}`);
    }
    const product = await requireOwner(ctx, proposal);
    const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
    const [newest] = await listPriceChanges(ctx, proposal.productId, stretch, 1);
    if (newest?.at !== proposal.appliedAt) {
      throw conflict("The price has changed since the proposal was applied", "price_changed");
    }
    const priced = await changePrice(write, ctx, product, {
      cents: proposal.currentCents,
      source: "rollback",
      ref: id,
      reason,
    });
    const asked = await askAgain(ctx, proposal, priced);
    if (asked.proposal) await takePlace(write, ctx, asked.proposal, asked.trace);
    const after = {
      ...decided(proposal, "rolled_back", ctx.actor, ctx.now()),
      decisionReason: reason,
    };
    const { closedBy } = asked;
    const became = closedBy === null ? { reopenedId: asked.proposal.id } : { closedBy };
    await saveWithAudit(write, ctx, found, after, { action: "proposal.rollback", after: became });
    return { proposal: after, reopened: outcomeOf(proposal, asked) };
  });
}

function outcomeOf(
  { proposedCents, currency }: StoredProposal,
  asked: AskedAgain,
): ReopenedProposal {
  const { closedBy } = asked;
  if (closedBy !== null) {
    return { outcome: "closed", proposalId: null, proposedCents: null, currency, closedBy };
  }
  const { id: proposalId, proposedCents: cents } = asked.proposal;
  const outcome = cents === proposedCents ? "open" : "other_price";
  return { outcome, proposalId, proposedCents: cents, currency, closedBy };
}

async function takePlace(write: Write, ctx: Context, proposal: StoredProposal, trace: Trace) {
  const open = await findOpenOf(ctx, proposal.productId);
  const found = open && await proposalTable.find(ctx, { id: open.id });
  if (found) {
    const closed = superseded(found.row, "newer_decision", ctx.actor, ctx.now());
    proposalTable.check(write, ctx, found.row, found);
    saveProposal(write, ctx.workspaceId, found.row, closed);
    publishDecision(write, ctx, closed);
  } else checkNoneOpen(write, ctx.workspaceId, proposal.productId);
  addOpen(write, ctx, proposal, trace);
}

async function findOpenOf(ctx: Context, productId: string): Promise<StoredProposal | null> {
  return (await findOpenProposals(ctx, [productId])).get(productId) ?? null;
}

function addOpen(write: Write, ctx: Context, proposal: StoredProposal, trace: Trace | null): void {
  saveProposal(write, ctx.workspaceId, null, proposal, trace);
  publish(write, ctx, [createdEvent(proposal)]);
}

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

const BULK_ACTIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

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
      const { id: decidedId, status, reopened } = await decide(each, id, decision);
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
    ? await pageOfRows({ ...ctx, list: () => JSON.stringify(filter) }, query, market)
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
      const { proposal, reopened } = await rollBackProposal(ctx, id, reason);
      return { ...proposal, reopened };
    }
  }
}
