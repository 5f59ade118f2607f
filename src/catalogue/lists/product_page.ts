/** Reads pages of products, sorted and filtered by product fields or by market data. */
import { appendFields, joinDocuments } from "../../base/bytes.ts";
import { refuseFields } from "../../base/failure.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { flagQuery, openCursor, pageQuery, toPage } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  asksForMarket,
  MARKET_SHAPE,
  marketFilterOf,
  type MarketPage,
  type MarketQuery,
  type MarketSource,
  type MarketTexts,
} from "../prices/product_market.ts";
import { countActiveProducts } from "../products/change_log_store.ts";
import { findDocuments, type StoredDocument } from "../products/product_store.ts";
import type { CatalogueCache, HitKind } from "./catalogue_cache.ts";
import {
  FILTER_SHAPE,
  filterOf,
  findMatchingIds,
  isNoFilter,
  isRanked,
  listProducts,
  type ProductFilter,
  walkProducts,
} from "./product_list.ts";
import { z } from "@hono/zod-openapi";

export const PublicProductQuery = z.strictObject({ ...pageQuery(50, 200), ...FILTER_SHAPE });

export const ProductQuery = PublicProductQuery.extend({
  includeDeleted: flagQuery.meta({ type: "boolean", description: "Soft-deleted products too" }),
  offers: flagQuery.meta({ type: "boolean", description: "With the offers of each product" }),
  ...MARKET_SHAPE,
});

type Query = z.output<typeof PublicProductQuery> & { readonly includeDeleted?: boolean };
type MarketProductQuery = z.output<typeof ProductQuery>;

interface ProductPage {
  readonly documents: readonly StoredDocument[];
  readonly nextCursor: string | null;
}

const ONE_GROUP = [undefined];
const NUMBERS_FIRST: readonly HitKind[] = ["numbered", "other"];

const Position = z.union([z.tuple([z.int(), z.string()]), z.string().nullable()]);

async function readPage(
  ctx: Context,
  cache: CatalogueCache,
  { limit, cursor, includeDeleted = false, ...texts }: Query,
  groups: readonly (HitKind | undefined)[] = ONE_GROUP,
): Promise<ProductPage> {
  const filter = filterOf(texts);
  const isGrouped = groups !== ONE_GROUP;
  const list = `products ${JSON.stringify({ filter, includeDeleted, ...isGrouped && { groups } })}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const [group, last] = Array.isArray(position) ? position : [0, position];
  const rows: { readonly at: number; readonly document: StoredDocument }[] = [];
  for (const [at, hits] of groups.entries()) {
    if (at < group || rows.length > limit) continue;
    const after = at === group ? last : null;
    const missing = limit + 1 - rows.length;
    const request = { filter, includeDeleted, after, limit: missing, ...hits && { hits } };
    const documents = await listProducts(ctx, cache, request);
    rows.push(...documents.map((document) => ({ at, document })));
  }
  const positionOf = ({ at, document: { id } }: typeof rows[number]) => isGrouped ? [at, id] : id;
  const { items, nextCursor } = toPage(ctx, { list, rows, limit, positionOf });
  return { documents: items.map(({ document }) => document), nextCursor };
}

export async function publicPageBytes(ctx: Context, cache: CatalogueCache, query: Query) {
  const page = await readPage(ctx, cache, query);
  return join('{"data":[', page, "");
}

export async function pageBytes(ctx: Context, asker: MarketAsker, query: MarketProductQuery) {
  const { cache, market } = asker;
  if (query.cursor === undefined) {
    void cache.warm(ctx).then(() => market.warm(ctx));
  }
  const { page, ...counts } = await readPageWithCounts(ctx, asker, query);
  const ids = page.documents.map(({ id }) => id);
  const { markets, asOf } = await market.beside(ctx, ids);
  const offers = query.offers ? await market.offersOf(ctx, ids) : null;
  const documents = page.documents.map((document) => {
    const market = markets.get(document.id) ?? null;
    const fields = offers === null
      ? { market }
      : { market, competitorOffers: offers.get(document.id) ?? [] };
    return { ...document, bytes: appendFields(document.bytes, fields) };
  });
  const { total, moved } = counts;
  const more = `,"total":${total},"asOf":${JSON.stringify(asOf)},"moved":${moved}`;
  return join('{"items":[', { ...page, documents }, more);
}

async function readPageWithCounts(
  ctx: Context,
  asker: MarketAsker,
  query: MarketProductQuery,
): Promise<{ readonly page: ProductPage; readonly total: number | null; readonly moved: number }> {
  const { limit, cursor, includeDeleted, offers: _offers, ...texts } = query;
  const { filterTexts, marketTexts } = apart(texts);
  const filter = filterOf(filterTexts);
  if (!asksForMarket(marketTexts)) {
    const groups = isRanked({ filter, includeDeleted }) ? NUMBERS_FIRST : ONE_GROUP;
    const asked = { limit, cursor, includeDeleted, ...filterTexts };
    const page = await readPage(ctx, asker.cache, asked, groups);
    const total = includeDeleted ? null : await countMatching(ctx, asker.cache, filter);
    return { page, total, moved: 0 };
  }
  requireActive(includeDeleted);
  const list = { filter, texts: marketTexts, cursor, limit };
  const { ids, nextCursor, total, moved } = await readMarketIds(ctx, asker, "products", list);
  const documents = await findDocuments(ctx, ids);
  return { page: { documents, nextCursor }, total, moved };
}

export function apart<T extends MarketTexts>(
  texts: T,
): { readonly filterTexts: Omit<T, keyof MarketTexts>; readonly marketTexts: MarketTexts } {
  const entries = Object.entries(texts);
  const isOfMarket = ([name]: [string, unknown]) => name in MARKET_SHAPE;
  return {
    filterTexts: Object(Object.fromEntries(entries.filter((entry) => !isOfMarket(entry)))),
    marketTexts: Object(Object.fromEntries(entries.filter(isOfMarket))),
  };
}

function join(head: string, { documents, nextCursor }: ProductPage, more: string) {
  const tail = `],"nextCursor":${JSON.stringify(nextCursor)},"count":${documents.length}${more}}`;
  return joinDocuments(head, documents.map(({ bytes }) => bytes), tail);
}

export interface Fitting {
  readonly filter: ProductFilter;
  readonly texts: MarketTexts;
  readonly includeDeleted: boolean;
}

const AT_ONCE = 500;

/** The documents can be read only once. */
interface FittingProducts extends Disposable {
  documents(): AsyncGenerator<StoredDocument>;
}

/**
 * Changes after the call do not affect the order of the products. Without `includeDeleted`,
 * products that are deleted after the call are left out.
 */
export async function openFitting(
  ctx: Context,
  { cache, market }: MarketAsker,
  { filter, texts, includeDeleted }: Fitting,
): Promise<FittingProducts> {
  if (!asksForMarket(texts)) {
    const request = { filter, includeDeleted, after: null, limit: AT_ONCE };
    return { documents: () => walkProducts(ctx, cache, request), [Symbol.dispose]() {} };
  }
  requireActive(includeDeleted);
  const order = await market.order(ctx, await marketQueryOf(ctx, cache, filter, texts));
  return {
    async *documents() {
      for (let ids = order.take(AT_ONCE); ids.length > 0; ids = order.take(AT_ONCE)) {
        yield* await findDocuments(ctx, ids);
      }
    },
    [Symbol.dispose]: () => order[Symbol.dispose](),
  };
}

function requireActive(includeDeleted: boolean): void {
  if (!includeDeleted) return;
  const message = "Deleted products have no market: omit the market order and the market filters";
  throw refuseFields([{ path: "includeDeleted", message }]);
}

export interface MarketAsker {
  readonly cache: CatalogueCache;
  readonly market: MarketSource;
}

interface MarketList {
  readonly filter: ProductFilter;
  readonly texts: MarketTexts;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly changedSinceMs?: number | null;
}

export interface MarketIds extends Omit<MarketPage, "items"> {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

export async function readMarketIds(
  ctx: Context,
  { cache, market }: MarketAsker,
  list: string,
  { filter, texts, cursor, limit, changedSinceMs = null }: MarketList,
): Promise<MarketIds> {
  const asked = await marketQueryOf(ctx, cache, filter, texts);
  const query = { ...asked, changedSinceMs };
  const name = `${list} ${JSON.stringify([filter, { ...query, among: null }])}`;
  const after = openCursor(ctx, name, cursor);
  const { items: rows, ...page } = await market.page(ctx, query, after, limit);
  const { items, nextCursor } = toPage(ctx, {
    list: name,
    rows,
    limit,
    positionOf: ({ place }) => place,
  });
  return { ...page, ids: items.map(({ id }) => id), nextCursor };
}

async function countMatching(
  ctx: Context,
  cache: CatalogueCache,
  filter: ProductFilter,
): Promise<number> {
  if (isNoFilter(filter)) return await countActiveProducts(ctx);
  const slice = new TimeSlice();
  let count = 0;
  for (const _ of await findMatchingIds(ctx, cache, filter)) {
    if (++count % 1_000 === 0) await slice.yield();
  }
  return count;
}

export async function marketQueryOf(
  ctx: Context,
  cache: CatalogueCache,
  filter: ProductFilter,
  { sort, order, ...filters }: MarketTexts,
): Promise<MarketQuery> {
  return {
    sort: sort ?? null,
    order,
    filter: marketFilterOf(filters),
    among: isNoFilter(filter) ? null : await findMatchingIds(ctx, cache, filter),
    changedSinceMs: null,
  };
}
