/** Products on the external interface (docs/decisions/catalogue.md). */

import { anyKey, keyWith } from "../accounts/route_access.ts";
import {
  answerBytes,
  answerDocument,
  dataPageOf,
  jsonAnswer,
  jsonBody,
  room,
  route,
} from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import { DialectQuery } from "../platform/tables/csv_table.ts";
import { CSV_CONTENT, tableResponse } from "../platform/tables/table_answer.ts";
import { restoreProduct } from "./changes/change_product.ts";
import {
  ProductBatch,
  ProductBatchItem,
  ProductBatchQuery,
  ProductBatchResult,
  putProducts,
} from "./changes/put_products.ts";
import { DEFAULT_COLUMNS, openProductTable, streamProductLines } from "./lists/export_products.ts";
import { requireByIdOrSku, requireDocumentBeside, requireIdOf } from "./lists/find_product.ts";
import { FILTER_SHAPE, filterOf } from "./lists/product_filter.ts";
import { publicPageBytes, PublicProductQuery } from "./lists/product_page.ts";
import type { ProductDeps } from "./product_routes.ts";
import { ProductDocument } from "./products/product.ts";
import { productInMarket, SingleProduct } from "./products/product_answer.ts";
import { DATA_ENVELOPE } from "./products/product_wire.ts";
import { z } from "@hono/zod-openapi";

const PATH = "/api/public/v1/products";
const NO_MARKET = { order: "asc" } as const;

const IdOrSku = z.object({
  idOrSku: z.string().meta({
    description: "An id or a SKU, percent-encoded; `sku:…` and `id:…` leave no doubt",
  }),
});

const list = route({
  method: "get",
  path: PATH,
  access: anyKey,
  request: { query: PublicProductQuery },
  responses: { 200: jsonAnswer(dataPageOf(ProductDocument), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/public/v1/products/{idOrSku}",
  access: anyKey,
  request: { params: IdOrSku },
  responses: {
    200: jsonAnswer(
      z.object({ data: SingleProduct }),
      "The product with its competitor prices and its market",
    ),
  },
});

const restore = route({
  method: "post",
  path: "/api/public/v1/products/{idOrSku}/restore",
  access: keyWith("products:write"),
  request: { params: IdOrSku },
  responses: {
    200: jsonAnswer(z.object({ data: SingleProduct }), "The active product, also when it was so"),
  },
});

const csv = route({
  method: "get",
  path: "/api/public/v1/products.csv",
  access: anyKey,
  tags: ["Products"],
  request: { query: z.strictObject({ ...FILTER_SHAPE, dialect: DialectQuery }) },
  responses: {
    200: {
      description:
        "All that fit, by id, prices in major units; an import of the file changes nothing",
      content: CSV_CONTENT,
    },
  },
});

const ndjson = route({
  method: "get",
  path: "/api/public/v1/products.ndjson",
  access: anyKey,
  tags: ["Products"],
  request: { query: z.strictObject(FILTER_SHAPE) },
  responses: {
    200: {
      description:
        "All that fit, by id, one a line as lists answer it; an import of the file changes nothing",
      content: { "application/x-ndjson": { schema: z.string() } },
    },
  },
});

const batch = route({
  method: "post",
  path: "/api/public/v1/products/batch",
  access: keyWith("products:write"),
  takesLines: true,
  description:
    "What became of each item, in their order. As `application/x-ndjson` the body is an " +
    "item in each line",
  request: {
    query: ProductBatchQuery,
    body: jsonBody(ProductBatch),
  },
  responses: {
    200: jsonAnswer(
      z.object({ data: z.array(ProductBatchResult), count: z.int() })
        .meta({ id: "ProductBatchAnswer" }),
      "What became of each item, in their order",
    ),
  },
});

/** Reading for every valid key, writing for those that may. */
export function publicProductRoutes({ memory, competitorPrices, market }: ProductDeps) {
  const asker = { memory, market };
  const fittingOf = (texts: Parameters<typeof filterOf>[0]) => ({
    filter: filterOf(texts),
    texts: NO_MARKET,
    includeDeleted: false,
  });
  const inMarket = async (
    workspace: Context,
    found: Awaited<ReturnType<typeof requireByIdOrSku>>,
  ) => {
    const { id } = found.document;
    const { markets } = await market.beside(workspace, [id]);
    const beside = { market: markets.get(id) ?? null, offers: null };
    return await productInMarket(workspace, competitorPrices, found, beside, DATA_ENVELOPE);
  };
  const routes = room();
  routes.openAPIRegistry.register("ProductBatchItem", ProductBatchItem);
  return routes
    .openapi(csv, async (c) => {
      const { dialect, ...texts } = c.req.valid("query");
      const wanted = { ...fittingOf(texts), columns: DEFAULT_COLUMNS };
      const table = await openProductTable(c.var.ctx, asker, wanted);
      return tableResponse(table, { format: "csv", dialect });
    })
    .openapi(ndjson, async (c) => {
      const lines = await streamProductLines(c.var.ctx, asker, fittingOf(c.req.valid("query")));
      return c.body(lines, 200, {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": 'attachment; filename="products.ndjson"',
      });
    })
    .openapi(
      list,
      async (c) => answerBytes(await publicPageBytes(c.var.ctx, memory, c.req.valid("query"))),
    )
    .openapi(batch, async (c) => {
      const { items } = c.req.valid("json");
      const data = await putProducts(c.var.ctx, items, c.req.valid("query"));
      return c.json({ data, count: data.length }, 200);
    })
    .openapi(restore, async (c) => {
      const { ctx } = c.var;
      const id = await requireIdOf(ctx, c.req.valid("param").idOrSku);
      await restoreProduct(ctx, id, (id) => `${PATH}/${id}`);
      const found = await requireDocumentBeside(ctx, id, false, competitorPrices.keyBeside);
      return answerDocument(c, await inMarket(ctx, found));
    })
    .openapi(read, async (c) => {
      const workspace = c.get("ctx");
      const { keyBeside } = competitorPrices;
      const search = { workspace, skus: memory.skus, keyBeside };
      const found = await requireByIdOrSku(search, c.req.valid("param").idOrSku);
      return answerDocument(c, await inMarket(workspace, found));
    });
}
