/** Decisions of people on proposals; each is one commit with its audit rows and events. */

import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { hasRole, type Role } from "../../accounts/roles.ts";
import { findUser } from "../../accounts/users/user_store.ts";
import { checkWorkspace, readWorkspace } from "../../accounts/workspace_store.ts";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { isLargeMove, showMoney } from "../../base/money.ts";
import { atOwnPrice, requireAllowedPrice } from "../../catalogue/changes/personal_price.ts";
import { writeChange } from "../../catalogue/changes/write_change.ts";
import type { PriceCause } from "../../catalogue/prices/price_history.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import { priceDayAgo } from "../../catalogue/products/price_changes.ts";
import { type Product, shard, stampChange } from "../../catalogue/products/product.ts";
import {
  type ProductPatch,
  suspiciousPrices,
  withPrices,
} from "../../catalogue/products/product_input.ts";
import { findProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import { setGeneration } from "../../catalogue/products/version_counter_store.ts";
import { BOUND_CODES } from "../../engine/pricing/codes.ts";
import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { objectionToApproval } from "../../engine/pricing/find_price.ts";
import type { ChosenPrice } from "../../engine/pricing/guard.ts";
import type { Saying } from "../../engine/pricing/said.ts";
import type { ApprovalBound, Situation } from "../../engine/pricing/situation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { wireObjection } from "../../engine/wording/reason_text.ts";
import type { Actor, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { announceDecision } from "./close_proposals.ts";
import { decided, type ProposalApprovals, putOff, type StoredProposal } from "./proposal.ts";
import {
  checkProposal,
  findProposal,
  findTraces,
  type FoundProposal,
  saveDecision,
  saveStillOpen,
} from "./proposal_store.ts";
import { readSituations } from "./read_situations.ts";

/** Finds a rule; `null` when it is deleted. */
export type RuleOf = (workspace: WorkspaceStore, ruleId: string) => Promise<JudgedRule | null>;

/** A proposal that is to be open again, or the code of why it stays closed. */
export type AskedAgain =
  | { readonly proposal: StoredProposal; readonly trace: Trace; readonly closedBy: null }
  | { readonly proposal: null; readonly closedBy: string };

/** Asks the proposal's rule again, with the product as given. */
export type AskAgain = (
  ctx: Context,
  previous: StoredProposal,
  product: Product,
) => Promise<AskedAgain>;

export interface ProposalDeps {
  readonly ruleOf: RuleOf;
  readonly askAgain: AskAgain;
  readonly market: MarketSource;
}

/** Refuses with `not_found` an id that is malformed, unknown or of another workspace. */
export async function requireProposal(
  workspace: WorkspaceStore,
  id: string,
): Promise<FoundProposal> {
  const found = isId(id) ? await findProposal(workspace, id) : null;
  if (found) return found;
  throw noSuch("proposal", id);
}

/** Options of an approval. */
export interface ApprovalOptions extends ChosenPriceInput {
  /** Why, for the audit log; a price below cost or floor needs it. */
  readonly reason?: string | null | undefined;
}

/**
 * Sets the price that the proposal asks for, or the one that the person has chosen in its place.
 * Refuses with `conflict` one that is closed or expired, and one that its product, cost, floor or
 * references do not allow (`details.guard`; `needsReason` where a reason would). A change that several
 * people must let through stays open until the last of them has.
 */
export async function approveProposal(
  ctx: Context,
  { ruleOf }: Pick<ProposalDeps, "ruleOf">,
  id: string,
  { reason = null, ...options }: ApprovalOptions = {},
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const { proposal } = found;
    const product = await requireOwner(ctx, proposal);
    const cents = chosenCents(proposal, product.product, options);
    const [known] = await readKnown(ctx, ruleOf, proposal, product.product);
    const chosen = cents === null ? null : { cents, hasReason: reason !== null };
    const objection = objectionTo(proposal, known, chosen);
    if (objection) throw refusalBy("approved", objection, chosen);
    const appliedCents = cents ?? proposal.proposedCents;
    const approval = await sign(write, ctx, proposal, product.product, appliedCents);
    if (approval && isUnfinished(approval)) {
      return await saveApproval(write, ctx, found, approval, reason);
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
    saveWithAudit(write, ctx, found, after, "proposal.approve");
    return after;
  });
}

/** Refuses with `conflict` (`approval_needed`) programs, and who has approved the same price before. */
async function sign(
  write: Write,
  ctx: Context,
  proposal: StoredProposal,
  product: Product,
  cents: number,
): Promise<ProposalApprovals | null> {
  const { workspace: { approval: bound }, versionstamp } = await readWorkspace(ctx);
  const now = ctx.now();
  const fromCents = bound && await priceDayAgo(ctx, product, now) || proposal.currentCents;
  // The settings that hold are those at the time when the price is set.
  checkWorkspace(write, ctx.workspaceId, versionstamp);
  const approval = signed(await withValidVotes(ctx, proposal), {
    bound,
    fromCents,
    cents,
    actor: ctx.actor,
    now,
  });
  if (approval !== "program" && approval !== "twice") return approval;
  const why = approval === "program"
    ? "Only people can let so large a change through"
    : "You have approved it already: somebody else must do so, too";
  throw conflict(why, "approval_needed");
}

/** Without approvals of people who may no longer decide. */
async function withValidVotes(
  ctx: Context,
  { approval }: StoredProposal,
): Promise<Pick<StoredProposal, "approval">> {
  if (!approval) return { approval };
  const users = await Promise.all(approval.by.map(({ id }) => findUser(ctx, id)));
  const by = approval.by.filter((_, n) => hasRole(users[n]?.user.role ?? "viewer", DECIDERS));
  return { approval: { ...approval, by } };
}

/** The role that may decide, and those above it. */
const DECIDERS: Role = "manager";

/** It stays open, and says who has approved it. */
async function saveApproval(
  write: Write,
  ctx: Context,
  found: FoundProposal,
  approval: ProposalApprovals,
  reason: string | null,
): Promise<StoredProposal> {
  const { proposal: before } = found;
  const { id, sku, currency, currentCents } = before;
  const after = { ...before, approval };
  const traces = await findTraces(ctx, [id]);
  checkProposal(write, ctx.workspaceId, found);
  saveStillOpen(write, ctx.workspaceId, before, after, traces.get(id) ?? null);
  addAuditRow(write, ctx, {
    action: "proposal.approve",
    resource: { type: "proposal", id, label: sku },
    before: { status: before.status, approvals: before.approval?.by.length ?? 0 },
    after: {
      status: after.status,
      ruleId: after.ruleId,
      productId: after.productId,
      currentCents,
      proposedCents: approval.cents,
      approvals: approval.by.length,
    },
    currency,
    reason,
  });
  ctx.receipt?.put(write, null);
  return after;
}

/** Closes an open proposal. Refuses with `conflict` one that is closed or expired. */
export async function rejectProposal(
  ctx: Context,
  id: string,
  decisionReason: string | null = null,
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const rejected = decided(found.proposal, "rejected", ctx.actor, ctx.now());
    const after = { ...rejected, decisionReason };
    const product = await findProduct(ctx, after.productId);
    if (product) setGeneration(write, ctx.workspaceId, shard(product.product.sku));
    saveWithAudit(write, ctx, found, after, "proposal.reject");
    return after;
  });
}

/** So long a proposal can be put off. */
const PUT_OFF_MS_MAX = 30 * 24 * 3_600_000;

/**
 * Puts an open proposal off until a time, when it comes back by itself; null brings it back now.
 * Refuses with `validation_failed` a time that is past or more than 30 days ahead, with `conflict`
 * what is closed or expired.
 */
export async function putOffProposal(
  ctx: Context,
  id: string,
  until: Date | null,
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const inMs = until === null ? null : until.getTime() - ctx.now().getTime();
    if (inMs !== null && (inMs <= 0 || inMs > PUT_OFF_MS_MAX)) {
      throw refuseFields([{ path: "until", message: "Must be ahead, by 30 days at most" }]);
    }
    const { proposal: before } = found;
    const after = putOff(before, until);
    const traces = await findTraces(ctx, [id]);
    checkProposal(write, ctx.workspaceId, found);
    saveStillOpen(write, ctx.workspaceId, before, after, traces.get(id) ?? null);
    addAuditRow(write, ctx, {
      action: "proposal.later",
      resource: { type: "proposal", id, label: after.sku },
      ...changedFields({ until: before.heldUntil ?? null }, { until: after.heldUntil }),
    });
    ctx.receipt?.put(write, null);
    return after;
  });
}

async function requireOpen(ctx: Context, id: string): Promise<FoundProposal> {
  const found = await requireProposal(ctx, id);
  const { status, expiresAt } = found.proposal;
  if (status !== "open") throw conflict(`The proposal is closed already: it is ${status}`);
  if (Date.parse(expiresAt) <= ctx.now().getTime()) {
    throw conflict(`The proposal has expired at ${expiresAt}`, "expired");
  }
  return found;
}

/** A proposal of a deleted product is about to be closed. */
export async function requireOwner(
  ctx: Context,
  { productId }: StoredProposal,
): Promise<StoredProduct> {
  const product = await findProduct(ctx, productId);
  if (!product) throw conflict("Its product is deleted", "product_deleted");
  return product;
}

/** The current objections to the price, and the trace of the proposal. */
export async function readKnown(
  ctx: Context,
  ruleOf: RuleOf,
  { id, ruleId }: StoredProposal,
  product: Product,
): Promise<[KnownNow, Trace | null]> {
  const [situations, rule, traces] = await Promise.all([
    readSituations(ctx, [product]),
    ruleOf(ctx, ruleId),
    findTraces(ctx, [id]),
  ]);
  const trace = traces.get(id) ?? null;
  const situation = situations.get(product.id);
  if (!situation) throw new Error(`Nobody knows the market of ${product.id}`);
  return [{ situation, rule, trace }, trace];
}

/** `needsReason`: the price is allowed if the person gives a reason. */
export function refusalBy(
  deed: "approved" | "reopened",
  objection: Saying,
  chosen: ChosenPrice | null,
): Failure {
  const { code: guard } = objection;
  const needsReason = chosen !== null && (guard === "below_cost" || isBound(guard));
  const asks = needsReason ? "; say the reason to set it nevertheless" : "";
  return new Failure(
    "conflict",
    `The proposal cannot be ${deed}: ${wireObjection(objection)}${asks}`,
    { guard, ...(needsReason && { needsReason }) },
  );
}

function isBound(guard: string): boolean {
  return BOUND_CODES.some((code) => code === guard);
}

interface PriceSetting {
  readonly cents: number;
  readonly source: Extract<PriceCause["source"], "proposal" | "rollback">;
  readonly ref: string;
  readonly reason?: string | null;
}

/** The change of the product, and the news of it, in the caller's commit; answers the product. */
export async function changePrice(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  { cents, source, ref, reason = null }: PriceSetting,
): Promise<Product> {
  const before = found.product;
  const priced = await atOwnPrice(ctx, before, cents);
  // Objections to an approval were checked with the proposal and all facts of its rule.
  if (source === "rollback") await requireAllowedPrice(write, ctx, before, priced, reason);
  const after = stampChange(before, priced, ctx.now());
  const cause: PriceCause = { source, actor: ctx.actor, ref };
  await writeChange(write, ctx, found, after, { action: "product.update", cause, reason });
  return after;
}

export function saveWithAudit(
  write: Write,
  ctx: Context,
  found: FoundProposal,
  after: StoredProposal,
  action: AuditAction<"proposal">,
  more: { readonly reopenedId: string } | { readonly closedBy: string } | null = null,
): void {
  checkProposal(write, ctx.workspaceId, found);
  saveDecision(write, ctx.workspaceId, found.proposal, after);
  const { id, ruleId, productId, sku, status, proposedCents, currentCents, currency } = after;
  const { appliedCents, decisionReason: reason } = after;
  const isCounterPrice = typeof appliedCents === "number" && appliedCents !== proposedCents;
  addAuditRow(write, ctx, {
    action,
    resource: { type: "proposal", id, label: sku },
    before: { status: found.proposal.status },
    after: {
      status,
      ruleId,
      productId,
      currentCents,
      proposedCents,
      ...(isCounterPrice && { appliedCents }),
      ...more,
    },
    currency,
    reason,
  });
  announceDecision(write, ctx, after);
  ctx.receipt?.put(write, null);
}

export function conflict(message: string, guard?: string): Failure {
  return new Failure("conflict", message, guard === undefined ? undefined : { guard });
}

/** Facts that are known at the time of the decision. */
export interface KnownNow {
  readonly situation: Situation;
  /** Null for a deleted one. */
  readonly rule: JudgedRule | null;
  /** The trace of the price; `null` when it is no longer kept. */
  readonly trace: Trace | null;
}

/** The first thing that speaks against it, with the code that programs get; null when nothing does. */
export function objectionTo(
  { currentCents, proposedCents, currency }: StoredProposal,
  { situation, rule, trace }: KnownNow,
  chosen: ChosenPrice | null,
): Saying | null {
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

export interface ChosenPriceInput {
  /** In major units. */
  readonly price?: ProductPatch["ourPrice"];
  /** In minor units; both must agree. */
  readonly priceCents?: ProductPatch["ourPriceCents"];
  /** Lets a price through that is exactly 10^exponent times what it was. */
  readonly allowsLargeChange?: boolean;
}

/**
 * The chosen price in minor units; `null` when none was chosen. Refuses with `validation_failed` a
 * price that is not above 0, and with `price_unit_suspicious` one that looks like minor units
 * written as major ones.
 */
export function chosenCents(
  { currency }: Pick<StoredProposal, "currency">,
  product: Product,
  { price, priceCents, allowsLargeChange = false }: ChosenPriceInput,
): number | null {
  if (price === undefined && priceCents === undefined) return null;
  const priced = withPrices(product, product.currency, {
    ...(price !== undefined && { ourPrice: price }),
    ...(priceCents !== undefined && { ourPriceCents: priceCents }),
  });
  if ("refused" in priced) {
    throw refuseFields(priced.refused.map(({ message }) => ({ path: "price", message })));
  }
  const { ourPriceCents: cents } = priced.product;
  if (cents === null || cents < 1) {
    throw refuseFields([{ path: "price", message: "Must be above 0" }]);
  }
  if (!allowsLargeChange && suspiciousPrices(product, priced.product).length > 0) {
    const [was, is] = [product.ourPriceCents ?? 0, cents].map((one) => showMoney(one, currency));
    throw new Failure(
      "price_unit_suspicious",
      `"price" would go from ${was} to ${is}, as if the integer that was read had been sent back: ` +
        "write major units, or repeat with ?allowLargeChange=true",
      { fields: [{ path: "price", message: "Is written in major units" }] },
    );
  }
  return cents;
}

export interface Signing {
  /** Null: one person is enough for anything. */
  readonly bound: ApprovalBound | null;
  /** The change is measured from this price, that of 24 hours ago. */
  readonly fromCents: number;
  /** The price that is approved. */
  readonly cents: number;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * The approvals including this one; `null` when one is enough. `program`: only people can approve.
 * `twice`: the same person has already approved. An approval of another price starts a new list.
 */
export function signed(
  { approval }: Pick<StoredProposal, "approval">,
  { bound, fromCents, cents, actor: { type, id, name }, now }: Signing,
): ProposalApprovals | "program" | "twice" | null {
  if (bound === null || !isLargeMove(bound, fromCents, cents)) return null;
  if (type !== "user") return "program";
  // Older rows lack it.
  const before = approval && approval.cents === cents ? approval.by : [];
  if (before.some((one) => one.id === id)) return "twice";
  return {
    people: bound.people,
    cents,
    by: [...before, { type, id, name, at: now.toISOString() }],
  };
}

/** True while more people must approve. */
export function isUnfinished({ people, by }: ProposalApprovals): boolean {
  return by.length < people;
}
