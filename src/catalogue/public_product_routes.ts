/** Products on the external interface: reading only (spec §4.1). */
import { z } from "@hono/zod-openapi";
import {
  answerBytes,
  answerDocument,
  dataPageOf,
  jsonAnswer,
  room,
  route,
} from "../platform/http.ts";
import { requireDocumentByIdOrSku } from "./find_product.ts";
import { ProductDocument } from "./product.ts";
import { enveloped, SingleProduct, withCompetitorPrices } from "./product_answer.ts";
import { publicPageBytes, PublicProductQuery } from "./product_page.ts";
import type { ProductDeps } from "./product_routes.ts";

const anyKey = { by: "key", scopes: [] } as const;
const tags = ["Products"];

const list = route({
  method: "get",
  path: "/api/public/v1/products",
  access: anyKey,
  tags,
  request: { query: PublicProductQuery },
  responses: { 200: jsonAnswer(dataPageOf(ProductDocument), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/public/v1/products/{idOrSku}",
  access: anyKey,
  tags,
  request: {
    params: z.object({
      idOrSku: z.string().meta({
        description: "An id or a SKU, percent-encoded; `sku:…` and `id:…` leave no doubt",
      }),
    }),
  },
  responses: {
    200: jsonAnswer(z.object({ data: SingleProduct }), "The product with its competitor prices"),
  },
});

/** The routes of every valid key. */
export function publicProductRoutes({ memory, competitorPricesOf }: ProductDeps) {
  return room()
    .openapi(
      list,
      async (c) => answerBytes(await publicPageBytes(c.var.ctx, memory, c.req.valid("query"))),
    )
    .openapi(read, async (c) => {
      const found = await requireDocumentByIdOrSku(c.var.ctx, c.req.valid("param").idOrSku);
      const whole = await withCompetitorPrices(c.var.ctx, found, competitorPricesOf);
      return answerDocument(c, enveloped(whole));
    });
}
