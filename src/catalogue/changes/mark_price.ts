import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { parseBound } from "../../base/time.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { readVat } from "../lists/find_lowest_price.ts";
import { requireProduct } from "../lists/find_product.ts";
import { exportsSince } from "../prices/awaited_price_store.ts";
import type { PriceChange } from "../prices/price_history.ts";
import { findNextChange } from "../prices/price_rows.ts";
import {
  type NewPriceMark,
  type PriceHistoryEntry,
  type PriceMark,
  priceMarks,
} from "../prices/price_mark.ts";
import { listPriceChanges } from "../products/price_changes.ts";

/**
 * Marks the entry of a product's price history at a time as an error, or removes the mark; the
 * entry itself stays. An unchanged mark writes nothing. Works for deleted products too. Throws
 * `not_found` if the product does not exist or its price did not change at that time. Throws
 * `conflict` if the price is declared never shown but an export contained it while it was in force.
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

/**
 * Throws `conflict` if an export contained the price while it was in force, because customers may
 * have seen it.
 */
async function refuseExported(ctx: Context, id: string, change: PriceChange): Promise<void> {
  const atMs = Date.parse(change.at);
  const hasReported = await exportsSince(ctx, atMs);
  const endedMs = await findNextChange(ctx, id, atMs);
  if (!hasReported(change, endedMs ?? Infinity)) return;
  const message = "An export has told the price while it was in force: it may have been shown";
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

/** `at` and the price identify the entry, so they are on both sides although they do not change. */
function auditFields({ at, toCents }: PriceChange, mark: PriceMark | null) {
  return {
    at,
    ourPriceCents: toCents,
    isError: mark !== null,
    neverShown: mark?.neverShown ?? false,
  };
}
