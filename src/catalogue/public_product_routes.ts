/** Products on the external interface: reading only (docs/decisions/catalogue.md). */
import { z } from "@hono/zod-openapi";
import {
  answerBytes,
  answerDocument,
  dataPageOf,
  jsonAnswer,
  room,
  route,
} from "../platform/http/http.ts";
import { requireByIdOrSku } from "./lists/find_product.ts";
import { ProductDocument } from "./products/product.ts";
import { SingleProduct, singleProduct } from "./products/product_answer.ts";
import { DATA_ENVELOPE } from "./products/product_wire.ts";
import { publicPageBytes, PublicProductQuery } from "./lists/product_page.ts";
import type { ProductDeps } from "./product_routes.ts";

const anyKey = { by: "key", scopes: [] } as const;

const list = route({
  method: "get",
  path: "/api/public/v1/products",
  access: anyKey,
  request: { query: PublicProductQuery },
  responses: { 200: jsonAnswer(dataPageOf(ProductDocument), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/public/v1/products/{idOrSku}",
  access: anyKey,
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
export function publicProductRoutes({ memory, competitorPrices }: ProductDeps) {
  return room()
    .openapi(
      list,
      async (c) => answerBytes(await publicPageBytes(c.var.ctx, memory, c.req.valid("query"))),
    )
    .openapi(read, async (c) => {
      const workspace = c.get("ctx");
      const { keyBeside } = competitorPrices;
      const search = { workspace, skus: memory.skus, keyBeside };
      const found = await requireByIdOrSku(search, c.req.valid("param").idOrSku);
      return answerDocument(
        c,
        await singleProduct(workspace, competitorPrices, found, DATA_ENVELOPE),
      );
    });
}
