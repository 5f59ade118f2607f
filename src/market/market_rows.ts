/**
 * Routes of market positions (our prices compared with other shops' prices), price moves, trends,
 * and a product's history. An API key may sort and filter only by data that its scopes include.
 */
import { z } from "@hono/zod-openapi";
import { anyKey, type KeyScope, viewer } from "../accounts/roles.ts";
import { Failure } from "../base/failure.ts";
import { splitList } from "../base/text.ts";
import { parseBound } from "../base/time.ts";
import { requireProduct } from "../catalogue/lists/find_product.ts";
import { FILTER_SHAPE } from "../catalogue/lists/product_list.ts";
import { type MarketAsker, marketQueryOf, readMarketIds } from "../catalogue/lists/product_page.ts";
import {
  MARKET_FILTER_SHAPE,
  MARKET_SHAPE,
  MarketOffer,
  type MarketTexts,
  ProductMarket,
} from "../catalogue/prices/product_market.ts";
import { parseProduct } from "../catalogue/products/product.ts";
import { findDocuments } from "../catalogue/products/product_store.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import { custom, one, page } from "../platform/http/answer.ts";
import { BOUND_FORMS, BoundText, flagQuery, pageQuery } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketCache } from "./current/market_cache.ts";
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
import {
  GROUPS_MAX,
  MarketSummary,
  summarise,
  SUMMARY_DIMENSIONS,
  type SummaryDimension,
} from "./table/summary.ts";
import { testOf } from "./table/table_page.ts";
import { MarketTrend, readTrend, TrendQuery } from "./trends/trend_days.ts";

const ROWS_MAX = 200;

const MarketRowsQuery = z.strictObject({
  ...pageQuery(50, ROWS_MAX),
  ...FILTER_SHAPE,
  ...MARKET_SHAPE,
  offers: flagQuery.meta({ type: "boolean", description: "Includes the offers of each product" }),
  changedSince: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description:
      "The `asOf` of an earlier answer: only rows that have changed since; if the changes are unknown, all rows, with `isFull`",
  }),
  format: z.enum(["json", "ndjson"]).default("json")
    .describe("`ndjson`: all matching rows, one per line, and a last line with their number"),
});

type MarketRowsQuery = z.output<typeof MarketRowsQuery>;

const MarketRow = z.object({
  productId: z.string(),
  sku: z.string(),
  ourPriceCents: z.int().nullable(),
  currency: z.string(),
  ...ProductMarket.shape,
  competitorOffers: z.array(MarketOffer).optional().describe("With `offers=true`"),
}).meta({ id: "MarketRow" });

const MarketRowsPage = z.object({
  data: z.array(MarketRow),
  nextCursor: z.string().nullable(),
  count: z.int(),
  total: z.int().describe("Number of matching rows"),
  asOf: z.iso.datetime().describe("Value for the next `changedSince`"),
  isFull: z.boolean().describe("True if the changes since `changedSince` are unknown"),
  deleted: z.array(z.string()).describe(
    "With the first page of `changedSince`: ids of the products that were deleted " +
      "since, whatever the filters; empty where `isFull`",
  ),
});

async function readMarketRows(ctx: Context, asker: MarketAsker, query: MarketRowsQuery) {
  const { rows, page } = await readRowsPage(ctx, asker, query, query.limit);
  const { nextCursor, total, asOf, isFull, gone } = page;
  const deleted = [...gone];
  return { data: rows, nextCursor, count: rows.length, total, asOf, isFull, deleted };
}

async function streamMarketRows(ctx: Context, asker: MarketAsker, query: MarketRowsQuery) {
  // Read the first page before the response begins, so that an error can set the status code.
  const first = await readRowsPage(ctx, asker, query, ROWS_MAX);
  const lines = linesOf(ctx, asker, query, first);
  return ReadableStream.from(lines).pipeThrough(new TextEncoderStream());
}

async function* linesOf(ctx: Context, asker: MarketAsker, query: MarketRowsQuery, first: RowsPage) {
  let count = 0;
  for (let { rows, page } = first;;) {
    count += rows.length;
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    if (page.nextCursor === null) break;
    const next = { ...query, cursor: page.nextCursor };
    ({ rows, page } = await readRowsPage(ctx, asker, next, ROWS_MAX));
  }
  // With the first page's `asOf`, the next request also gets changes made during this download.
  const { total, asOf, isFull, gone: deleted } = first.page;
  yield `${JSON.stringify({ end: true, count, total, asOf, isFull, deleted })}\n`;
}

type RowsPage = Awaited<ReturnType<typeof readRowsPage>>;

async function readRowsPage(
  ctx: Context,
  asker: MarketAsker,
  query: MarketRowsQuery,
  limit: number,
) {
  const { offers, changedSince } = query;
  requireMarketScopes(ctx, query);
  const changedSinceMs = changedSince ? parseBound(changedSince, "start") : null;
  const page = await readMarketIds(ctx, asker, { ...query, limit, changedSinceMs });
  const [documents, { markets }, offersOf] = await Promise.all([
    findDocuments(ctx, page.ids),
    asker.market.beside(ctx, page.ids),
    offers ? asker.market.offersOf(ctx, page.ids) : null,
  ]);
  const rows = documents.flatMap(({ id, bytes }): z.output<typeof MarketRow>[] => {
    const market = markets.get(id);
    if (!market) return [];
    const { sku, ourPriceCents, currency } = parseProduct(bytes);
    return [{
      productId: id,
      sku,
      ourPriceCents,
      currency,
      ...market,
      proposal: may(ctx, "proposals:read") ? market.proposal : null,
      rule: may(ctx, "rules:read") ? market.rule : null,
      ...(offersOf && { competitorOffers: [...offersOf.get(id) ?? []] }),
    }];
  });
  return { rows, page };
}

/** A signed-in user has no key scopes and may read all data. */
function may({ scopes }: Context, scope: KeyScope): boolean {
  return scopes === undefined || scopes.includes(scope);
}

function requireMarketScopes(ctx: Context, { sort, hasProposal, ruleId }: MarketTexts): void {
  const needed: KeyScope[] = [];
  if (sort === "proposal" || hasProposal !== undefined) needed.push("proposals:read");
  if (sort === "rule" || ruleId !== undefined) needed.push("rules:read");
  const missing = needed.filter((scope) => !may(ctx, scope));
  if (missing.length === 0) return;
  throw new Failure(
    "insufficient_scope",
    `This key lacks ${missing.map((scope) => `"${scope}"`).join(", ")}: make one that has it`,
    { required: needed },
  );
}

const isDimension = (name: string): name is SummaryDimension =>
  SUMMARY_DIMENSIONS.some((known) => known === name);

const By = z.string().optional().transform((text, check): SummaryDimension[] => {
  const names = splitList(text ?? "");
  const known = names.filter(isDimension);
  const isPair = new Set(names).size === names.length && names.length <= 2;
  if (known.length === names.length && isPair) return known;
  check.addIssue({
    code: "custom",
    message: `Must be one of ${SUMMARY_DIMENSIONS.join(", ")}, or a pair of them`,
  });
  return [];
});

const MarketSummaryQuery = z.strictObject({
  by: By.meta({
    type: "string",
    description: `One of ${
      SUMMARY_DIMENSIONS.join(", ")
    }, or two with a comma; all as one without it`,
    example: "brand,competitor",
  }),
  ...FILTER_SHAPE,
  ...MARKET_FILTER_SHAPE,
});

async function readMarketSummary(
  ctx: Context,
  cache: MarketCache,
  asker: MarketAsker,
  { by, ...texts }: z.output<typeof MarketSummaryQuery>,
): Promise<z.output<typeof MarketSummary>> {
  requireMarketScopes(ctx, texts);
  const query = await marketQueryOf(ctx, asker.cache, texts);
  const { table, terms, asOfMs } = await cache.read(ctx);
  const { groups, size } = await summarise(table, by, {
    testOf: () => testOf(table, query),
    slice: new TimeSlice(),
  });
  const nameOf = (id: string) => terms.competitors.get(id)?.displayName ?? null;
  return {
    items: groups(GROUPS_MAX).map((group) => ({
      ...group,
      ...(group.competitorId !== undefined && { competitor: nameOf(group.competitorId) }),
    })),
    total: size,
    isCut: size > GROUPS_MAX,
    asOf: new Date(asOfMs).toISOString(),
  };
}

interface MarketDeps extends MovesDeps, ChartDeps {
  readonly tables: MarketCache;
}

export function marketRoutes(deps: MarketDeps) {
  const { tables, observationDays, ...asker } = deps;
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
