/** Decides whether the price of a proposal may be set, and how many people must approve it. */
import { hasRole } from "../../accounts/roles.ts";
import { findUser } from "../../accounts/users/user.ts";
import { checkWorkspace, readWorkspace } from "../../accounts/workspace.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { isLargeMove } from "../../base/money.ts";
import { priceDayAgo } from "../../catalogue/products/product_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  type ProductPatch,
  refuseSuspicious,
  withPrices,
} from "../../catalogue/products/product_input.ts";
import { BOUND_CODES } from "../../engine/pricing/codes.ts";
import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { objectionToApproval } from "../../engine/pricing/find_price.ts";
import type { ChosenPrice } from "../../engine/pricing/safety_guards.ts";
import type { Statement } from "../../engine/pricing/trigger.ts";
import type { Situation } from "../../engine/pricing/situation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { wireObjection } from "../../engine/wording/reason_text.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { ProposalApprovals, StoredProposal } from "./proposal.ts";
import { findTraces } from "./proposal_store.ts";
import { readSituations } from "./priced_product.ts";
import { findRule } from "../rule.ts";

/** A price that a person sets instead of the proposed price. */
export interface OtherPrice {
  readonly price?: ProductPatch["ourPrice"];
  readonly priceCents?: ProductPatch["ourPriceCents"];
  readonly allowsLargeChange?: boolean;
}

/**
 * Returns the valid approvals of this price, with the caller's; null if one approval is enough. If
 * several approvals are needed, throws `conflict` for programs and people who already approved.
 */
export async function sign(
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

type Proposed = Pick<StoredProposal, "currentCents" | "proposedCents" | "currency">;

/** `rule` is null if it was deleted; `trace`, the stored calculation, is null if it expired. */
export interface KnownNow {
  readonly situation: Situation;
  readonly rule: JudgedRule | null;
  readonly trace: Trace | null;
}

export function objectionTo(
  { currentCents, proposedCents, currency }: Proposed,
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
 * Throws `conflict` with `details.guard` if a guard (safety check) forbids the price, or the rule
 * is off or deleted. If `details.needsReason` is true, the caller may try again with a reason.
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

export function chosenCents(
  product: Product,
  { price, priceCents, allowsLargeChange = false }: OtherPrice,
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
  if (!allowsLargeChange) refuseSuspicious(product, priced.product, () => "price");
  return cents;
}

export function conflict(message: string, guard?: string): Failure {
  return new Failure("conflict", message, guard === undefined ? undefined : { guard });
}
