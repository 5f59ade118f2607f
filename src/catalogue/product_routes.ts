/** Products on the in-app interface (docs/decisions/catalogue.md). */
import { z } from "@hono/zod-openapi";
import { isId } from "../base/id.ts";
import { pageOf } from "../platform/http/http.ts";
import { bytesOf, done, one, stored } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import {
  BulkChange,
  BulkOutcome,
  BulkPrices,
  BulkPricesOutcome,
  changeProducts,
  setPrices,
} from "./changes/change_products.ts";
import type { CatalogueCache } from "./lists/catalogue_cache.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  restoreProduct,
} from "./changes/change_product.ts";
import { MarketOffer, type MarketSource, ProductMarket } from "./prices/product_market.ts";
import { requireDocumentBeside } from "./lists/find_product.ts";
import { ProductDocument } from "./products/product.ts";
import {
  type CompetitorPrices,
  productInMarket,
  SingleProduct,
} from "./products/product_answer.ts";
import { productDataRoutes } from "./product_data_routes.ts";
import {
  allowLargeChange,
  NewProduct,
  ProductChange,
  READ_ONLY_FIELDS,
} from "./products/product_input.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { pageBytes, ProductQuery } from "./lists/product_page.ts";
import { manager, viewer } from "../accounts/route_access.ts";

export interface ProductDeps {
  readonly cache: CatalogueCache;
  readonly competitorPrices: CompetitorPrices;
  readonly market: MarketSource;
}

const DeletedQuery = z.strictObject({ includeDeleted: flagQuery.meta({ type: "boolean" }) });
export const LargeChangeQuery = z.strictObject({ allowLargeChange });

const ProductPage = pageOf(
  ProductDocument.extend({
    market: ProductMarket.nullable(),
    competitorOffers: z.array(MarketOffer).optional().meta({ description: "With `offers=true`" }),
  }),
).extend({
  total: z.int().nullable().meta({
    description: "All matching products; null with deleted ones, and while the number is not known",
  }),
  asOf: z.iso.datetime().meta({ description: "Time at which the market data was current" }),
  moved: z.int().meta({
    description: "In a sorted list: matching products that have changed since the first page",
  }),
});

const ProductInMarket = SingleProduct.extend({
  competitorOffers: z.array(MarketOffer).optional().meta({
    description:
      "With `offers=true`: all offers, those that rules compare with and those that they ignore",
  }),
});

const pathOf = (id: string) => `/api/products/${id}`;

export function productRoutes({ cache, competitorPrices, market }: ProductDeps) {
  const products = resource("/products", {
    look: { people: viewer },
    change: { people: manager },
    readOnly: READ_ONLY_FIELDS,
  })
    .create({
      body: NewProduct,
      answer: stored(ProductDocument, "The new product"),
    }, ({ ctx, body }) => createProduct(ctx, body))
    .list({
      query: ProductQuery,
      answer: bytesOf(ProductPage, "One page, by id unless it is sorted"),
    }, ({ ctx, query }) => pageBytes(ctx, { cache, market }, query))
    .post("/bulk", {
      body: BulkChange,
      answer: one(BulkOutcome, "Number of products that got the settings"),
    }, ({ ctx, body }) => changeProducts(ctx, { cache, market }, body))
    .post("/bulk/prices", {
      query: LargeChangeQuery,
      body: BulkPrices,
      answer: one(BulkPricesOutcome, "The result for each price"),
    }, ({ ctx, body, query: { allowLargeChange: allowsLargeChange } }) => {
      return setPrices(ctx, body, { allowsLargeChange });
    })
    .read({
      query: DeletedQuery.extend({
        offers: flagQuery.meta({ type: "boolean", description: "Includes the product's offers" }),
      }),
      answer: stored(ProductInMarket, "The product with its competitor prices and its market"),
    }, async ({ ctx, id, query: { includeDeleted, offers } }) => {
      const ids = isId(id) ? [id] : [];
      const [found, { markets }, seen] = await Promise.all([
        requireDocumentBeside(ctx, id, includeDeleted, competitorPrices.keyBeside),
        market.beside(ctx, ids),
        offers ? market.offersOf(ctx, ids) : null,
      ]);
      const beside = { market: markets.get(id) ?? null, offers: seen && (seen.get(id) ?? []) };
      return await productInMarket(ctx, competitorPrices, found, beside);
    })
    .change({
      query: LargeChangeQuery,
      body: ProductChange,
      answer: stored(ProductDocument, "The product after the change"),
    }, ({ ctx, id, query, body: { reason, ...patch }, expected }) => {
      const options = { expected, allowsLargeChange: query.allowLargeChange, reason };
      return changeProduct(ctx, id, patch, options);
    })
    .remove({
      answer: done("The product is soft-deleted; its record and history are kept"),
    }, async ({ ctx, id, expected }) => {
      await deleteProduct(ctx, id, expected);
    })
    .post("/{id}/restore", {
      answer: stored(ProductDocument, "The active product"),
    }, ({ ctx, id }) => restoreProduct(ctx, id, pathOf));
  return [...products.routes, ...productDataRoutes({ cache, market })];
}
