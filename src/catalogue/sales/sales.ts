/**
 * Stores units sold per day, packed in one row per month, and answers requests for them
 * (docs/decisions/sales.md). A commit must check and set the version counter of the product's shard
 * (one of 64 parts of the catalogue), so that concurrent commits do not overwrite each other's
 * sales.
 */
import { dateIn, daysBefore, monthOf, monthsBetween } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { getBytesAt } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  changeOf,
  monthsOf,
  readSoldRow,
  RECENT_DAYS,
  SALES_CODES,
  SALES_DAYS,
  SalesBody,
  type SalesChange,
  type SalesPlace,
  SoldDay,
  type SoldOn,
  type SoldRow,
  sumOfUnits,
  unpackMonth,
} from "./sale.ts";
import { COMMIT_MAX, transact, type Write } from "../../platform/store/kv.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { anyKey, keyWith, viewer } from "../../accounts/roles.ts";
import { noSuch, shown } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { requireDocument } from "../lists/find_product.ts";
import { productVersions } from "../products/change_log_store.ts";
import { findIndexRow, findIndexRows } from "../products/index_row_store.ts";
import { cutByShard, shard } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import { z } from "@hono/zod-openapi";

export const sales = defineTable<
  SalesPlace & { readonly bytes: Uint8Array },
  "productId" | "month"
>({
  prefix: "sl",
  about: "the units sold of a product per day of a month (202611), as packed bytes",
  key: { productId: "id", month: "number" },
  value: "bytes",
  keep: {
    what: "sales by day (whole months)",
    days: SALES_DAYS,
    isOld: ({ month }, before) => month < monthOf(before.toISOString()),
  },
});

export async function findSalesRows(
  workspace: WorkspaceStore,
  places: readonly SalesPlace[],
): Promise<(Uint8Array | null)[]> {
  const keys = places.map((place) => sales.keyOf(workspace, place));
  return (await getBytesAt(workspace.store, keys)).map((found) => found?.value ?? null);
}

export async function hasSales(workspace: WorkspaceStore): Promise<boolean> {
  return (await sales.list(workspace, { limit: 1 })).length > 0;
}

/** The caller must already have read the version counters of the products' shards. */
export async function findSalesChanges(
  workspace: WorkspaceStore,
  sold: readonly SoldOn[],
): Promise<SalesChange[]> {
  const months = monthsOf(sold);
  const stored = await findSalesRows(workspace, months.map(({ place }) => place));
  return months.flatMap(({ place, days }, at) => changeOf(place, stored[at] ?? null, days) ?? []);
}

/** The caller's commit must also check and set the version counter of the product's shard. */
export function putSalesChange(
  write: Write,
  workspaceId: string,
  { productId, month, bytes }: SalesChange,
): void {
  const place = { productId, month };
  if (bytes === null) sales.drop(write, { workspaceId }, place);
  else sales.put(write, { workspaceId }, { ...place, bytes });
}

const Day = z.union([z.literal(""), z.iso.date()], { error: "Invalid ISO date" }).optional();
const SalesRange = { from: Day.describe("The first day"), to: Day.describe("The last day") };

const Sales = z.object({
  days: z.array(SoldDay).describe("By date; days without a report are absent"),
  units30d: z.number().nullable()
    .describe("Units of the last 30 days including today; null if no day was reported"),
}).meta({ id: "Sales" });

type Sales = z.infer<typeof Sales>;

async function readSales(
  ctx: Context,
  productId: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Sales> {
  const { timeZone } = await requireWorkspace(ctx);
  const today = dateIn(ctx.now(), timeZone);
  const oldest = daysBefore(today, SALES_DAYS);
  const newest = daysBefore(today, -1);
  const days = (await soldDays(ctx, [productId], oldest, newest)).get(productId) ?? [];
  const recent = days.filter(({ date }) => date >= firstRecentDay(today) && date <= today);
  return {
    days: days.filter(({ date }) => date >= (from || oldest) && date <= (to || newest)),
    units30d: recent.length === 0 ? null : sumOfUnits(recent),
  };
}

function firstRecentDay(today: string): string {
  return daysBefore(today, RECENT_DAYS - 1);
}

/** Units of the last 30 days including today. Products without a reported day are absent. */
export async function recentUnitsOf(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  today: string,
): Promise<Map<string, number>> {
  const sold = await soldDays(workspace, productIds, firstRecentDay(today), today);
  return new Map([...sold].map(([id, days]) => [id, sumOfUnits(days)]));
}

export async function soldDays(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, SoldDay[]>> {
  const months = monthsBetween(from, to);
  const places = productIds.flatMap((productId) => months.map((month) => ({ productId, month })));
  const rows = await findSalesRows(workspace, places);
  const sold = new Map<string, SoldDay[]>();
  for (const [at, { productId, month }] of places.entries()) {
    const bytes = rows[at];
    const days = bytes ? unpackMonth(month, bytes) : [];
    const within = days.filter(({ date }) => date >= from && date <= to);
    if (within.length > 0) sold.getOrInsertComputed(productId, () => []).push(...within);
  }
  return sold;
}

const SalesOutcome = z.object({
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.object({
    index: z.int().describe("Index of the row, from 0"),
    code: z.enum(SALES_CODES),
    message: z.string(),
  })),
}).meta({ id: "SalesOutcome" });

type SalesOutcome = z.infer<typeof SalesOutcome>;

export function salesRoutes() {
  const answer = one(Sales, "Units sold of the product");
  const sales = resource("/sales", {
    read: { keys: anyKey },
    change: { keys: keyWith("products:write") },
  })
    .post("", {
      body: SalesBody,
      answer: one(SalesOutcome, "Number of accepted rows, and the errors of the others"),
    }, ({ ctx, body }) => recordSales(ctx, body))
    .get("", {
      query: z.strictObject({ sku: z.string().min(1).max(1_000), ...SalesRange }),
      answer,
    }, async ({ ctx, query: { sku: written, ...range } }) => {
      const sku = normaliseSku(written);
      const indexRow = skuError(sku) === null ? await findIndexRow(ctx, sku) : null;
      if (indexRow === null) throw noSuch("product", written);
      return await readSales(ctx, indexRow.id, range);
    });
  const ofProduct = resource("/products/{id}/sales", { read: { people: viewer } })
    .get("", { query: z.strictObject(SalesRange), answer }, async ({ ctx, id, query }) => {
      const product = await requireDocument(ctx, id, true);
      return await readSales(ctx, product.id, query);
    });
  return [...sales.routes, ...ofProduct.routes];
}

const MOST = { rows: 300, shards: COMMIT_MAX.checks - 2 };

/** A row replaces the stored sales of its product and day, so a request may be repeated. */
export async function recordSales(ctx: Context, { rows }: SalesBody): Promise<SalesOutcome> {
  const { timeZone, currency } = await requireWorkspace(ctx);
  const terms = { today: dateIn(ctx.now(), timeZone), currency };
  const errors: SalesOutcome["errors"] = [];
  const read: SoldRow[] = [];
  for (const [index, input] of rows.entries()) {
    const judged = readSoldRow(input, index, terms);
    if ("row" in judged) read.push(judged.row);
    else errors.push({ index, ...judged.refusal });
  }
  const batches = cutBatches(read);
  for (const [at, batch] of batches.entries()) {
    const isLast = at === batches.length - 1;
    const unknown = await recordBatch(ctx, batch, isLast ? read.length : null);
    for (const { index, sku } of unknown) {
      const message = `There is no product "${shown(sku)}"`;
      errors.push({ index, code: "not_found", message });
    }
  }
  errors.sort((one, other) => one.index - other.index);
  return { accepted: rows.length - errors.length, rejected: errors.length, errors };
}

/** All rows of a SKU are in one batch, in their original order. */
function cutBatches(rows: readonly SoldRow[]): SoldRow[][] {
  const bySku = [...Map.groupBy(rows, ({ sku }) => sku)]
    .map(([sku, group]) => ({ shard: shard(sku), rows: group.length, group }))
    .sort((one, other) => one.shard - other.shard);
  return cutByShard(bySku, MOST).map((batch) => batch.flatMap(({ group }) => group));
}

/**
 * Returns the rows whose SKU is unknown. Only the last batch gets a `rowCount` (number of valid
 * rows in the request), and then writes the audit row.
 */
async function recordBatch(
  ctx: Context,
  batch: readonly SoldRow[],
  rowCount: number | null,
): Promise<SoldRow[]> {
  return await transact(ctx, async (write) => {
    const skus = [...new Set(batch.map(({ sku }) => sku))];
    const versions = await productVersions.find(ctx, [...new Set(skus.map(shard))]);
    const indexRows = await findIndexRows(ctx, skus);
    const unknown = batch.filter(({ sku }) => !indexRows.has(sku));
    const sold = batch.flatMap(({ index: _, sku, ...day }) => {
      const indexRow = indexRows.get(sku);
      return indexRow ? [{ productId: indexRow.id, day }] : [];
    });
    const changes = await findSalesChanges(ctx, sold);
    for (const change of changes) putSalesChange(write, ctx.workspaceId, change);
    if (changes.length > 0) {
      productVersions.check(write, ctx.workspaceId, versions);
      for (const number of versions.keys()) productVersions.set(write, ctx.workspaceId, number);
    }
    if (rowCount !== null) {
      addAuditRow(write, ctx, {
        action: "sales.push",
        resource: { type: "sales", id: "sales", label: `${rowCount} rows` },
        after: { rows: rowCount },
      });
      ctx.receipt?.put(write, null);
    }
    return unknown;
  });
}
