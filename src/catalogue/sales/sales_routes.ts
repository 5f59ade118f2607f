/** What was sold, on both interfaces (docs/decisions/sales.md). */

import { anyKey, keyWith, viewer } from "../../accounts/route_access.ts";
import { normaliseSku } from "../../base/text.ts";
import { jsonAnswer, jsonBody, room, route } from "../../platform/http/http.ts";
import { noSuchProduct, requireDocument } from "../lists/find_product.ts";
import { findCard } from "../products/index_row_store.ts";
import { misfitOfSku } from "../products/product_fields.ts";
import { readSales, Sales, SalesRange } from "./read_sales.ts";
import { recordSales, SalesOutcome } from "./record_sales.ts";
import { SalesBody } from "./sold_row.ts";
import { z } from "@hono/zod-openapi";

const push = route({
  method: "post",
  path: "/api/public/v1/sales",
  access: keyWith("products:write"),
  request: { body: jsonBody(SalesBody) },
  responses: {
    200: jsonAnswer(
      z.object({ data: SalesOutcome }),
      "How many rows were taken, and why the others were not",
    ),
  },
});

const publicRead = route({
  method: "get",
  path: "/api/public/v1/sales",
  access: anyKey,
  request: { query: z.strictObject({ sku: z.string().min(1).max(1_000), ...SalesRange }) },
  responses: { 200: jsonAnswer(z.object({ data: Sales }), "What was sold of the product") },
});

const read = route({
  method: "get",
  path: "/api/products/{id}/sales",
  access: viewer,
  request: {
    params: z.object({ id: z.string() }),
    query: z.strictObject(SalesRange),
  },
  responses: { 200: jsonAnswer(Sales, "What was sold of the product") },
});

/** Reading for viewers and every key, pushing for keys that may write products. */
export function salesRoutes() {
  return room()
    .openapi(push, async (c) => {
      return c.json({ data: await recordSales(c.var.ctx, c.req.valid("json")) }, 200);
    })
    .openapi(publicRead, async (c) => {
      const { sku: written, ...range } = c.req.valid("query");
      const sku = normaliseSku(written);
      const card = misfitOfSku(sku) === null ? await findCard(c.get("ctx"), sku) : null;
      if (card === null) throw noSuchProduct(written);
      return c.json({ data: await readSales(c.var.ctx, card.id, range) }, 200);
    })
    .openapi(read, async (c) => {
      const { id } = await requireDocument(c.get("ctx"), c.req.valid("param").id, true);
      return c.json(await readSales(c.var.ctx, id, c.req.valid("query")), 200);
    });
}
