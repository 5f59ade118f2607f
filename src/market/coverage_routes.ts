/** How much of the catalogue has a linked page where, on both interfaces (docs/decisions/market.md). */

import { anyKey, listFiles, viewer } from "../accounts/route_access.ts";
import { openProductTable } from "../catalogue/lists/export_products.ts";
import { type MarketAsker, readMarketIds } from "../catalogue/lists/market_page.ts";
import { FILTER_SHAPE, filterOf } from "../catalogue/lists/product_filter.ts";
import { DEFAULT_COLUMNS } from "../catalogue/lists/product_rows.ts";
import { MARKET_FILTER_SHAPE, type MarketTexts } from "../catalogue/prices/product_market.ts";
import { ProductDocument } from "../catalogue/products/product.ts";
import { findDocuments } from "../catalogue/products/product_store.ts";
import { parseProducts } from "../catalogue/products/product_wire.ts";
import { bothFaces, documentIn, pageIn, told, toldPage } from "../platform/http/face.ts";
import { jsonAnswer, pageQuery, room, route } from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketMemory } from "./current/market_memory.ts";
import { Coverage, CoverageQuery, readCoverage } from "./read_coverage.ts";
import { z } from "@hono/zod-openapi";

const tags = ["Market"];
const COVERAGE_WORDS = "Products with a linked page, by group and competitor";

const Gaps = {
  missing: MARKET_FILTER_SHAPE.missing.default("any").meta({
    description: "No linked page of this competitor; `any`: of no competitor",
  }),
  ...FILTER_SHAPE,
};
const GapQuery = z.strictObject({ ...pageQuery(50, 200), ...Gaps });

const FACES = bothFaces({ access: viewer }, { access: anyKey });

function declared(face: (typeof FACES)[number]) {
  const { base, access } = face;
  return {
    coverage: route({
      method: "get",
      path: `${base}/coverage`,
      access,
      tags,
      request: { query: CoverageQuery },
      responses: { 200: jsonAnswer(documentIn(face, Coverage, COVERAGE_WORDS), COVERAGE_WORDS) },
    }),
    gaps: route({
      method: "get",
      path: `${base}/coverage/products`,
      access,
      tags,
      request: { query: GapQuery },
      responses: { 200: jsonAnswer(pageIn(face, ProductDocument), "One page by id") },
    }),
  };
}

export interface CoverageDeps extends MarketAsker {
  readonly tables: MarketMemory;
}

/** The routes of viewers, and of every valid key. */
export function coverageRoutes({ tables, ...asker }: CoverageDeps) {
  const gapFiles = listFiles({
    path: "/api/coverage/products",
    access: viewer,
    tags,
    query: z.strictObject(Gaps),
    describes: "Every product without a linked page there, by id",
    open: (ctx, { missing, ...texts }) =>
      openProductTable(ctx, asker, {
        filter: filterOf(texts),
        texts: { order: "asc", missing },
        includeDeleted: false,
        columns: DEFAULT_COLUMNS,
      }),
  });
  const routes = FACES.map((face) => {
    const { coverage, gaps } = declared(face);
    return room()
      .openapi(coverage, async (c) => {
        return c.json(told(face, await readCoverage(c.var.ctx, tables, c.req.valid("query"))), 200);
      })
      .openapi(gaps, async (c) => {
        return c.json(
          toldPage(face, await pageOfGaps(c.var.ctx, asker, c.req.valid("query"))),
          200,
        );
      });
  });
  return [...routes, gapFiles];
}

async function pageOfGaps(
  ctx: Context,
  asker: MarketAsker,
  { limit, cursor, missing, ...texts }: z.output<typeof GapQuery>,
) {
  const market: MarketTexts = { order: "asc", missing };
  const list = { filter: filterOf(texts), texts: market, cursor, limit };
  const { ids, nextCursor } = await readMarketIds(ctx, asker, "gaps", list);
  const documents = await findDocuments(ctx, ids);
  const items = parseProducts(documents.map(({ bytes }) => bytes));
  return { items, nextCursor, count: items.length };
}
