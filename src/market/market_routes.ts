import { z } from "@hono/zod-openapi";
import { requireProduct } from "../catalogue/lists/find_product.ts";
import { custom, one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { anyKey, viewer } from "../accounts/route_access.ts";
import type { MarketCache } from "./current/market_cache.ts";
import {
  MarketRowsPage,
  MarketRowsQuery,
  MarketSummary,
  MarketSummaryQuery,
  readMarketRows,
  readMarketSummary,
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
import { MarketTrend, readTrend, TrendQuery } from "./trends/take_trend.ts";

interface MarketDeps extends MovesDeps, ChartDeps {
  readonly tables: MarketCache;
}

export function marketRoutes(deps: MarketDeps) {
  const { tables, observationDays, moves: _moves, counters: _counters, ...asker } = deps;
  const callers = { read: { people: viewer, keys: anyKey } };
  const products = resource("", callers)
    .get("/products/{id}/chart", {
      callers: { people: viewer },
      query: ChartQuery,
      answer: one(ProductChart, "Our price and those of all shops over time"),
    }, async ({ ctx, id, query }) => {
      const product = await requireProduct(ctx, id, query.includeDeleted);
      return await readChart(ctx, product, query, { observationDays });
    })
    .get("/products/{id}/timeline", {
      callers: { people: viewer },
      query: TimelineQuery,
      answer: page(
        TimelineItem,
        "What happened, newest first; a page may have fewer items than its limit and go on",
      ),
    }, async ({ ctx, id, query }) => {
      return await pageOfTimeline(ctx, await requireProduct(ctx, id, query.includeDeleted), query);
    })
    .get("/market", {
      callers: { keys: anyKey },
      query: MarketRowsQuery,
      answer: custom({
        200: {
          description: "One page, by id unless `sort` is given; or all rows as lines",
          content: {
            "application/json": { schema: MarketRowsPage },
            "application/x-ndjson": { schema: z.string() },
          },
        },
      }),
    }, async ({ c, ctx, query }) => {
      if (query.format === "json") return c.json(await readMarketRows(ctx, asker, query));
      return c.body(await streamMarketRows(ctx, asker, query), 200, {
        "Content-Type": "application/x-ndjson",
      });
    });
  const market = resource("/market", callers)
    .get("/moves", {
      query: MovesQuery,
      answer: one(MarketMoves, "Moves of competitors, largest change first"),
    }, ({ ctx, query }) => readMoves(ctx, deps, query))
    .files("/moves", {
      query: MovesFilter,
      words: "Every move that fits, the biggest change first",
      open: (ctx, filter) => openMoveTable(ctx, deps, filter),
    })
    .get("/trend", {
      query: TrendQuery,
      answer: one(MarketTrend, "Shares and index by day, ending now"),
    }, ({ ctx, query }) => readTrend(ctx, tables, query))
    .get("/summary", {
      query: MarketSummaryQuery,
      answer: one(MarketSummary, "Groups of products, each with shares, index and margin"),
    }, ({ ctx, query }) => readMarketSummary(ctx, tables, asker, query));
  return [...products.routes, ...market.routes];
}
