/**
 * People's decisions on proposals: approve, reject, postpone, reopen, roll back. Each decision is
 * one commit with an audit row.
 */
import { z } from "@hono/zod-openapi";
import { type AuditEntry, changedFields } from "../accounts/audit/audit.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { Failure, refuseFields } from "../base/failure.ts";
import { DAY_MS } from "../base/time.ts";
import { atOwnPrice, requireAllowedPrice, writeChange } from "../catalogue/changes/write_change.ts";
import type { PriceCause } from "../catalogue/prices/price_rows.ts";
import { productVersions } from "../catalogue/products/change_log_store.ts";
import {
  findProduct,
  listPriceChanges,
  type StoredProduct,
} from "../catalogue/products/product_store.ts";
import { type Product, shard, stampChange } from "../catalogue/products/product.ts";
import type { Trace } from "../engine/pricing/trace.ts";
import { publish } from "../platform/events/outbox_store.ts";
import type { Context } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import type { Found } from "../platform/store/table.ts";
import { askAgain } from "./evaluation/judge.ts";
import {
  chosenCents,
  conflict,
  type OtherPrice,
  requireAllowed,
  sign,
} from "./proposals/approval.ts";
import {
  decided,
  putOff,
  reopened,
  type StoredProposal,
  superseded,
} from "./proposals/proposal.ts";
import {
  checkNoneOpen,
  createdEvent,
  findOpenProposals,
  findTraces,
  proposalTable,
  publishDecision,
  requireProposal,
  saveProposal,
} from "./proposals/proposal_store.ts";

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

type ReopenedProposal = Readonly<z.infer<typeof ReopenedProposal>>;

export const DECISIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

/** `until` (only for `later`) is at most 30 days from now; null ends the postponement. */
export interface Decision extends OtherPrice {
  readonly action: typeof DECISIONS[number];
  readonly until?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

interface Outcome {
  /** The proposal after the decision; for `reopen`, the new proposal. */
  readonly proposal: StoredProposal;
  readonly reopened?: ReopenedProposal;
}

interface Decided extends Outcome {
  /** Fields for the audit log in addition to the proposal's status and prices. */
  readonly noted?: Pick<AuditEntry, "before" | "after">;
  /** Fields for the audit log instead of the proposal's status and prices. */
  readonly logged?: Pick<AuditEntry, "before" | "after">;
}

type Decide = (
  write: Write,
  ctx: Context,
  proposal: StoredProposal,
  decision: Decision,
) => Promise<Decided> | Decided;

export async function decideProposal(
  ctx: Context,
  id: string,
  decision: Decision,
): Promise<Outcome> {
  const { action, reason } = decision;
  return await transact(ctx, async (write) => {
    const found = await requireProposal(ctx, id);
    const outcome = await DECIDE[action](write, ctx, found.row, decision);
    const { proposal, noted, logged = stepOf(found.row, proposal, noted) } = outcome;
    if (proposal.id === id) await replace(write, ctx, found, proposal);
    addAuditRow(write, ctx, {
      action: `proposal.${action}`,
      resource: { type: "proposal", id: proposal.id, label: proposal.sku },
      ...logged,
      reason,
    });
    ctx.receipt?.put(write, null);
    return outcome;
  });
}

function requireOpen(ctx: Context, { status, expiresAt }: StoredProposal): void {
  if (status !== "open") throw conflict(`The proposal is closed already: it is ${status}`);
  if (Date.parse(expiresAt) <= ctx.now().getTime()) {
    throw conflict(`The proposal has expired at ${expiresAt}`, "expired");
  }
}

function stepOf(before: StoredProposal, after: StoredProposal, noted: Decided["noted"]) {
  const { ruleId, productId, status, proposedCents, currentCents, currency, appliedCents } = after;
  const isCounterPrice = typeof appliedCents === "number" && appliedCents !== proposedCents;
  const prices = { currentCents, proposedCents, ...(isCounterPrice && { appliedCents }) };
  return {
    before: { status: before.status, ...noted?.before },
    after: { status, ruleId, productId, ...prices, ...noted?.after },
    currency,
  };
}

async function replace(
  write: Write,
  ctx: Context,
  found: Found<StoredProposal>,
  after: StoredProposal,
): Promise<void> {
  const { id, status } = after;
  const traces = status === "open" ? await findTraces(ctx, [id]) : null;
  proposalTable.check(write, ctx, found.row, found);
  saveProposal(write, ctx.workspaceId, found.row, after, traces?.get(id) ?? null);
  publishDecision(write, ctx, after);
}

/** If several approvals are needed, the proposal stays open until the last approval. */
const approve: Decide = async (write, ctx, proposal, { reason = null, ...other }) => {
  requireOpen(ctx, proposal);
  const product = await requireOwner(ctx, proposal);
  const cents = chosenCents(product.product, other);
  await requireAllowed(ctx, proposal, product.product, {
    action: "approved",
    chosen: cents === null ? null : { cents, hasReason: reason !== null },
  });
  const appliedCents = cents ?? proposal.proposedCents;
  const approval = await sign(write, ctx, proposal, product.product, appliedCents);
  if (approval && approval.by.length < approval.people) {
    const noted = {
      before: { approvals: proposal.approval?.by.length ?? 0 },
      after: { proposedCents: approval.cents, approvals: approval.by.length },
    };
    return { proposal: { ...proposal, approval }, noted };
  }
  const cause = { source: "proposal", actor: ctx.actor, ref: proposal.id } as const;
  const priced = await changePrice(write, ctx, product, { cents: appliedCents, cause, reason });
  const applied = decided(proposal, "applied", ctx.actor, ctx.now());
  const appliedAt = priced.ourPriceUpdatedAt ?? priced.updatedAt;
  return { proposal: { ...applied, appliedAt, appliedCents, decisionReason: reason, approval } };
};

const reject: Decide = async (write, ctx, proposal, { reason = null }) => {
  requireOpen(ctx, proposal);
  const rejected = decided(proposal, "rejected", ctx.actor, ctx.now());
  const product = await findProduct(ctx, proposal.productId);
  if (product) productVersions.set(write, ctx.workspaceId, shard(product.product.sku));
  return { proposal: { ...rejected, decisionReason: reason } };
};

const later: Decide = (_, ctx, proposal, { until = null }) => {
  requireOpen(ctx, proposal);
  const inMs = until === null ? null : Date.parse(until) - ctx.now().getTime();
  if (inMs !== null && (inMs <= 0 || inMs > 30 * DAY_MS)) {
    throw refuseFields([{ path: "until", message: "Must be within the next 30 days" }]);
  }
  const after = putOff(proposal, until === null ? null : new Date(until));
  const was = { until: proposal.heldUntil ?? null };
  return { proposal: after, logged: changedFields(was, { until: after.heldUntil }) };
};

const reopen: Decide = async (write, ctx, proposal) => {
  const { productId, status } = proposal;
  if (status !== "rejected") {
    throw conflict(`Only a rejected proposal can be reopened, it is ${status}`);
  }
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
  return { proposal: after };
};

/**
 * Sets the price that the product had before the proposal, and asks the rule for a new proposal.
 * Throws `conflict` if the price has changed since, or the old price needs a reason or approvals.
 */
const rollback: Decide = async (write, ctx, proposal, { reason = null }) => {
  const { id, productId, status, currentCents, currency } = proposal;
  if (status !== "applied") {
    throw conflict(`Only an applied proposal can be rolled back, it is ${status}`);
  }
  const product = await requireOwner(ctx, proposal);
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest] = await listPriceChanges(ctx, productId, stretch, 1);
  if (newest?.at !== proposal.appliedAt) {
    throw conflict("The price has changed since the proposal was applied", "price_changed");
  }
  const cause = { source: "rollback", actor: ctx.actor, ref: id } as const;
  const priced = await changePrice(write, ctx, product, { cents: currentCents, cause, reason });
  const { proposal: next, trace, closedBy } = await askAgain(ctx, proposal, priced);
  if (next) await takePlace(write, ctx, next, trace);
  const after = decided(proposal, "rolled_back", ctx.actor, ctx.now());
  const isSame = next?.proposedCents === proposal.proposedCents;
  return {
    proposal: { ...after, decisionReason: reason },
    noted: { after: next ? { reopenedId: next.id } : { closedBy } },
    reopened: {
      outcome: next === null ? "closed" : isSame ? "open" : "other_price",
      proposalId: next && next.id,
      proposedCents: next && next.proposedCents,
      currency,
      closedBy,
    },
  };
};

const DECIDE = { approve, reject, later, reopen, rollback };

async function requireOwner(ctx: Context, { productId }: StoredProposal) {
  const product = await findProduct(ctx, productId);
  if (!product) throw conflict("Its product is deleted", "product_deleted");
  return product;
}

async function changePrice(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  { cents, cause, reason }: {
    readonly cents: number;
    readonly cause: PriceCause;
    readonly reason: string | null;
  },
): Promise<Product> {
  const before = found.product;
  const priced = await atOwnPrice(ctx, before, cents);
  if (cause.source === "rollback") await requireAllowedPrice(write, ctx, before, priced, reason);
  const after = stampChange(before, priced, ctx.now());
  await writeChange(write, ctx, found, after, { action: "product.update", cause, reason });
  return after;
}

async function takePlace(
  write: Write,
  ctx: Context,
  proposal: StoredProposal,
  trace: Trace | null,
) {
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
