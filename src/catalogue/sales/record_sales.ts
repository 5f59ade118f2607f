/** Stores sales that clients send, and answers requests for sales (docs/decisions/sales.md). */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { anyKey, keyWith, viewer } from "../../accounts/roles.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { shown } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { dateIn } from "../../base/time.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, transact } from "../../platform/store/kv.ts";
import { noSuchProduct, requireDocument } from "../lists/find_product.ts";
import { productVersions } from "../products/change_log_store.ts";
import { findIndexRow, findIndexRows } from "../products/index_row_store.ts";
import { shard } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import { cutByShard } from "../products/product_store.ts";
import { readSoldRow, SALES_CODES, SalesBody, type SoldRow } from "./sale.ts";
import { findSalesChanges, putSalesChange, readSales, Sales, SalesRange } from "./sales_store.ts";
import { z } from "@hono/zod-openapi";

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
      if (indexRow === null) throw noSuchProduct(written);
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
 * Returns the rows whose SKU is unknown. Only the last batch of a request has a `rowCount` and
 * writes the request's audit row.
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
    const changed = new Set(changes.map(({ productId }) => productId));
    const touched = new Set(
      skus.filter((sku) => changed.has(indexRows.get(sku)?.id ?? "")).map(shard),
    );
    const read = [...versions].filter(([number]) => touched.has(number));
    productVersions.check(write, ctx.workspaceId, read);
    for (const number of touched) productVersions.set(write, ctx.workspaceId, number);
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
