/** Approves, rejects and postpones proposals. Each decision is one commit with an audit row. */
import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { hasRole } from "../../accounts/roles.ts";
import { findUser } from "../../accounts/users/user.ts";
import { checkWorkspace, readWorkspace } from "../../accounts/workspace.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { isLargeMove, showMoney } from "../../base/money.ts";
import { DAY_MS } from "../../base/time.ts";
import { suspiciousUnit } from "../../catalogue/changes/change_product.ts";
import {
  atOwnPrice,
  requireAllowedPrice,
  writeChange,
} from "../../catalogue/changes/write_change.ts";
import type { PriceCause } from "../../catalogue/prices/price_rows.ts";
import {
  findProduct,
  priceDayAgo,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { type Product, shard, stampChange } from "../../catalogue/products/product.ts";
import {
  type ProductPatch,
  suspiciousPrices,
  withPrices,
} from "../../catalogue/products/product_input.ts";
import { productVersions } from "../../catalogue/products/change_log_store.ts";
import { BOUND_CODES } from "../../engine/pricing/codes.ts";
import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { objectionToApproval } from "../../engine/pricing/find_price.ts";
import type { ChosenPrice } from "../../engine/pricing/safety_guards.ts";
import type { Statement } from "../../engine/pricing/trigger.ts";
import type { Situation } from "../../engine/pricing/situation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { wireObjection } from "../../engine/wording/reason_text.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { decided, type ProposalApprovals, putOff, type StoredProposal } from "./proposal.ts";
import {
  findTraces,
  proposalTable,
  publishDecision,
  requireProposal,
  saveProposal,
} from "./proposal_store.ts";
import { readSituations } from "./priced_product.ts";
import { findRule } from "../rule.ts";

interface ApprovalOptions {
  readonly price?: ProductPatch["ourPrice"];
  readonly priceCents?: ProductPatch["ourPriceCents"];
  readonly allowsLargeChange?: boolean;
  readonly reason?: string | null | undefined;
}

/**
 * Throws `conflict` for a closed proposal or a forbidden price. If several approvals are needed,
 * the proposal stays open until the last approval.
 */
export async function approveProposal(
  ctx: Context,
  id: string,
  { reason = null, ...options }: ApprovalOptions = {},
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const { row: proposal } = found;
    const product = await requireOwner(ctx, proposal);
    const cents = chosenCents(proposal, product.product, options);
    await requireAllowed(ctx, proposal, product.product, {
      action: "approved",
      chosen: cents === null ? null : { cents, hasReason: reason !== null },
    });
    const appliedCents = cents ?? proposal.proposedCents;
    const approval = await sign(write, ctx, proposal, product.product, appliedCents);
    if (approval && approval.by.length < approval.people) {
      const changed = {
        before: { approvals: proposal.approval?.by.length ?? 0 },
        after: { proposedCents: approval.cents, approvals: approval.by.length },
      };
      const waiting = { ...proposal, approval };
      const audit = { action: "proposal.approve", reason, ...changed } as const;
      return await saveWithAudit(write, ctx, found, waiting, audit);
    }
    const priced = await changePrice(write, ctx, product, {
      cents: appliedCents,
      source: "proposal",
      ref: id,
      reason,
    });
    const applied = decided(proposal, "applied", ctx.actor, ctx.now());
    const appliedAt = priced.ourPriceUpdatedAt ?? priced.updatedAt;
    const after = { ...applied, appliedAt, appliedCents, decisionReason: reason, approval };
    return await saveWithAudit(write, ctx, found, after, { action: "proposal.approve" });
  });
}

/**
 * Returns all approvals, including the caller's; null if one approval is enough. Throws `conflict`
 * (`approval_needed`) if the caller is a program or has already approved.
 */
async function sign(
  write: Write,
  ctx: Context,
  { approval, currentCents }: StoredProposal,
  product: Product,
  cents: number,
): Promise<ProposalApprovals | null> {
  const { workspace: { approval: bound }, versionstamp } = await readWorkspace(ctx);
  checkWorkspace(write, ctx.workspaceId, versionstamp);
  if (!bound) return null;
  const now = ctx.now();
  const from = await priceDayAgo(ctx, product, now);
  const fromCents = from?.currency === product.currency && from.toCents || currentCents;
  if (!isLargeMove(bound, fromCents, cents)) return null;
  const { type, id, name } = ctx.actor;
  if (type !== "user") {
    throw conflict("Only people can approve so large a change", "approval_needed");
  }
  const before = approval?.cents === cents ? await validOnes(ctx, approval.by) : [];
  if (before.some((one) => one.id === id)) {
    const why = "You have already approved it: another person must approve it, too";
    throw conflict(why, "approval_needed");
  }
  const by = [...before, { type, id, name, at: now.toISOString() }];
  return { people: bound.people, cents, by };
}

async function validOnes(ctx: Context, by: ProposalApprovals["by"]) {
  const users = await Promise.all(by.map(({ id }) => findUser(ctx, id)));
  return by.filter((_, n) => hasRole(users[n]?.row.role ?? "viewer", "manager"));
}

export async function rejectProposal(
  ctx: Context,
  id: string,
  decisionReason: string | null = null,
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const rejected = decided(found.row, "rejected", ctx.actor, ctx.now());
    const after = { ...rejected, decisionReason };
    const product = await findProduct(ctx, after.productId);
    if (product) productVersions.set(write, ctx.workspaceId, shard(product.product.sku));
    return await saveWithAudit(write, ctx, found, after, { action: "proposal.reject" });
  });
}

/** If `until` is null, the proposal is shown now. `until` may be at most 30 days ahead. */
export async function putOffProposal(
  ctx: Context,
  id: string,
  until: string | null,
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const inMs = until === null ? null : Date.parse(until) - ctx.now().getTime();
    if (inMs !== null && (inMs <= 0 || inMs > 30 * DAY_MS)) {
      throw refuseFields([{ path: "until", message: "Must be within the next 30 days" }]);
    }
    const after = putOff(found.row, until === null ? null : new Date(until));
    await saveFound(write, ctx, found, after);
    addAuditRow(write, ctx, {
      action: "proposal.later",
      resource: { type: "proposal", id, label: after.sku },
      ...changedFields({ until: found.row.heldUntil ?? null }, { until: after.heldUntil }),
    });
    ctx.receipt?.put(write, null);
    return after;
  });
}

async function requireOpen(ctx: Context, id: string): Promise<Found<StoredProposal>> {
  const found = await requireProposal(ctx, id);
  const { status, expiresAt } = found.row;
  if (status !== "open") throw conflict(`The proposal is closed already: it is ${status}`);
  if (Date.parse(expiresAt) <= ctx.now().getTime()) {
    throw conflict(`The proposal has expired at ${expiresAt}`, "expired");
  }
  return found;
}

export async function requireOwner(ctx: Context, { productId }: StoredProposal) {
  const product = await findProduct(ctx, productId);
  if (!product) throw conflict("Its product is deleted", "product_deleted");
  return product;
}

/** `rule` is null if the rule is deleted. `trace` is null if the stored calculation has expired. */
export interface KnownNow {
  readonly situation: Situation;
  readonly rule: JudgedRule | null;
  readonly trace: Trace | null;
}

export function objectionTo(
  { currentCents, proposedCents, currency }: StoredProposal,
  { situation, rule, trace }: KnownNow,
  chosen: ChosenPrice | null,
): Statement | null {
  if (rule === null) return { code: "rule_deleted", facts: {} };
  if (!rule.enabled) return { code: "rule_off", facts: {} };
  return objectionToApproval({
    rule: compileRule(rule),
    situation,
    proposedCents,
    chosen,
    made: { fromCents: currentCents, currency },
    used: trace?.references.filter(({ isUsed }) => isUsed) ?? [],
  });
}

/**
 * Throws `conflict` with `details.guard` if a guard (safety check) forbids the price.
 * `details.needsReason` is true if the price can be set with a reason.
 */
export async function requireAllowed(
  ctx: Context,
  proposal: StoredProposal,
  product: Product,
  { action, chosen }: {
    readonly action: "approved" | "reopened";
    readonly chosen: ChosenPrice | null;
  },
): Promise<Trace | null> {
  const { id, ruleId } = proposal;
  const [situations, found, traces] = await Promise.all([
    readSituations(ctx, [product]),
    findRule(ctx, ruleId),
    findTraces(ctx, [id]),
  ]);
  const rule = found?.rule ?? null;
  const trace = traces.get(id) ?? null;
  const situation = situations.get(product.id);
  if (!situation) throw new Error(`Nobody knows the market of ${product.id}`);
  const objection = objectionTo(proposal, { situation, rule, trace }, chosen);
  if (objection === null) return trace;
  const { code: guard } = objection;
  const isBound = guard === "below_cost" || BOUND_CODES.some((code) => code === guard);
  const needsReason = chosen !== null && isBound;
  const asks = needsReason ? "; give a reason to set it anyway" : "";
  throw new Failure(
    "conflict",
    `The proposal cannot be ${action}: ${wireObjection(objection)}${asks}`,
    { guard, ...(needsReason && { needsReason }) },
  );
}

export async function changePrice(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  { cents, source, ref, reason }: {
    readonly cents: number;
    readonly source: Extract<PriceCause["source"], "proposal" | "rollback">;
    readonly ref: string;
    readonly reason: string | null;
  },
): Promise<Product> {
  const before = found.product;
  const priced = await atOwnPrice(ctx, before, cents);
  if (source === "rollback") await requireAllowedPrice(write, ctx, before, priced, reason);
  const after = stampChange(before, priced, ctx.now());
  const cause: PriceCause = { source, actor: ctx.actor, ref };
  await writeChange(write, ctx, found, after, { action: "product.update", cause, reason });
  return after;
}

async function saveFound(
  write: Write,
  ctx: Context,
  found: Found<StoredProposal>,
  after: StoredProposal,
) {
  const { id, status } = after;
  const traces = status === "open" ? await findTraces(ctx, [id]) : null;
  proposalTable.check(write, ctx, found.row, found);
  saveProposal(write, ctx.workspaceId, found.row, after, traces?.get(id) ?? null);
}

interface ProposalAudit {
  readonly action: AuditAction<"proposal">;
  readonly reason?: string | null;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

export async function saveWithAudit(
  write: Write,
  ctx: Context,
  found: Found<StoredProposal>,
  after: StoredProposal,
  audit: ProposalAudit,
): Promise<StoredProposal> {
  await saveFound(write, ctx, found, after);
  const { id, ruleId, productId, sku, status, proposedCents, currentCents, currency } = after;
  const { appliedCents, decisionReason } = after;
  const isCounterPrice = typeof appliedCents === "number" && appliedCents !== proposedCents;
  const prices = { currentCents, proposedCents, ...(isCounterPrice && { appliedCents }) };
  addAuditRow(write, ctx, {
    action: audit.action,
    resource: { type: "proposal", id, label: sku },
    before: { status: found.row.status, ...audit.before },
    after: { status, ruleId, productId, ...prices, ...audit.after },
    currency,
    reason: audit.reason ?? decisionReason,
  });
  publishDecision(write, ctx, after);
  ctx.receipt?.put(write, null);
  return after;
}

export function conflict(message: string, guard?: string): Failure {
  return new Failure("conflict", message, guard === undefined ? undefined : { guard });
}

function chosenCents(
  { currency }: Pick<StoredProposal, "currency">,
  product: Product,
  { price, priceCents, allowsLargeChange = false }: ApprovalOptions,
): number | null {
  if (price === undefined && priceCents === undefined) return null;
  const given = { ourPrice: price, ourPriceCents: priceCents };
  const priced = withPrices(product, product.currency, given);
  if ("refused" in priced) {
    throw refuseFields(priced.refused.map(({ message }) => ({ path: "price", message })));
  }
  const { ourPriceCents: cents } = priced.product;
  if (cents === null || cents < 1) {
    throw refuseFields([{ path: "price", message: "Must be above 0" }]);
  }
  if (!allowsLargeChange && suspiciousPrices(product, priced.product).length > 0) {
    const was = showMoney(product.ourPriceCents ?? 0, currency);
    throw suspiciousUnit(["price"], was, showMoney(cents, currency));
  }
  return cents;
}
