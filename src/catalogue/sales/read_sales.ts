/** Reads units sold per day and their sums. Checks that stored months belong to products. */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { batchesOf } from "../../base/collections.ts";
import { dateIn, daysBefore, monthsBetween } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findDeletedDocument, findDocuments } from "../products/product_store.ts";
import { RECENT_DAYS, SALES_DAYS, SoldDay, sumOfUnits, thousandths } from "./sale.ts";
import { findSalesRows, hasSales, sales, unpackMonth } from "./sales_store.ts";
import { z } from "@hono/zod-openapi";

export const SalesRange = {
  from: z.iso.date().optional().describe("The first day"),
  to: z.iso.date().optional().describe("The last day"),
};

export const Sales = z.object({
  days: z.array(SoldDay).describe("By date; days without a report are absent"),
  units30d: z.number().nullable().describe(
    "Units of the last 30 days including today; null if no day was reported",
  ),
}).meta({ id: "Sales" });

export type Sales = z.infer<typeof Sales>;

export async function readSales(
  ctx: Context,
  productId: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Sales> {
  const { timeZone } = await requireWorkspace(ctx);
  const today = dateIn(ctx.now(), timeZone);
  const oldest = daysBefore(today, SALES_DAYS);
  const newest = daysBefore(today, -1);
  const own = await soldDays(ctx, productId, oldest, newest);
  return {
    days: own.filter(({ date }) => date >= (from ?? oldest) && date <= (to ?? newest)),
    units30d: unitsOf(own, today),
  };
}

/** Units of the last 30 days including today; null if no day was reported. */
export async function readRecentUnits(
  workspace: WorkspaceStore,
  productId: string,
  now: Date,
): Promise<number | null> {
  const { timeZone } = await requireWorkspace(workspace);
  const today = dateIn(now, timeZone);
  return unitsOf(
    await soldDays(workspace, productId, daysBefore(today, RECENT_DAYS - 1), today),
    today,
  );
}

function unitsOf(days: readonly SoldDay[], today: string): number | null {
  const from = daysBefore(today, RECENT_DAYS - 1);
  const recent = days.filter(({ date }) => date >= from && date <= today);
  return recent.length === 0 ? null : sumOfUnits(recent);
}

async function soldDays(
  workspace: WorkspaceStore,
  productId: string,
  from: string,
  to: string,
): Promise<SoldDay[]> {
  const places = monthsBetween(from, to).map((month) => ({ productId, month }));
  const rows = await findSalesRows(workspace, places);
  return places.flatMap(({ month }, at) => {
    const bytes = rows[at];
    return bytes ? unpackMonth(month, bytes) : [];
  }).filter(({ date }) => date >= from && date <= to);
}

/** In thousandths, of the last 30 days including today. Products without a report are absent. */
export async function recentUnitsOf(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const units = new Map<string, number>();
  if (productIds.length === 0 || !(await hasSales(workspace))) return units;
  const { timeZone } = await requireWorkspace(workspace);
  const to = dateIn(now, timeZone);
  const from = daysBefore(to, RECENT_DAYS - 1);
  const months = monthsBetween(from, to);
  const places = productIds.flatMap((productId) => months.map((month) => ({ productId, month })));
  const rows = await findSalesRows(workspace, places);
  for (const [at, { productId, month }] of places.entries()) {
    const bytes = rows[at];
    if (!bytes) continue;
    const days = unpackMonth(month, bytes).filter(({ date }) => date >= from && date <= to);
    if (days.length === 0) continue;
    const sum = days.reduce((total, day) => total + thousandths(day.units), 0);
    units.set(productId, (units.get(productId) ?? 0) + sum);
  }
  return units;
}

const ROWS_AT_ONCE = 500;

/** Checks that each row can be decoded and belongs to a product. */
export async function* checkSales(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  for await (const rows of batchesOf(sales.walk(workspace), ROWS_AT_ONCE)) {
    const ids = [...new Set(rows.map(({ row }) => row.productId))];
    const active = new Set((await findDocuments(workspace, ids)).map(({ id }) => id));
    for (const id of ids.filter((one) => !active.has(one))) {
      if (await findDeletedDocument(workspace, id) === null) yield `Product ${id} has sales alone`;
    }
    for (const { row: { productId, month, bytes } } of rows) {
      if (!isReadable(month, bytes)) {
        yield `Nobody can read the sales of product ${productId} in ${month}`;
      }
    }
  }
}

function isReadable(month: number, bytes: Uint8Array): boolean {
  try {
    unpackMonth(month, bytes);
    return true;
  } catch {
    // The caller reports all unreadable rows in the same way.
    return false;
  }
}
