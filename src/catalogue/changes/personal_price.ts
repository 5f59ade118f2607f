/**
 * Checks the prices that people set (docs/decisions/rules.md, "Prices that people set"), and marks
 * wrong entries of the price history.
 */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import {
  checkWorkspace,
  readWorkspace,
  requireWorkspace,
  type Workspace,
} from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { startOfDay } from "../../base/german_values.ts";
import { isLargeMove, showMoney } from "../../base/money.ts";
import { needsReason, type PriceDoubt, priceDoubts } from "../../base/price_doubts.ts";
import { parseBound } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { readVat } from "../lists/find_lowest_price.ts";
import { requireProduct } from "../lists/find_product.ts";
import { exportsSince } from "../prices/awaited_price_store.ts";
import {
  findNextChange,
  type NewPriceMark,
  type PriceChange,
  type PriceHistoryEntry,
  type PriceMark,
  priceMarks,
} from "../prices/price_rows.ts";
import { listPriceChanges, priceDayAgo } from "../products/price_changes.ts";
import { followPrice, holdEndMs, isRepriced, type Product } from "../products/product.ts";

/**
 * Throws `conflict` if a reason is missing, or if other people must approve the price first. The
 * `details` of the error say whether a reason or an approval is missing.
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
    `The change from ${was} (the price 24 hours ago) to ${is} needs the approval of ` +
      `${workspace.approval.people} people: approve a proposal for this price instead`,
    { guard: "approval_needed" },
  );
}

function objectionTo(after: Product, workspace: Workspace, now: Date): PriceDoubt | undefined {
  const { ourPriceCents: cents } = after;
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

const REFUSALS: Partial<Record<PriceDoubt["code"], readonly [guard: string, text: string]>> = {
  below_min: ["min_price", "below the minimum"],
  above_max: ["max_price", "above the maximum"],
  locked: ["price_locked", "locked"],
  held: ["price_held", "held"],
};

function lacksReason(doubt: PriceDoubt, { currency }: Product): Failure {
  const [guard, text] = REFUSALS[doubt.code] ?? ["below_cost", "below cost"];
  const limit = "limitCents" in doubt ? `, ${showMoney(doubt.limitCents, currency)}` : "";
  const message = `The price is ${text}${limit}: give a reason to set it anyway`;
  return new Failure("conflict", message, { guard, needsReason: true });
}

export async function atOwnPrice(
  ctx: Context,
  product: Product,
  ourPriceCents: number | null,
): Promise<Product> {
  const { timeZone } = await requireWorkspace(ctx);
  return followPrice({ ...product, ourPriceCents }, startOfDay(ctx.now(), timeZone));
}

/**
 * Marks an entry of the price history as an error, or removes the mark. Throws `conflict` for the
 * mark "never shown" if an export contained the price.
 */
export async function markPrice(
  ctx: Context,
  id: string,
  at: string,
  asked: NewPriceMark,
): Promise<PriceHistoryEntry> {
  const product = await requireProduct(ctx, id, true);
  const { sku } = product;
  const change = await requireChange(ctx, id, at);
  if (asked.neverShown) await refuseExported(ctx, id, change);
  const { vatRatePct } = (await readVat(ctx, product)).at(Date.parse(change.at));
  return await transact(ctx, async (write) => {
    const place = { productId: id, atMs: Date.parse(change.at) };
    const found = await priceMarks.find(ctx, place);
    const before = found?.row.mark ?? null;
    const mark = asked.isError ? newMark(ctx, asked) : null;
    if (saysTheSame(before, mark)) return { ...change, mark: before, vatRatePct };
    if (mark !== null) priceMarks.save(write, ctx, found, { ...place, mark });
    else if (found) priceMarks.remove(write, ctx, found);
    addAuditRow(write, ctx, {
      action: "product.mark",
      resource: { type: "product", id, label: sku },
      before: auditFields(change, before),
      after: auditFields(change, mark),
      currency: change.currency,
      reason: asked.reason,
    });
    return { ...change, mark, vatRatePct };
  });
}

async function requireChange(ctx: Context, id: string, at: string): Promise<PriceChange> {
  const atMs = parseBound(at, "start");
  const stretch = atMs === null ? null : { fromMs: atMs, beforeMs: atMs + 1 };
  const [change] = stretch ? await listPriceChanges(ctx, id, stretch, 1) : [];
  if (change) return change;
  const text = at.slice(0, 40).toWellFormed();
  throw new Failure("not_found", `The price of the product did not change at "${text}"`);
}

async function refuseExported(ctx: Context, id: string, change: PriceChange): Promise<void> {
  const atMs = Date.parse(change.at);
  const hasReported = await exportsSince(ctx, atMs);
  const endedMs = await findNextChange(ctx, id, atMs);
  if (!hasReported(change, endedMs ?? Infinity)) return;
  const message =
    "An export contained the price while it was valid, so customers may have seen it: " +
    "mark it without `neverShown`";
  throw new Failure("conflict", message, { guard: "exported" });
}

function newMark(ctx: Context, { neverShown, reason }: NewPriceMark): PriceMark {
  const { type, id, name } = ctx.actor;
  return {
    isError: true,
    neverShown,
    reason: reason ?? null,
    by: { type, id, name },
    markedAt: ctx.now().toISOString(),
  };
}

function saysTheSame(one: PriceMark | null, other: PriceMark | null): boolean {
  if (one === null || other === null) return one === other;
  return one.neverShown === other.neverShown && one.reason === other.reason;
}

function auditFields({ at, toCents }: PriceChange, mark: PriceMark | null) {
  return {
    at,
    ourPriceCents: toCents,
    isError: mark !== null,
    neverShown: mark?.neverShown ?? false,
  };
}
