/** Pages of products in an order, or narrowed by filters, that only the market knows. */

import { fromKeys } from "../../base/collections.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  marketFilterOf,
  type MarketPage,
  type MarketQuery,
  type MarketSource,
  type MarketTexts,
} from "../prices/product_market.ts";
import { listHeld } from "../products/hold_store.ts";
import { FILTERED_NAMES, type FilteredName } from "../products/product_field_table.ts";
import { countActiveProducts } from "../products/version_counter_store.ts";
import type { CatalogueCache } from "./catalogue_cache.ts";
import { matchingIds } from "./product_columns.ts";
import { needsDocument, type ProductFilter } from "./product_filter.ts";
import { walkProducts } from "./product_list.ts";
import { SEARCHED_PRODUCTS_MAX } from "./search_cache.ts";

export interface MarketAsker {
  readonly cache: CatalogueCache;
  readonly market: MarketSource;
}

interface MarketList {
  readonly filter: ProductFilter;
  readonly texts: MarketTexts;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Only what has changed since; null: all. */
  readonly changedSinceMs?: number | null;
}

/** A page with the ids of its products in order; those that have gone meanwhile are still among them. */
export interface MarketIds extends Omit<MarketPage, "items"> {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

/** `list` names the list for its cursors. */
export async function readMarketIds(
  ctx: Context,
  { cache, market }: MarketAsker,
  list: string,
  { filter, texts, cursor, limit, changedSinceMs = null }: MarketList,
): Promise<MarketIds> {
  const asked = await marketQueryOf(ctx, cache, filter, texts);
  const query = { ...asked, changedSinceMs };
  const name = `${list} ${JSON.stringify([filter, { ...query, among: null, without: null }])}`;
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

/** The number of matching products; `null` where counting would read all of them. */
export async function countFitting(
  ctx: Context,
  { cache, market }: MarketAsker,
  filter: ProductFilter,
): Promise<number | null> {
  if (await needsEveryDocument(ctx, filter)) return null;
  return await market.count(ctx, await marketQueryOf(ctx, cache, filter, { order: "asc" }));
}

export async function marketQueryOf(
  ctx: Context,
  cache: CatalogueCache,
  filter: ProductFilter,
  { sort, order, ...filters }: MarketTexts,
): Promise<MarketQuery> {
  const { updatedSinceMs } = filter;
  return {
    sort: sort ?? null,
    order,
    filter: marketFilterOf(filters),
    fields: fromKeys(MARKET_FIELDS, (name) => filter[name]),
    among: await amongOf(ctx, cache, filter),
    without: filter.isHeld === false ? await listHeld(ctx, ctx.now().getTime()) : null,
    updatedSinceMs,
    changedSinceMs: null,
  };
}

/** The filters that the market knows by itself. */
const MARKET_FIELDS = ["brand", "category", "tier"] as const satisfies readonly FilteredName[];
const OTHER_FIELDS = FILTERED_NAMES.filter((name) => MARKET_FIELDS.every((own) => own !== name));

/** The products that what the market does not know leaves; null: all. */
async function amongOf(
  ctx: Context,
  cache: CatalogueCache,
  filter: ProductFilter,
): Promise<Iterable<string> | null> {
  const { q, sku, isHeld } = filter;
  const isOfFields = OTHER_FIELDS.some((name) => filter[name] !== null);
  if (q === null && sku === null && !isOfFields) {
    return isHeld ? await listHeld(ctx, ctx.now().getTime()) : null;
  }
  // The held products are known apart from the fields: others are left out later.
  if (!needsDocument({ ...filter, isHeld: isHeld || null })) {
    return matchingIds(await cache.fields.read(ctx), filter, null);
  }
  const isSearch = q !== null && sku === null && isHeld === null && !isOfFields;
  if (isSearch && !await needsEveryDocument(ctx, filter)) {
    return (await cache.searches.find(ctx, q)).all();
  }
  const ids: string[] = [];
  const request = { filter, includeDeleted: false, after: null, limit: IDS_AT_ONCE };
  for await (const { id } of walkProducts(ctx, cache, request)) ids.push(id);
  return ids;
}

const IDS_AT_ONCE = 1_000;

/** True where a search has no texts in memory to look at. */
async function needsEveryDocument(ctx: Context, { q, sku }: ProductFilter): Promise<boolean> {
  return q !== null && sku === null && await countActiveProducts(ctx) > SEARCHED_PRODUCTS_MAX;
}
