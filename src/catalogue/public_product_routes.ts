/** Routes of products on the external interface (docs/decisions/catalogue.md). */
import { z } from "@hono/zod-openapi";
import { dataPageOf } from "../platform/http/http.ts";
import { bytesOf, custom, one, stored, whole } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { anyKey, keyWith } from "../accounts/route_access.ts";
import { CSV_CONTENT, tableResponse } from "../platform/tables/table_answer.ts";
import { DialectQuery } from "../platform/tables/csv_table.ts";
import { DEFAULT_COLUMNS, openProductTable, streamProductLines } from "./lists/export_products.ts";
import { FILTER_SHAPE, filterOf } from "./lists/product_filter.ts";
import { requireByIdOrSku, requireDocumentBeside, requireIdOf } from "./lists/find_product.ts";
import { ProductDocument } from "./products/product.ts";
import { productInMarket, SingleProduct } from "./products/product_answer.ts";
import { publicPageBytes, PublicProductQuery } from "./lists/product_page.ts";
import {
  changeProduct,
  deleteProduct,
  ProductBatch,
  ProductBatchItem,
  ProductBatchQuery,
  ProductBatchResult,
  putProducts,
  restoreProduct,
} from "./changes/change_product.ts";
import { ProductChange, READ_ONLY_FIELDS } from "./products/product_input.ts";
import type { Context } from "../platform/store/context.ts";
import { LargeChangeQuery, type ProductDeps } from "./product_routes.ts";

const NO_MARKET = { order: "asc" } as const;

const fittingOf = (texts: Parameters<typeof filterOf>[0]) => ({
  filter: filterOf(texts),
  texts: NO_MARKET,
  includeDeleted: false,
});

const NDJSON_CONTENT = { "application/x-ndjson": { schema: z.string() } };

const fileOf = (holds: string, content: typeof CSV_CONTENT | typeof NDJSON_CONTENT) =>
  custom({ 200: { description: `${holds}; an import of the file changes nothing`, content } });

const idOrSku = z.string().describe(
  "An id or a SKU, percent-encoded; the prefixes `sku:` and `id:` say which one is meant",
);

const DeletedProduct = z.object({ id: z.string() });

const BATCH_WORDS = "The result of each item, in the order of the request";

export function publicProductRoutes(deps: ProductDeps) {
  const { cache, competitorPrices } = deps;
  const products = publicLists(deps)
    .post("/batch", {
      takesLines: true,
      description: `${BATCH_WORDS}. As \`application/x-ndjson\` the body has one item per line`,
      query: ProductBatchQuery,
      body: ProductBatch,
      answer: whole(ProductBatchResult, BATCH_WORDS, { external: "ProductBatchAnswer" }),
    }, ({ ctx, query, body }) => putProducts(ctx, body.items, query))
    .post("/{idOrSku}/restore", {
      params: { idOrSku },
      answer: stored(SingleProduct, "The active product, even if it was not deleted"),
    }, async ({ ctx, idOrSku }) => {
      const id = await requireIdOf(ctx, idOrSku);
      await restoreProduct(ctx, id, (id) => `/api/public/v1/products/${id}`);
      return await readAgain(ctx, deps, id);
    })
    .patch("/{idOrSku}", {
      params: { idOrSku },
      versioned: true,
      isDocument: true,
      query: LargeChangeQuery,
      body: ProductChange,
      answer: stored(SingleProduct, "The product after the change"),
    }, async ({ ctx, idOrSku, query, body: { reason, ...patch }, expected }) => {
      const id = await requireIdOf(ctx, idOrSku);
      const options = { expected, allowsLargeChange: query.allowLargeChange, reason };
      await changeProduct(ctx, id, patch, options);
      return await readAgain(ctx, deps, id);
    })
    .delete("/{idOrSku}", {
      params: { idOrSku },
      versioned: true,
      answer: one(DeletedProduct, "The product is soft-deleted; its record and history are kept", {
        words: "Id of the product",
      }),
    }, async ({ ctx, idOrSku, expected }) => {
      const id = await requireIdOf(ctx, idOrSku);
      await deleteProduct(ctx, id, expected);
      return { id };
    })
    .get("/{idOrSku}", {
      params: { idOrSku },
      answer: stored(SingleProduct, "The product with its competitor prices and its market"),
    }, async ({ ctx, idOrSku }) => {
      const search = { workspace: ctx, skus: cache.skus, keyBeside: competitorPrices.keyBeside };
      return await inMarket(ctx, deps, await requireByIdOrSku(search, idOrSku));
    });
  const [inApp, external] = products.routes;
  external.openAPIRegistry.register("ProductBatchItem", ProductBatchItem);
  return [inApp, external];
}

function publicLists({ cache, market }: ProductDeps) {
  const asker = { cache, market };
  return resource("/products", {
    read: { keys: anyKey },
    change: { keys: keyWith("products:write") },
    readOnly: READ_ONLY_FIELDS,
  })
    .get(".csv", {
      tags: ["Products"],
      query: z.strictObject({ ...FILTER_SHAPE, dialect: DialectQuery }),
      answer: fileOf("All matching products by id, with prices in major units", CSV_CONTENT),
    }, async ({ ctx, query: { dialect, ...texts } }) => {
      const wanted = { ...fittingOf(texts), columns: DEFAULT_COLUMNS };
      const table = await openProductTable(ctx, asker, wanted);
      return tableResponse(table, { format: "csv", dialect });
    })
    .get(".ndjson", {
      tags: ["Products"],
      query: z.strictObject(FILTER_SHAPE),
      answer: fileOf("All matching products by id, one per line, as in lists", NDJSON_CONTENT),
    }, async ({ c, ctx, query }) => {
      return c.body(await streamProductLines(ctx, asker, fittingOf(query)), 200, {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": 'attachment; filename="products.ndjson"',
      });
    })
    .list({
      query: PublicProductQuery,
      answer: bytesOf(dataPageOf(ProductDocument), "One page by id"),
    }, ({ ctx, query }) => publicPageBytes(ctx, cache, query));
}

async function readAgain(ctx: Context, deps: ProductDeps, id: string) {
  const { keyBeside } = deps.competitorPrices;
  return await inMarket(ctx, deps, await requireDocumentBeside(ctx, id, false, keyBeside));
}

async function inMarket(
  ctx: Context,
  { competitorPrices, market }: ProductDeps,
  found: Awaited<ReturnType<typeof requireByIdOrSku>>,
) {
  const { id } = found.document;
  const { markets } = await market.beside(ctx, [id]);
  const beside = { market: markets.get(id) ?? null, offers: null };
  return await productInMarket(ctx, competitorPrices, found, beside);
}
