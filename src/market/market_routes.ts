/** Where the catalogue stands in the market, on both interfaces (docs/decisions/market.md). */
import { z } from "@hono/zod-openapi";
import { requireDocument } from "../catalogue/lists/find_product.ts";
import type { Product } from "../catalogue/products/product.ts";
import { parseProduct } from "../catalogue/products/product_wire.ts";
import { jsonAnswer, pageOf, room, route } from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import { listFiles } from "../identity/list_files.ts";
import { viewer } from "../identity/route_access.ts";
import type { MarketMemory } from "./current/market_memory.ts";
import {
  MarketRowsPage,
  MarketRowsQuery,
  readMarketRows,
  streamMarketRows,
} from "./market_rows.ts";
import {
  MarketMoves,
  type MovesDeps,
  MovesFilter,
  MovesQuery,
  openMoveTable,
  readMoves,
} from "./moves/list_moves.ts";
import { type ChartDeps, ChartQuery, ProductChart, readChart } from "./past/product_chart.ts";
import { pageOfTimeline, TimelineQuery } from "./past/product_timeline.ts";
import { TimelineItem } from "./past/timeline_item.ts";
import { MarketTrend, readTrend, TrendQuery } from "./trends/read_trend.ts";
import { MarketSummary, MarketSummaryQuery, readMarketSummary } from "./market_summary.ts";

const anyKey = { by: "key", scopes: [] } as const;
const SUMMARY_WORDS = "Groups of products, each with shares, index and margin";

const rows = route({
  method: "get",
  path: "/api/public/v1/market",
  access: anyKey,
  request: { query: MarketRowsQuery },
  responses: {
    200: {
      description: "One page, by id unless it is sorted; or all rows as lines",
      content: {
        "application/json": { schema: MarketRowsPage },
        "application/x-ndjson": { schema: z.string() },
      },
    },
  },
});

const summary = route({
  method: "get",
  path: "/api/market/summary",
  access: viewer,
  request: { query: MarketSummaryQuery },
  responses: { 200: jsonAnswer(MarketSummary, SUMMARY_WORDS) },
});

const publicSummary = route({
  method: "get",
  path: "/api/public/v1/market/summary",
  access: anyKey,
  request: { query: MarketSummaryQuery },
  responses: { 200: jsonAnswer(z.object({ data: MarketSummary }), SUMMARY_WORDS) },
});

const MOVES_WORDS = "What moved at competitors, the biggest change first";

const moves = route({
  method: "get",
  path: "/api/market/moves",
  access: viewer,
  request: { query: MovesQuery },
  responses: { 200: jsonAnswer(MarketMoves, MOVES_WORDS) },
});

const publicMoves = route({
  method: "get",
  path: "/api/public/v1/market/moves",
  access: anyKey,
  request: { query: MovesQuery },
  responses: { 200: jsonAnswer(z.object({ data: MarketMoves }), MOVES_WORDS) },
});

const TREND_WORDS = "Shares and index day by day, the last one now";

const trend = route({
  method: "get",
  path: "/api/market/trend",
  access: viewer,
  request: { query: TrendQuery },
  responses: { 200: jsonAnswer(MarketTrend, TREND_WORDS) },
});

const publicTrend = route({
  method: "get",
  path: "/api/public/v1/market/trend",
  access: anyKey,
  request: { query: TrendQuery },
  responses: { 200: jsonAnswer(z.object({ data: MarketTrend }), TREND_WORDS) },
});

const ProductPath = z.object({ id: z.string() });

const chart = route({
  method: "get",
  path: "/api/products/{id}/chart",
  access: viewer,
  request: { params: ProductPath, query: ChartQuery },
  responses: { 200: jsonAnswer(ProductChart, "Our price and those of all shops over time") },
});

const timeline = route({
  method: "get",
  path: "/api/products/{id}/timeline",
  access: viewer,
  request: { params: ProductPath, query: TimelineQuery },
  responses: {
    200: jsonAnswer(
      pageOf(TimelineItem),
      "What happened, newest first; a page may have fewer items than its limit and go on",
    ),
  },
});

export interface MarketDeps extends MovesDeps, ChartDeps {
  readonly tables: MarketMemory;
}

/** The routes of viewers, and of every valid key. */
export function marketRoutes(deps: MarketDeps) {
  const { tables, observationDays, moves: _moves, tally: _tally, ...asker } = deps;
  const moveFiles = listFiles({
    path: "/api/market/moves",
    access: viewer,
    query: MovesFilter,
    describes: "Every move that fits, the biggest change first",
    open: (ctx, filter) => openMoveTable(ctx, deps, filter),
  });
  return room()
    .openapi(chart, async (c) => {
      const query = c.req.valid("query");
      const product = await requireProduct(c.var.ctx, c.req.valid("param").id, query);
      const answer = await readChart(c.var.ctx, product, query, { observationDays });
      return c.json(answer, 200);
    })
    .openapi(timeline, async (c) => {
      const query = c.req.valid("query");
      const product = await requireProduct(c.var.ctx, c.req.valid("param").id, query);
      return c.json(await pageOfTimeline(c.var.ctx, product, query), 200);
    })
    .openapi(rows, async (c) => {
      const query = c.req.valid("query");
      if (query.format === "json") {
        return c.json(await readMarketRows(c.var.ctx, asker, query), 200);
      }
      return c.body(await streamMarketRows(c.var.ctx, asker, query), 200, {
        "Content-Type": "application/x-ndjson",
      });
    })
    .openapi(
      moves,
      async (c) => c.json(await readMoves(c.var.ctx, deps, c.req.valid("query")), 200),
    )
    .route("/", moveFiles)
    .openapi(publicMoves, async (c) => {
      return c.json({ data: await readMoves(c.var.ctx, deps, c.req.valid("query")) }, 200);
    })
    .openapi(
      trend,
      async (c) => c.json(await readTrend(c.var.ctx, tables, c.req.valid("query")), 200),
    )
    .openapi(publicTrend, async (c) => {
      return c.json({ data: await readTrend(c.var.ctx, tables, c.req.valid("query")) }, 200);
    })
    .openapi(
      summary,
      async (c) =>
        c.json(await readMarketSummary(c.var.ctx, tables, asker, c.req.valid("query")), 200),
    )
    .openapi(publicSummary, async (c) => {
      const query = c.req.valid("query");
      return c.json({ data: await readMarketSummary(c.var.ctx, tables, asker, query) }, 200);
    });
}

async function requireProduct(
  ctx: Context,
  id: string,
  { includeDeleted }: { readonly includeDeleted: boolean },
): Promise<Product> {
  return parseProduct((await requireDocument(ctx, id, includeDeleted)).bytes);
}
