/**
 * Counts how many of our products have a linked page, by shop and by group of products. A link
 * counts even if its price is old.
 */
import { z } from "@hono/zod-openapi";
import { anyKey, viewer } from "../accounts/roles.ts";
import { sharePct } from "../base/fraction.ts";
import {
  DEFAULT_COLUMNS,
  type MarketAsker,
  openProductTable,
  readMarketIds,
} from "../catalogue/lists/product_page.ts";
import { FILTER_SHAPE } from "../catalogue/lists/product_list.ts";
import { MARKET_FILTER_SHAPE } from "../catalogue/prices/product_market.ts";
import { parseProducts, ProductDocument } from "../catalogue/products/product.ts";
import { findDocuments } from "../catalogue/products/product_store.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import { one, page } from "../platform/http/answer.ts";
import { pageQuery } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketCache } from "./current/market_cache.ts";
import { LINK_CONFIRMED, LINK_OTHER_PRODUCT, type ListColumn } from "./table/columns.ts";
import type { MarketTable } from "./table/market_table.ts";
import { inSlices, type Slicing } from "./table/summary.ts";

const COVERAGE_GROUPS = ["brand", "category"] as const satisfies readonly ListColumn[];
type CoverageGroup = (typeof COVERAGE_GROUPS)[number];

const GROUPS_MAX = 200;
const SOME_SHOPS = 3;

function noSums(shops: number) {
  return { products: 0, cells: Array.from({ length: shops }, () => ({ linked: 0, confirmed: 0 })) };
}

type CoverageSums = ReturnType<typeof noSums>;

export async function coverageOf(
  table: MarketTable,
  by: CoverageGroup,
  shopIds: readonly string[],
  slice: Pick<TimeSlice, "yield">,
) {
  const places = new Map(shopIds.map((id, at) => [table.list("competitor").find(id), at]));
  const sizes = new Map<number, number>();
  await eachRow(table, slice, (row) => {
    const word = table.columns.words[by][row] ?? 0;
    sizes.set(word, (sizes.get(word) ?? 0) + 1);
  });
  const most = Math.min(GROUPS_MAX, Math.max(1, Math.floor(20_000 / (shopIds.length || 1))));
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a);
  const { length } = shopIds;
  const groups = new Map(largest.slice(0, most).map(([word]) => [word, noSums(length)]));
  const rest = noSums(length);
  let [anywhere, atThree] = [0, 0];
  const seen = new Uint32Array(shopIds.length);
  const sure = new Uint32Array(shopIds.length);
  let mark = 0;
  await eachRow(table, slice, (row) => {
    mark++;
    const sums = groups.get(table.columns.words[by][row] ?? 0) ?? rest;
    sums.products++;
    const { first, shops, traits } = table.links;
    const begin = first[row] ?? 0;
    const end = begin + (table.columns.bytes.links[row] ?? 0);
    let linked = 0;
    for (let at = begin; at < end; at++) {
      const shop = places.get(shops[at] ?? 0);
      const trait = traits[at] ?? 0;
      const cell = shop === undefined ? undefined : sums.cells[shop];
      if (shop === undefined || !cell || (trait & LINK_OTHER_PRODUCT) !== 0) continue;
      if (seen[shop] !== mark) {
        seen[shop] = mark;
        linked++;
        cell.linked++;
      }
      if ((trait & LINK_CONFIRMED) !== 0 && sure[shop] !== mark) {
        sure[shop] = mark;
        cell.confirmed++;
      }
    }
    if (linked > 0) anywhere++;
    if (linked >= SOME_SHOPS) atThree++;
  });
  const others = largest.length - groups.size;
  return {
    all: sumOf([...groups.values(), rest], noSums(length)),
    anywhere,
    atThree,
    groups: Array.from(groups, ([word, sums]) => ({ name: table.list(by).textOf(word), ...sums })),
    rest: others > 0 ? { groups: others, ...rest } : null,
  };
}

function sumOf(parts: readonly CoverageSums[], all: CoverageSums): CoverageSums {
  for (const { products, cells } of parts) {
    all.products += products;
    for (const [at, cell] of all.cells.entries()) {
      cell.linked += cells[at]?.linked ?? 0;
      cell.confirmed += cells[at]?.confirmed ?? 0;
    }
  }
  return all;
}

async function eachRow(
  table: MarketTable,
  slice: Slicing["slice"],
  add: (row: number) => void,
): Promise<void> {
  await inSlices(table, { slice }, (from, until) => {
    for (let row = from; row < until; row++) if (!table.isEmpty(row)) add(row);
  });
}

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
      open: (ctx, query) => openProductTable(ctx, asker, { ...query, columns: DEFAULT_COLUMNS }),
    }).routes;
}

async function pageOfGaps(
  ctx: Context,
  asker: MarketAsker,
  query: z.output<typeof GapQuery>,
) {
  const { ids, nextCursor } = await readMarketIds(ctx, asker, query);
  const documents = await findDocuments(ctx, ids);
  const items = parseProducts(documents.map(({ bytes }) => bytes));
  return { items, nextCursor, count: items.length };
}
