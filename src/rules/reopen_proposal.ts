/** Reopens rejected proposals, reverts applied prices, and closes expired proposals. */
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { Failure } from "../base/failure.ts";
import { listPriceChanges } from "../catalogue/products/price_changes.ts";
import type { Trace } from "../engine/pricing/trace.ts";
import { publish } from "../platform/events/outbox_store.ts";
import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact, type Write } from "../platform/store/kv.ts";
import {
  changePrice,
  conflict,
  requireAllowed,
  requireOwner,
  saveWithAudit,
} from "./proposals/decide_proposal.ts";
import {
  decided,
  Proposal,
  reopened,
  type StoredProposal,
  superseded,
} from "./proposals/proposal.ts";
import {
  checkNoneOpen,
  createdEvent,
  findOpenProposals,
  listExpired,
  proposalTable,
  publishDecision,
  requireProposal,
  saveProposal,
} from "./proposals/proposal_store.ts";
import { askAgain, type AskedAgain } from "./evaluation/judge_subject.ts";
import { z } from "@hono/zod-openapi";

export const ReopenedProposal = z.object({
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

export type ReopenedProposal = Readonly<z.infer<typeof ReopenedProposal>>;

export const RolledBackProposal = Proposal.extend({ reopened: ReopenedProposal })
  .meta({ id: "RolledBackProposal" });

/**
 * Throws `conflict` unless the proposal is rejected, no other one is open and the price is allowed.
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
 * Throws `conflict` if the price was not applied or has changed since, or if the person may not
 * restore the previous price.
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

/** Adds `proposal`, and supersedes an open proposal of the same product. */
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

/** Adds no check to the commit. */
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
      for (let at = 0; at < group.length; at += PER_COMMIT) {
        const ids = group.slice(at, at + PER_COMMIT).map(({ id }) => id);
        count += await expireSome(ctx, ids);
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
