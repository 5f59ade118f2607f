/** What hangs on products on the in-app interface: the CSV file, the own-price history and its lowest price. */
import { z } from "@hono/zod-openapi";
import { jsonAnswer, pageOf, room, route } from "../platform/http/http.ts";
import type { CatalogueMemory } from "./lists/catalogue_memory.ts";
import { streamProductCsv } from "./lists/export_products.ts";
import { findLowestPrice, LowestPriceAnswer } from "./lists/find_lowest_price.ts";
import { requireDocument } from "./lists/find_product.ts";
import { PriceChange } from "./prices/price_history.ts";
import {
  boundMs,
  LowestPriceQuery,
  priceHistoryPage,
  PriceHistoryQuery,
} from "./lists/price_history_page.ts";
import { CSV_DIALECTS } from "./lists/product_csv.ts";
import { FILTER_SHAPE, filterOf } from "./lists/product_filter.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { parseProduct } from "./products/product_wire.ts";
import { viewer } from "../identity/route_access.ts";

const ProductPath = z.object({ id: z.string() });

const csv = route({
  method: "get",
  path: "/api/products.csv",
  access: viewer,
  tags: ["Products"],
  request: {
    query: z.strictObject({
      ...FILTER_SHAPE,
      includeDeleted: flagQuery.meta({ type: "boolean" }),
      dialect: z.enum(CSV_DIALECTS).default("excel").meta({
        description: "`excel`: semicolons, decimal comma, byte order mark",
      }),
    }),
  },
  responses: {
    200: {
      description: "Every product that fits, prices in major units",
      content: { "text/csv": { schema: z.string() } },
    },
  },
});

const history = route({
  method: "get",
  path: "/api/products/{id}/price-history",
  access: viewer,
  request: { params: ProductPath, query: PriceHistoryQuery },
  responses: { 200: jsonAnswer(pageOf(PriceChange), "Changes of the own price, newest first") },
});

const lowest = route({
  method: "get",
  path: "/api/products/{id}/lowest-price",
  access: viewer,
  request: { params: ProductPath, query: LowestPriceQuery },
  responses: {
    200: jsonAnswer(
      LowestPriceAnswer,
      "The lowest own price of the 30 days before a reduction: an aid, no legal advice",
    ),
  },
});

/** The routes of viewers and above. */
export function productDataRoutes({ memory }: { readonly memory: CatalogueMemory }) {
  return room()
    .openapi(csv, (c) => {
      const { dialect, includeDeleted, ...texts } = c.req.valid("query");
      const wanted = { filter: filterOf(texts), includeDeleted, dialect };
      return c.body(streamProductCsv(c.var.ctx, memory, wanted), 200, {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="products.csv"',
      });
    })
    .openapi(history, async (c) => {
      const query = c.req.valid("query");
      const { id } = await requireDocument(
        c.var.ctx,
        c.req.valid("param").id,
        query.includeDeleted,
      );
      return c.json(await priceHistoryPage(c.var.ctx, id, query), 200);
    })
    .openapi(lowest, async (c) => {
      const { at, includeDeleted } = c.req.valid("query");
      const { bytes } = await requireDocument(
        c.var.ctx,
        c.req.valid("param").id,
        includeDeleted,
      );
      const atMs = boundMs(at, "start");
      return c.json(await findLowestPrice(c.var.ctx, parseProduct(bytes), atMs), 200);
    });
}
