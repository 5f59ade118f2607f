/** The catalogue's position in the market, on both interfaces (docs/decisions/market.md). */

import { anyKey, listFiles, viewer } from "../accounts/route_access.ts";
import { requireDocument } from "../catalogue/lists/find_product.ts";
import type { Product } from "../catalogue/products/product.ts";
import { parseProduct } from "../catalogue/products/product_wire.ts";
import { bothFaces, documentIn, told } from "../platform/http/face.ts";
import { jsonAnswer, pageOf, room, route } from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketMemory } from "./current/market_memory.ts";
import {
  MarketRowsPage,
  MarketRowsQuery,
  readMarketRows,
  streamMarketRows,
} from "./market_rows.ts";
import { MarketSummary, MarketSummaryQuery, readMarketSummary } from "./market_summary.ts";
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
import { z } from "@hono/zod-openapi";

const FACES = bothFaces({ access: viewer }, { access: anyKey });

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

function declared(face: (typeof FACES)[number]) {
  const { base, access } = face;
  return {
    moves: route({
      method: "get",
      path: `${base}/market/moves`,
      access,
      request: { query: MovesQuery },
      responses: {
        200: jsonAnswer(
          documentIn(face, MarketMoves),
          "What moved at competitors, the biggest change first",
        ),
      },
    }),
    trend: route({
      method: "get",
      path: `${base}/market/trend`,
      access,
      request: { query: TrendQuery },
      responses: {
        200: jsonAnswer(
          documentIn(face, MarketTrend),
          "Shares and index day by day, the last one now",
        ),
      },
    }),
    summary: route({
      method: "get",
      path: `${base}/market/summary`,
      access,
      request: { query: MarketSummaryQuery },
      responses: {
        200: jsonAnswer(
          documentIn(face, MarketSummary),
          "Groups of products, each with shares, index and margin",
        ),
      },
    }),
  };
}

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
  const ofProducts = room()
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
    });
  const ofRows = room().openapi(rows, async (c) => {
    const query = c.req.valid("query");
    if (query.format === "json") {
      return c.json(await readMarketRows(c.var.ctx, asker, query), 200);
    }
    return c.body(await streamMarketRows(c.var.ctx, asker, query), 200, {
      "Content-Type": "application/x-ndjson",
    });
  });
  const ofMarket = FACES.map((face) => {
    const { moves, trend, summary } = declared(face);
    return room()
      .openapi(moves, async (c) => {
        return c.json(told(face, await readMoves(c.var.ctx, deps, c.req.valid("query"))), 200);
      })
      .route("/", face.isEnveloped ? room() : moveFiles)
      .openapi(trend, async (c) => {
        return c.json(told(face, await readTrend(c.var.ctx, tables, c.req.valid("query"))), 200);
      })
      .openapi(summary, async (c) => {
        const query = c.req.valid("query");
        return c.json(told(face, await readMarketSummary(c.var.ctx, tables, asker, query)), 200);
      });
  });
  return [ofProducts, ofRows, ...ofMarket];
}

async function requireProduct(
  ctx: Context,
  id: string,
  { includeDeleted }: { readonly includeDeleted: boolean },
): Promise<Product> {
  return parseProduct((await requireDocument(ctx, id, includeDeleted)).bytes);
}
