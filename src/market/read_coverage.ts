/** Coverage: the share of the catalogue with linked pages. */

import { anyKey, viewer } from "../accounts/route_access.ts";
import { sharePct } from "../base/percent.ts";
import { DEFAULT_COLUMNS, openProductTable } from "../catalogue/lists/export_products.ts";
import { type MarketAsker, readMarketIds } from "../catalogue/lists/product_page.ts";
import { FILTER_SHAPE, filterOf } from "../catalogue/lists/product_filter.ts";
import { MARKET_FILTER_SHAPE, type MarketTexts } from "../catalogue/prices/product_market.ts";
import { parseProducts, ProductDocument } from "../catalogue/products/product.ts";
import { findDocuments } from "../catalogue/products/product_store.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import { one, page } from "../platform/http/answer.ts";
import { pageQuery } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketCache } from "./current/market_cache.ts";
import { COVERAGE_GROUPS, coverageOf, type CoverageSums, GROUPS_MAX } from "./table/coverage.ts";
import { z } from "@hono/zod-openapi";

const CoverageQuery = z.strictObject({
  by: z.enum(COVERAGE_GROUPS).default("brand").describe("Field by which products are grouped"),
});

const Shop = z.object({
  competitorId: z.string(),
  linked: z.int()
    .describe("Number of products with a linked page that is not known to show another product"),
  confirmed: z.int()
    .describe("Number of these whose page shows the product according to a visit or a person"),
  percent: z.number().describe("Percentage of `linked` products, with one decimal"),
});

const Sums = z.object({
  products: z.int().describe("Number of active products"),
  shops: z.array(Shop).describe("Enabled competitors, always in the same order"),
});

export const Coverage = Sums.extend({
  shops: z.array(Shop.extend({ competitor: z.string() }))
    .describe("Enabled competitors, always in the same order"),
  anywhere: z.int().describe("Number of products with a link to at least one competitor"),
  atThree: z.int().describe("Number of products with links to at least three competitors"),
  groups: z.array(
    Sums.extend({ name: z.string().nullable().describe("The brand or category; null: none") }),
  ).describe(`Largest first; at most ${GROUPS_MAX}, fewer if there are many competitors`),
  rest: Sums.extend({ groups: z.int().describe("Number of the other groups") })
    .nullable()
    .describe("Sums of all other groups; null if all are listed"),
  asOf: z.iso.datetime(),
}).meta({ id: "Coverage" });

export type Coverage = Readonly<z.output<typeof Coverage>>;

/** Throws `market_too_large`, and `unavailable` if loading the table takes too long. */
async function readCoverage(
  ctx: Context,
  cache: MarketCache,
  { by }: z.output<typeof CoverageQuery>,
): Promise<Coverage> {
  const { table, terms, asOfMs } = await cache.read(ctx);
  const enabled = [...terms.competitors.values()].filter((one) => one.enabled)
    .toSorted((a, b) => a.id < b.id ? -1 : 1);
  const slice = new TimeSlice();
  const coverage = await coverageOf(table, by, enabled.map(({ id }) => id), slice);
  const documentOf = ({ products, cells }: CoverageSums) => ({
    products,
    shops: cells.map((cell, at) => ({
      competitorId: enabled[at]?.id ?? "",
      ...cell,
      percent: products === 0 ? 0 : sharePct(cell.linked / products, 1),
    })),
  });
  const { all, anywhere, atThree, groups, rest } = coverage;
  const { products, shops } = documentOf(all);
  return {
    products,
    shops: shops.map((shop, at) => ({ ...shop, competitor: enabled[at]?.displayName ?? "" })),
    anywhere,
    atThree,
    groups: groups.map(({ name, ...sums }) => ({ name, ...documentOf(sums) })),
    rest: rest && { groups: rest.groups, ...documentOf(rest) },
    asOf: new Date(asOfMs).toISOString(),
  };
}

const COVERAGE_WORDS = "Products with a linked page, by group and competitor";

const Gaps = {
  missing: MARKET_FILTER_SHAPE.missing.default("any")
    .describe("Products without a linked page of this competitor; `any`: without any linked page"),
  ...FILTER_SHAPE,
};
const GapQuery = z.strictObject({ ...pageQuery(50, 200), ...Gaps });

interface CoverageDeps extends MarketAsker {
  readonly tables: MarketCache;
}

export function coverageRoutes({ tables, ...asker }: CoverageDeps) {
  const tags = ["Market"];
  return resource("/coverage", { read: { people: viewer, keys: anyKey }, tags })
    .get("", {
      query: CoverageQuery,
      answer: one(Coverage, COVERAGE_WORDS, { words: COVERAGE_WORDS }),
    }, ({ ctx, query }) => readCoverage(ctx, tables, query))
    .get("/products", {
      query: GapQuery,
      answer: page(ProductDocument, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOfGaps(ctx, asker, query))
    .files("/products", {
      tags,
      query: z.strictObject(Gaps),
      words: "Every product without a linked page there, by id",
      open: (ctx, { missing, ...texts }) =>
        openProductTable(ctx, asker, {
          filter: filterOf(texts),
          texts: { order: "asc", missing },
          includeDeleted: false,
          columns: DEFAULT_COLUMNS,
        }),
    }).routes;
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
