/** Products on the in-app interface (docs/decisions/catalogue.md). */
import { z } from "@hono/zod-openapi";
import {
  answerBytes,
  answerDocument,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import { BulkChange, BulkOutcome } from "./changes/bulk_products.ts";
import type { CatalogueMemory } from "./lists/catalogue_memory.ts";
import { changeProduct } from "./changes/change_product.ts";
import { changeProducts } from "./changes/change_products.ts";
import { createProduct } from "./changes/create_product.ts";
import { deleteProduct } from "./changes/delete_product.ts";
import { requireDocumentBeside } from "./lists/find_product.ts";
import { ProductDocument } from "./products/product.ts";
import {
  type CompetitorPrices,
  expectedProductVersions,
  SingleProduct,
  singleProduct,
} from "./products/product_answer.ts";
import { productDataRoutes } from "./product_data_routes.ts";
import { NewProduct, ProductPatch, READ_ONLY_FIELDS } from "./products/product_input.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { pageBytes, ProductQuery } from "./lists/product_page.ts";
import { restoreProduct } from "./changes/restore_product.ts";
import { manager, viewer } from "../identity/route_access.ts";

/** What the catalogue needs and does not keep itself. */
export interface ProductDeps {
  readonly memory: CatalogueMemory;
  readonly competitorPrices: CompetitorPrices;
}

const ProductPath = z.object({ id: z.string() });
const DeletedQuery = z.strictObject({ includeDeleted: flagQuery.meta({ type: "boolean" }) });

const create = route({
  method: "post",
  path: "/api/products",
  access: manager,
  request: { body: jsonBody(ignoring(READ_ONLY_FIELDS, NewProduct)) },
  responses: { 201: jsonAnswer(ProductDocument, "The new product") },
});

const list = route({
  method: "get",
  path: "/api/products",
  access: viewer,
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
  request: { params: ProductPath, query: DeletedQuery },
  responses: { 200: jsonAnswer(SingleProduct, "The product with its competitor prices") },
});

const change = route({
  method: "patch",
  path: "/api/products/{id}",
  access: manager,
  request: {
    params: ProductPath,
    query: z.strictObject({
      allowLargeChange: flagQuery.meta({
        type: "boolean",
        description: "Lets a price become exactly 100 times what it was",
      }),
    }),
    body: jsonBody(ignoring(READ_ONLY_FIELDS, ProductPatch)),
  },
  responses: { 200: jsonAnswer(ProductDocument, "The product after the change") },
});

const remove = route({
  method: "delete",
  path: "/api/products/{id}",
  access: manager,
  request: { params: ProductPath },
  responses: { 200: jsonAnswer(Ok, "Soft-deleted: the record and its history stay") },
});

const restore = route({
  method: "post",
  path: "/api/products/{id}/restore",
  access: manager,
  request: { params: ProductPath },
  responses: { 200: jsonAnswer(ProductDocument, "The active product") },
});

const bulk = route({
  method: "post",
  path: "/api/products/bulk",
  access: manager,
  request: { body: jsonBody(BulkChange) },
  responses: { 200: jsonAnswer(BulkOutcome, "How many products got the settings") },
});

/** The routes of managers and viewers. */
export function productRoutes({ memory, competitorPrices }: ProductDeps) {
  return room()
    .openapi(create, async (c) => {
      const made = await createProduct(c.var.ctx, c.req.valid("json"));
      return answerDocument(c, made, 201, { Location: `/api/products/${made.id}` });
    })
    .openapi(
      list,
      async (c) => answerBytes(await pageBytes(c.var.ctx, memory, c.req.valid("query"))),
    )
    .openapi(
      bulk,
      async (c) => c.json(await changeProducts(c.var.ctx, memory, c.req.valid("json")), 200),
    )
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const { includeDeleted } = c.req.valid("query");
      const workspace = c.get("ctx");
      const { keyBeside } = competitorPrices;
      const found = await requireDocumentBeside(workspace, id, includeDeleted, keyBeside);
      return answerDocument(c, await singleProduct(workspace, competitorPrices, found));
    })
    .openapi(change, async (c) => {
      const options = {
        expected: expectedProductVersions(c),
        allowsLargeChange: c.req.valid("query").allowLargeChange,
      };
      const { id } = c.req.valid("param");
      const changed = await changeProduct(c.var.ctx, id, c.req.valid("json"), options);
      return answerDocument(c, changed);
    })
    .openapi(remove, async (c) => {
      await deleteProduct(c.var.ctx, c.req.valid("param").id, expectedProductVersions(c));
      return c.json({ ok: true }, 200);
    })
    .openapi(
      restore,
      async (c) => answerDocument(c, await restoreProduct(c.var.ctx, c.req.valid("param").id)),
    )
    .route("/", productDataRoutes({ memory }));
}
