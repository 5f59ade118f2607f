/** Products on the in-app interface (spec §4.2, decisions §3). */
import { z } from "@hono/zod-openapi";
import {
  answerBytes,
  answerDocument,
  ignoring,
  jsonAnswer,
  jsonBody,
  pageOf,
  room,
  route,
} from "../platform/http.ts";
import type { CatalogueMemory } from "./catalogue_memory.ts";
import type { CompetitorPricesOf } from "./competitor_price.ts";
import { createProduct } from "./create_product.ts";
import { requireDocument } from "./find_product.ts";
import { ProductDocument } from "./product.ts";
import { SingleProduct, withCompetitorPrices } from "./product_answer.ts";
import { NewProduct, READ_ONLY_FIELDS } from "./product_input.ts";
import { flagQuery, pageBytes, ProductQuery } from "./product_page.ts";

/** What the catalogue needs and does not keep itself. */
export interface ProductDeps {
  readonly memory: CatalogueMemory;
  readonly competitorPricesOf: CompetitorPricesOf;
}

const manager = { by: "session", role: "manager" } as const;
const viewer = { by: "session", role: "viewer" } as const;
const tags = ["Products"];
const ProductPath = z.object({ id: z.string() });
const DeletedQuery = z.strictObject({ includeDeleted: flagQuery.meta({ type: "boolean" }) });

const create = route({
  method: "post",
  path: "/api/products",
  access: manager,
  tags,
  request: { body: jsonBody(ignoring(READ_ONLY_FIELDS, NewProduct)) },
  responses: { 201: jsonAnswer(ProductDocument, "The new product") },
});

const list = route({
  method: "get",
  path: "/api/products",
  access: viewer,
  tags,
  request: { query: ProductQuery },
  responses: {
    200: jsonAnswer(
      pageOf(ProductDocument).extend({
        total: z.int().nullable().meta({ description: "Active products; null with a filter" }),
      }),
      "One page by id",
    ),
  },
});

const read = route({
  method: "get",
  path: "/api/products/{id}",
  access: viewer,
  tags,
  request: { params: ProductPath, query: DeletedQuery },
  responses: { 200: jsonAnswer(SingleProduct, "The product with its competitor prices") },
});

/** The routes of managers and viewers. */
export function productRoutes({ memory, competitorPricesOf }: ProductDeps) {
  return room()
    .openapi(create, async (c) => {
      const made = await createProduct(c.var.ctx, c.req.valid("json"));
      return answerDocument(c, made, 201, { Location: `/api/products/${made.id}` });
    })
    .openapi(
      list,
      async (c) => answerBytes(await pageBytes(c.var.ctx, memory, c.req.valid("query"))),
    )
    .openapi(read, async (c) => {
      const { includeDeleted } = c.req.valid("query");
      const found = await requireDocument(c.var.ctx, c.req.valid("param").id, {
        includesDeleted: includeDeleted,
      });
      return answerDocument(c, await withCompetitorPrices(c.var.ctx, found, competitorPricesOf));
    });
}
