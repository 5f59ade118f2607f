/** What people do with proposals; each is one commit with its audit rows and its news. */
import type { AuditAction } from "../audit/audit_actions.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { Failure } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { listPriceChanges } from "../catalogue/products/price_changes.ts";
import type { PriceCause } from "../catalogue/prices/price_history.ts";
import { atOwnPrice } from "../catalogue/changes/own_price.ts";
import { type Product, shard, stampChange } from "../catalogue/products/product.ts";
import { setGeneration } from "../catalogue/products/generation_store.ts";
import { findProduct, type StoredProduct } from "../catalogue/products/product_store.ts";
import { writeChange } from "../catalogue/changes/write_change.ts";
import { findCompetitors } from "../competitors/competitor_store.ts";
import { findOffers } from "../competitors/offers/offer_store.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import type { JudgedRule } from "../pricing/compile_rule.ts";
import { NO_HISTORY, type Situation } from "../pricing/situation.ts";
import { wireObjection } from "../wording/reason_text.ts";
import { announceDecision } from "./announce_decision.ts";
import { objectionTo } from "./approval_guard.ts";
import { pricingOffersOf } from "./priced_offer.ts";
import { pricedProductOf, pricingSettingsOf } from "./priced_product.ts";
import { decided, type StoredProposal } from "./proposal.ts";
import {
  checkProposal,
  findProposal,
  findTraces,
  type FoundProposal,
  saveDecision,
} from "./proposal_store.ts";

/** Answered by whoever keeps the rules; null for a deleted one. */
export type RuleOf = (workspace: WorkspaceStore, ruleId: string) => Promise<JudgedRule | null>;

export interface ProposalDeps {
  readonly ruleOf: RuleOf;
}

/** Refuses with `not_found` an id that is malformed, unknown or of another workspace. */
export async function requireProposal(
  workspace: WorkspaceStore,
  id: string,
): Promise<FoundProposal> {
  const found = isId(id) ? await findProposal(workspace, id) : null;
  if (found) return found;
  throw new Failure("not_found", `There is no proposal "${id.slice(0, 100).toWellFormed()}"`);
}

/**
 * Sets the price that the proposal asks for. Refuses with `conflict` one that is closed or expired,
 * and one that its product, cost, floor or references no longer allow (`details.guard`).
 */
export async function approveProposal(
  ctx: Context,
  { ruleOf }: ProposalDeps,
  id: string,
): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const { proposal } = found;
    const product = await requireOwner(ctx, proposal);
    const [situation, rule, traces] = await Promise.all([
      readSituation(ctx, product.product),
      ruleOf(ctx, proposal.ruleId),
      findTraces(ctx, [id]),
    ]);
    const objection = objectionTo(proposal, { situation, rule, trace: traces.get(id) ?? null });
    if (objection) {
      const why = wireObjection(objection);
      throw conflict(`The proposal cannot be approved: ${why}`, objection.code);
    }
    const appliedAt = await changePrice(write, ctx, product, {
      cents: proposal.proposedCents,
      source: "proposal",
      ref: id,
    });
    const after = { ...decided(proposal, "applied", ctx.actor, ctx.now()), appliedAt };
    saveWithAudit(write, ctx, found, after, "proposal.approve");
    return after;
  });
}

/** Closes an open proposal. Refuses with `conflict` one that is closed or expired. */
export async function rejectProposal(ctx: Context, id: string): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireOpen(ctx, id);
    const after = decided(found.proposal, "rejected", ctx.actor, ctx.now());
    const product = await findProduct(ctx, after.productId);
    if (product) setGeneration(write, ctx.workspaceId, shard(product.product.sku));
    saveWithAudit(write, ctx, found, after, "proposal.reject");
    return after;
  });
}

/**
 * Sets the price back to what it was before the proposal was applied. Refuses with `conflict` what
 * was not applied, and after any later change of the price.
 */
export async function rollBackProposal(ctx: Context, id: string): Promise<StoredProposal> {
  return await transact(ctx, async (write) => {
    const found = await requireProposal(ctx, id);
    const { proposal } = found;
    if (proposal.status !== "applied") {
      throw conflict(`Only an applied proposal can be rolled back, it is ${proposal.status}`);
    }
    const product = await requireOwner(ctx, proposal);
    const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
    const [newest] = await listPriceChanges(ctx, proposal.productId, stretch, 1);
    if (newest?.at !== proposal.appliedAt) {
      throw conflict("The price has changed since the proposal was applied", "price_changed");
    }
    await changePrice(write, ctx, product, {
      cents: proposal.currentCents,
      source: "rollback",
      ref: id,
    });
    const after = decided(proposal, "rolled_back", ctx.actor, ctx.now());
    saveWithAudit(write, ctx, found, after, "proposal.rollback");
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
async function requireOwner(ctx: Context, { productId }: StoredProposal): Promise<StoredProduct> {
  const product = await findProduct(ctx, productId);
  if (!product) throw conflict("Its product is deleted", "product_deleted");
  return product;
}

/** The product and its market as they are now. */
async function readSituation(ctx: Context, product: Product): Promise<Situation> {
  const [{ offers }, workspace] = await Promise.all([
    findOffers(ctx, product.id),
    requireWorkspace(ctx),
  ]);
  const competitors = await findCompetitors(ctx, offers.map(({ competitorId }) => competitorId));
  return {
    product: pricedProductOf(product),
    offers: pricingOffersOf(offers, competitors),
    history: NO_HISTORY,
    settings: pricingSettingsOf(workspace),
    nowMs: ctx.now().getTime(),
    mode: "live",
  };
}

interface PriceSetting {
  readonly cents: number;
  readonly source: Extract<PriceCause["source"], "proposal" | "rollback">;
  readonly ref: string;
}

/** The change of the product, and the news of it, in the caller's commit; answers when it counts from. */
async function changePrice(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  { cents, source, ref }: PriceSetting,
): Promise<string> {
  const before = found.product;
  const priced = await atOwnPrice(ctx, before, cents);
  const after = stampChange(before, priced, ctx.now());
  const cause: PriceCause = { source, actor: ctx.actor, ref };
  await writeChange(write, ctx, found, after, { action: "product.update", cause });
  return after.ourPriceUpdatedAt ?? after.updatedAt;
}

function saveWithAudit(
  write: Write,
  ctx: Context,
  found: FoundProposal,
  after: StoredProposal,
  action: AuditAction<"proposal">,
): void {
  checkProposal(write, ctx.workspaceId, found);
  saveDecision(write, ctx.workspaceId, found.proposal, after);
  const { id, ruleId, productId, sku, status, proposedCents, currentCents, currency } = after;
  addAuditRow(write, ctx, {
    action,
    resource: { type: "proposal", id, label: sku },
    before: { status: found.proposal.status },
    after: { status, ruleId, productId, currentCents, proposedCents },
    currency,
  });
  announceDecision(write, ctx, after);
  ctx.receipt?.put(write, null);
}

function conflict(message: string, guard?: string): Failure {
  return new Failure("conflict", message, guard === undefined ? undefined : { guard });
}
