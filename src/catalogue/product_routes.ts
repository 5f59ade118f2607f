/** Products on the in-app interface (docs/decisions/catalogue.md). */

import { manager, viewer } from "../accounts/route_access.ts";
import { isId } from "../base/id.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import {
  answerBytes,
  answerDocument,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  restoreProduct,
} from "./changes/change_product.ts";
import {
  BulkChange,
  BulkOutcome,
  BulkPrices,
  BulkPricesOutcome,
  changeProducts,
  setPrices,
} from "./changes/change_products.ts";
import type { CatalogueMemory } from "./lists/catalogue_cache.ts";
import { requireDocumentBeside } from "./lists/find_product.ts";
import { pageBytes, ProductQuery } from "./lists/product_page.ts";
import { MarketOffer, type MarketSource, ProductMarket } from "./prices/product_market.ts";
import { productDataRoutes } from "./product_data_routes.ts";
import { ProductDocument } from "./products/product.ts";
import {
  type CompetitorPrices,
  productInMarket,
  SingleProduct,
} from "./products/product_answer.ts";
import {
  allowLargeChange,
  NewProduct,
  ProductChange,
  READ_ONLY_FIELDS,
} from "./products/product_input.ts";
import { z } from "@hono/zod-openapi";

/** What the catalogue needs and does not keep itself. */
export interface ProductDeps {
  readonly memory: CatalogueMemory;
  readonly competitorPrices: CompetitorPrices;
  readonly market: MarketSource;
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
      pageOf(
        ProductDocument.extend({
          market: ProductMarket.nullable(),
          competitorOffers: z.array(MarketOffer).optional().meta({
            description: "With `offers=true`",
          }),
        }),
      ).extend({
        total: z.int().nullable().meta({
          description: "All that fit; null with deleted ones, and where that is not known yet",
        }),
        asOf: z.iso.datetime().meta({ description: "The markets are as of this time" }),
        moved: z.int().meta({
          description: "Products that fit and have changed since the first page, in a sorted list",
        }),
      }),
      "One page, by id unless it is sorted",
    ),
  },
});

const read = route({
  method: "get",
  path: "/api/products/{id}",
  access: viewer,
  request: {
    params: ProductPath,
    query: DeletedQuery.extend({
      offers: flagQuery.meta({ type: "boolean", description: "With its offers" }),
    }),
  },
  responses: {
    200: jsonAnswer(
      SingleProduct.extend({
        competitorOffers: z.array(MarketOffer).optional().meta({
          description: "With `offers=true`: what rules would compare with, and what they would not",
        }),
      }),
      "The product with its competitor prices and its market",
    ),
  },
});

const change = route({
  method: "patch",
  path: "/api/products/{id}",
  access: manager,
  versioned: true,
  request: {
    params: ProductPath,
    query: z.strictObject({ allowLargeChange }),
    body: jsonBody(ignoring(READ_ONLY_FIELDS, ProductChange)),
  },
  responses: { 200: jsonAnswer(ProductDocument, "The product after the change") },
});

const remove = route({
  method: "delete",
  path: "/api/products/{id}",
  access: manager,
  versioned: true,
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

const bulkPrices = route({
  method: "post",
  path: "/api/products/bulk/prices",
  access: manager,
  request: {
    query: z.strictObject({ allowLargeChange }),
    body: jsonBody(BulkPrices),
  },
  responses: { 200: jsonAnswer(BulkPricesOutcome, "What became of each price") },
});

/** The routes of managers and viewers. */
export function productRoutes({ memory, competitorPrices, market }: ProductDeps) {
  return room()
    .openapi(create, async (c) => {
      const made = await createProduct(c.var.ctx, c.req.valid("json"));
      return answerDocument(c, made, 201, { Location: `/api/products/${made.id}` });
    })
    .openapi(
      list,
      async (c) =>
        answerBytes(await pageBytes(c.var.ctx, { memory, market }, c.req.valid("query"))),
    )
    .openapi(
      bulk,
      async (c) =>
        c.json(await changeProducts(c.var.ctx, { memory, market }, c.req.valid("json")), 200),
    )
    .openapi(bulkPrices, async (c) => {
      const { allowLargeChange: allowsLargeChange } = c.req.valid("query");
      return c.json(await setPrices(c.var.ctx, c.req.valid("json"), { allowsLargeChange }), 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const { includeDeleted, offers } = c.req.valid("query");
      const workspace = c.get("ctx");
      const { keyBeside } = competitorPrices;
      const ids = isId(id) ? [id] : [];
      const [found, { markets }, seen] = await Promise.all([
        requireDocumentBeside(workspace, id, includeDeleted, keyBeside),
        market.beside(workspace, ids),
        offers ? market.offersOf(workspace, ids) : null,
      ]);
      const beside = { market: markets.get(id) ?? null, offers: seen && (seen.get(id) ?? []) };
      return answerDocument(c, await productInMarket(workspace, competitorPrices, found, beside));
    })
    .openapi(change, async (c) => {
      const { reason, ...patch } = c.req.valid("json");
      const options = {
        expected: expectedVersions(c),
        allowsLargeChange: c.req.valid("query").allowLargeChange,
        reason,
      };
      const { id } = c.req.valid("param");
      const changed = await changeProduct(c.var.ctx, id, patch, options);
      return answerDocument(c, changed);
    })
    .openapi(remove, async (c) => {
      await deleteProduct(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true }, 200);
    })
    .openapi(
      restore,
      async (c) => {
        const { id } = c.req.valid("param");
        return answerDocument(
          c,
          await restoreProduct(c.var.ctx, id, (id) => `/api/products/${id}`),
        );
      },
    )
    .route("/", productDataRoutes({ memory, market }));
}
