/**
 * The limits for a person who sets an own price (docs/decisions/rules.md, Prices that people set). A
 * price beyond the bounds of the product needs a reason, and a change that needs several approvals
 * cannot be set by one person. API keys and files of the ERP have no such limits.
 */

import type { Workspace } from "../../accounts/workspace.ts";
import { checkWorkspace, readWorkspace, requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure } from "../../base/failure.ts";
import { startOfDay } from "../../base/german_values.ts";
import { isLargeMove, showMoney } from "../../base/money.ts";
import { needsReason, type PriceDoubt, priceDoubts } from "../../base/price_doubts.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { priceDayAgo } from "../products/price_changes.ts";
import { followPrice, holdEndMs, isRepriced, type Product } from "../products/product.ts";

/**
 * Throws `conflict` if the price needs a reason and has none (`details.needsReason`, with the guard
 * in `details.guard`), or if several people must approve it (guard `approval_needed`).
 */
export async function requireAllowedPrice(
  write: Write,
  ctx: Context,
  before: Product,
  after: Product,
  reason: string | null,
): Promise<void> {
  if (ctx.actor.type !== "user" || !isRepriced(before, after)) return;
  const { workspace, versionstamp } = await readWorkspace(ctx);
  // The commit fails if the settings change before the price is set.
  checkWorkspace(write, ctx.workspaceId, versionstamp);
  const refusal = await findRefusal(ctx, after, reason, workspace);
  if (refusal) throw refusal;
}

export async function findRefusal(
  ctx: WorkspaceStore & Pick<Context, "now">,
  after: Product,
  reason: string | null,
  workspace: Workspace,
): Promise<Failure | null> {
  const objection = reason === null ? objectionTo(after, workspace, ctx.now()) : null;
  if (objection) return lacksReason(objection, after);
  const { ourPriceCents: cents } = after;
  if (workspace.approval === null || cents === null) return null;
  const fromCents = await priceDayAgo(ctx, after, ctx.now());
  if (fromCents === null || !isLargeMove(workspace.approval, fromCents, cents)) return null;
  const was = showMoney(fromCents, after.currency);
  const is = showMoney(cents, after.currency);
  return new Failure(
    "conflict",
    `From ${was}, the price of 24 hours ago, to ${is} is a change that ` +
      `${workspace.approval.people} people must let through: approve a proposal of it instead`,
    { guard: "approval_needed" },
  );
}

/** Returns the first doubt that requires a reason. */
function objectionTo(after: Product, workspace: Workspace, now: Date): PriceDoubt | undefined {
  const { ourPriceCents: cents } = after;
  // Cost and bounds do not apply to a product without a price.
  const bounds = cents === null
    ? { costPriceCents: null, minPriceCents: null, maxPriceCents: null }
    : after;
  return priceDoubts({
    cents: cents ?? 0,
    oldCents: null,
    marketCents: null,
    floorPct: null,
    terms: {
      costPriceCents: bounds.costPriceCents,
      vatRatePct: after.vatRatePct ?? workspace.vatRatePct,
      pricesIncludeVat: workspace.pricesIncludeVat,
    },
    limits: {
      minPriceCents: bounds.minPriceCents,
      maxPriceCents: bounds.maxPriceCents,
      isLocked: after.priceLocked,
      isHeld: (holdEndMs(after) ?? 0) > now.getTime(),
    },
  }).find((doubt) => needsReason([doubt]));
}

function lacksReason(doubt: PriceDoubt, { currency }: Product): Failure {
  const { guard, text } = toldOf(doubt, currency);
  return new Failure(
    "conflict",
    `The price is ${text}: say the reason to set it nevertheless`,
    { guard, needsReason: true },
  );
}

/** The guard's code as in rules, and its text. */
function toldOf(doubt: PriceDoubt, currency: string): { guard: string; text: string } {
  switch (doubt.code) {
    case "below_min":
      return { guard: "min_price", text: `below the minimum, ${money(doubt, currency)}` };
    case "above_max":
      return { guard: "max_price", text: `above the maximum, ${money(doubt, currency)}` };
    case "locked":
      return { guard: "price_locked", text: "locked" };
    case "held":
      return { guard: "price_held", text: "held" };
    default:
      return { guard: "below_cost", text: "below cost" };
  }
}

function money({ limitCents }: { readonly limitCents: number }, currency: string): string {
  return showMoney(limitCents, currency);
}

/**
 * Returns the product with its changed own price. The tier price of its own tier follows it, valid
 * from today in the workspace's zone, as in imported and exported files.
 */
export async function atOwnPrice(
  ctx: Context,
  product: Product,
  ourPriceCents: number | null,
): Promise<Product> {
  const { timeZone } = await requireWorkspace(ctx);
  return followPrice({ ...product, ourPriceCents }, startOfDay(ctx.now(), timeZone));
}
