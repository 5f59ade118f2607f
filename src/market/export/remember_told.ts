import { batchesOf } from "../../base/batches.ts";
import { type AwaitedPrice, putAwaitedPrice } from "../../catalogue/prices/awaited_price_store.ts";
import type { ExportedChange } from "../../catalogue/prices/price_history_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { type ExportRange, walkRange } from "./export_range.ts";
import { findOwners } from "./price_change_row.ts";

const ROWS_PER_COMMIT = 200;

/**
 * Remembers the prices of an export that the ERP has read to its end: its imports should bring them.
 * `isOfToday`: what was told is the price that each product has, not what each change led to. People
 * who look at a file are no ERP.
 */
export async function rememberTold(
  ctx: Context,
  range: ExportRange,
  isOfToday: boolean,
): Promise<void> {
  if (ctx.actor.type === "user") return;
  for await (const batch of batchesOf(walkRange(ctx, range, null), ROWS_PER_COMMIT)) {
    await remember(ctx, batch, isOfToday);
  }
}

async function remember(
  ctx: Context,
  changes: readonly ExportedChange[],
  isOfToday: boolean,
): Promise<void> {
  const owners = await findOwners(ctx, changes);
  const toldAtMs = ctx.now().getTime();
  // Of several changes of a product the last one counts.
  const awaited = new Map<string, AwaitedPrice>();
  for (const { productId, change } of changes) {
    const owner = owners.get(productId);
    const price = owner === undefined ? null : toldPrice(owner, change, isOfToday);
    if (owner === undefined || price === null) continue;
    const { tier } = owner;
    const waits = { status: "waiting", misses: 0, seen: null } as const;
    awaited.set(productId, { productId, tier, ...price, toldAtMs, ...waits });
  }
  await transact(ctx, (write) => {
    for (const price of awaited.values()) putAwaitedPrice(write, ctx.workspaceId, price);
  });
}

function toldPrice(
  { ourPriceCents, currency, deletedAt }: Product,
  change: ExportedChange["change"],
  isOfToday: boolean,
) {
  const told = isOfToday
    ? { cents: ourPriceCents, currency }
    : { cents: change.toCents, currency: change.currency };
  if (deletedAt !== null || told.cents === null) return null;
  return { cents: told.cents, currency: told.currency };
}
