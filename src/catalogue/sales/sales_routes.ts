/** Routes of sales (docs/decisions/sales.md). */
import { z } from "@hono/zod-openapi";
import { normaliseSku } from "../../base/text.ts";
import { noSuchProduct, requireDocument } from "../lists/find_product.ts";
import { findIndexRow } from "../products/index_row_store.ts";
import { skuError } from "../products/product_fields.ts";
import { anyKey, keyWith, viewer } from "../../accounts/roles.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { readSales, Sales, SalesRange } from "./sales_store.ts";
import { recordSales, SalesOutcome } from "./record_sales.ts";
import { SalesBody } from "./sale.ts";

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
