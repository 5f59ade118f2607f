/** What hangs on products on the in-app interface: its files, the own-price history and its lowest price. */

import { listFiles, manager, viewer } from "../accounts/route_access.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import { markPrice } from "./changes/mark_price.ts";
import { DEFAULT_COLUMNS, openProductTable, PRODUCT_COLUMNS } from "./lists/export_products.ts";
import { findLowestPrice, LowestPriceAnswer } from "./lists/find_lowest_price.ts";
import { requireProduct } from "./lists/find_product.ts";
import type { MarketAsker } from "./lists/market_page.ts";
import {
  boundMs,
  findPriceEvidence,
  LowestPriceQuery,
  openEvidenceTable,
  PriceEvidence,
  PriceEvidenceQuery,
  priceHistoryPage,
  PriceHistoryQuery,
} from "./lists/price_evidence.ts";
import { FILTER_SHAPE, filterOf } from "./lists/product_filter.ts";
import { apart } from "./lists/product_page.ts";
import { NewPriceMark, PriceHistoryEntry } from "./prices/price_mark_store.ts";
import { MARKET_SHAPE } from "./prices/product_market.ts";
import { z } from "@hono/zod-openapi";

const ProductPath = z.object({ id: z.string() });

const COLUMNS_CHARACTERS_MAX = 2_000;

/** Names with commas between them, each once. */
const Columns = z.string().max(COLUMNS_CHARACTERS_MAX).transform((text, check) => {
  const names = text.split(",");
  const strange = names.find((name, at) =>
    !PRODUCT_COLUMNS.includes(name) || names.indexOf(name) !== at
  );
  if (strange === undefined) return names;
  const message = `Must be some of ${PRODUCT_COLUMNS.join(",")}`;
  check.addIssue({ code: "custom", message });
  return [];
}).optional();

const TableQuery = z.strictObject({
  ...FILTER_SHAPE,
  ...MARKET_SHAPE,
  includeDeleted: flagQuery.meta({ type: "boolean" }),
  columns: Columns.meta({
    description: `Some of ${PRODUCT_COLUMNS.join(", ")}; the fields of products without it`,
    example: "sku,title,ourPrice,cheapest,gapPct,rank",
  }),
});

const history = route({
  method: "get",
  path: "/api/products/{id}/price-history",
  access: viewer,
  request: { params: ProductPath, query: PriceHistoryQuery },
  responses: {
    200: jsonAnswer(pageOf(PriceHistoryEntry), "Changes of the own price, newest first"),
  },
});

const mark = route({
  method: "post",
  path: "/api/products/{id}/price-history/{at}/mark",
  access: manager,
  request: {
    params: z.object({ id: z.string(), at: z.string().meta({ format: "date-time" }) }),
    body: jsonBody(NewPriceMark),
  },
  responses: {
    200: jsonAnswer(PriceHistoryEntry, "The entry, with its mark or without one again"),
  },
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

const evidence = route({
  method: "get",
  path: "/api/products/{id}/price-evidence",
  access: viewer,
  request: { params: ProductPath, query: PriceEvidenceQuery },
  responses: {
    200: jsonAnswer(
      PriceEvidence,
      "The lowest own price of the 30 days with every entry that it was made of, and their sum",
    ),
  },
});

const evidenceFiles = listFiles({
  path: "/api/products/{id}/price-evidence",
  access: viewer,
  tags: ["Products"],
  params: ProductPath,
  query: PriceEvidenceQuery,
  describes: "The same as a table, prices in major units",
  open: async (ctx, query, { id }) => openEvidenceTable(await evidenceOf(ctx, id, query)),
});

/** The routes of viewers and above. */
export function productDataRoutes(asker: MarketAsker) {
  const files = listFiles({
    path: "/api/products",
    access: viewer,
    tags: ["Products"],
    query: TableQuery,
    describes: "Every product that fits in the order of the call, prices in major units",
    open: (ctx, { includeDeleted, columns = DEFAULT_COLUMNS, ...texts }) => {
      const { filterTexts, marketTexts } = apart(texts);
      const fitting = { filter: filterOf(filterTexts), texts: marketTexts, includeDeleted };
      return openProductTable(ctx, asker, { ...fitting, columns });
    },
  });
  return room()
    .route("/", files)
    .openapi(history, async (c) => {
      const query = c.req.valid("query");
      const { id } = c.req.valid("param");
      const product = await requireProduct(c.var.ctx, id, query.includeDeleted);
      return c.json(await priceHistoryPage(c.var.ctx, product, query), 200);
    })
    .openapi(mark, async (c) => {
      const { id, at } = c.req.valid("param");
      return c.json(await markPrice(c.var.ctx, id, at, c.req.valid("json")), 200);
    })
    .openapi(lowest, async (c) => {
      const { at, tier, includeDeleted } = c.req.valid("query");
      const { id } = c.req.valid("param");
      const product = await requireProduct(c.var.ctx, id, includeDeleted);
      const asked = { atMs: boundMs(at, "start"), tier };
      return c.json(await findLowestPrice(c.var.ctx, product, asked), 200);
    })
    .openapi(evidence, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await evidenceOf(c.var.ctx, id, c.req.valid("query")), 200);
    })
    .route("/", evidenceFiles);
}

async function evidenceOf(
  ctx: Context,
  id: string,
  { at, includeDeleted }: z.output<typeof PriceEvidenceQuery>,
): Promise<PriceEvidence> {
  const product = await requireProduct(ctx, id, includeDeleted);
  return await findPriceEvidence(ctx, product, boundMs(at, "start"));
}
