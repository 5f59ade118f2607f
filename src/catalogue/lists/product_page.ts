/** Reads products page by page, sorted and filtered, and exports all pages as a file. */
import { appendFields, joinDocuments } from "../../base/bytes.ts";
import { refuseFields } from "../../base/failure.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { flagQuery, openCursor, pageQuery, toPage } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  asksForMarket,
  MARKET_SHAPE,
  marketFilterOf,
  MarketPlace,
  type MarketQuery,
  type MarketSource,
  type MarketTexts,
  type ProductMarket,
} from "../prices/product_market.ts";
import { countActiveProducts } from "../products/change_log_store.ts";
import { findDocuments, type StoredDocument } from "../products/product_store.ts";
import type { CatalogueCache, HitKind } from "./catalogue_cache.ts";
import {
  FILTER_SHAPE,
  filterOf,
  type FilterTexts,
  findMatchingIds,
  isNoFilter,
  isRanked,
  listProducts,
  type ProductFilter,
  walkProducts,
} from "./product_list.ts";
import { batchesOf, releasing } from "../../base/collections.ts";
import { exponentOf } from "../../base/money.ts";
import { COLUMN_WORDS, type ColumnName, isColumnName } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/codes.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import {
  amountCell,
  type Cell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import { parseProduct, type Product } from "../products/product.ts";
import {
  FIELD_NAMES,
  type FieldName,
  majorName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
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

const Position = z.union([z.tuple([z.int(), z.string()]), z.string()]);

async function readPage(
  ctx: Context,
  cache: CatalogueCache,
  { limit, cursor, includeDeleted = false, ...texts }: Query,
  groups: readonly (HitKind | undefined)[] = ONE_GROUP,
): Promise<ProductPage> {
  const filter = filterOf(texts);
  const isGrouped = groups !== ONE_GROUP;
  const position = openCursor(ctx, cursor, Position);
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
  const { items, nextCursor } = toPage(ctx, { rows, limit, positionOf });
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
  const { markets, asOfMs } = await market.beside(ctx, ids);
  const offers = query.offers ? await market.offersOf(ctx, ids) : null;
  const documents = page.documents.map((document) => {
    const market = markets.get(document.id) ?? null;
    const fields = offers === null
      ? { market }
      : { market, competitorOffers: offers.get(document.id) ?? [] };
    return { ...document, bytes: appendFields(document.bytes, fields) };
  });
  const { total, moved } = counts;
  const asOf = new Date(asOfMs).toISOString();
  const more = `,"total":${total},"asOf":"${asOf}","moved":${moved}`;
  return join('{"items":[', { ...page, documents }, more);
}

async function readPageWithCounts(
  ctx: Context,
  asker: MarketAsker,
  query: MarketProductQuery,
): Promise<{ readonly page: ProductPage; readonly total: number | null; readonly moved: number }> {
  const { includeDeleted } = query;
  if (!asksForMarket(query)) {
    const filter = filterOf(query);
    const groups = isRanked({ filter, includeDeleted }) ? NUMBERS_FIRST : ONE_GROUP;
    const page = await readPage(ctx, asker.cache, query, groups);
    const total = includeDeleted ? null : await countMatching(ctx, asker.cache, filter);
    return { page, total, moved: 0 };
  }
  requireActive(includeDeleted);
  const { ids, nextCursor, total, moved } = await readMarketIds(ctx, asker, query);
  const documents = await findDocuments(ctx, ids);
  return { page: { documents, nextCursor }, total, moved };
}

function join(head: string, { documents, nextCursor }: ProductPage, more: string) {
  const tail = `],"nextCursor":${JSON.stringify(nextCursor)},"count":${documents.length}${more}}`;
  return joinDocuments(head, documents.map(({ bytes }) => bytes), tail);
}

type ListTexts = FilterTexts & MarketTexts;
type Fitting = ListTexts & { readonly includeDeleted?: boolean };

const AT_ONCE = 500;

/** `documents` may be called only once. */
interface FittingProducts extends Disposable {
  documents(): AsyncGenerator<StoredDocument>;
}

/**
 * Later changes do not affect the order of the products. Without `includeDeleted`, products that
 * are deleted after the call are left out.
 */
export async function openFitting(
  ctx: Context,
  { cache, market }: MarketAsker,
  { includeDeleted = false, ...texts }: Fitting,
): Promise<FittingProducts> {
  if (!asksForMarket(texts)) {
    const request = { filter: filterOf(texts), includeDeleted, after: null, limit: AT_ONCE };
    return { documents: () => walkProducts(ctx, cache, request), [Symbol.dispose]() {} };
  }
  requireActive(includeDeleted);
  const order = await market.order(ctx, await marketQueryOf(ctx, cache, texts));
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

type MarketList = ListTexts & {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly changedSinceMs?: number | null;
};

export async function readMarketIds(
  ctx: Context,
  { cache, market }: MarketAsker,
  { cursor, limit, changedSinceMs = null, ...texts }: MarketList,
) {
  const asked = await marketQueryOf(ctx, cache, texts);
  const query = { ...asked, changedSinceMs };
  const after = openCursor(ctx, cursor, MarketPlace);
  const { items: rows, ...page } = await market.page(ctx, query, after, limit);
  const { items, nextCursor } = toPage(ctx, { rows, limit, positionOf: ({ place }) => place });
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
  texts: ListTexts,
): Promise<MarketQuery> {
  const { sort = null, order = "asc" } = texts;
  const filter = filterOf(texts);
  return {
    sort,
    order,
    filter: marketFilterOf(texts),
    among: isNoFilter(filter) ? null : await findMatchingIds(ctx, cache, filter),
    changedSinceMs: null,
  };
}

const ROWS_PER_CHUNK = 100;
const LINE_BREAK = 0x0a;

/** Returns a table of products for an export; products are read while the file is written. */
export async function openProductTable(
  ctx: Context,
  asker: MarketAsker,
  wanted: Fitting & { readonly columns: readonly string[] },
): Promise<OutgoingTable> {
  const fitting = await openFitting(ctx, asker, wanted);
  const { columns } = wanted;
  const asksMarket = columns.some((name) => MARKET_CELL_OF.has(name));
  async function* batches(): AsyncGenerator<Cell[][]> {
    for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
      const beside = asksMarket ? await asker.market.beside(ctx, part.map(({ id }) => id)) : null;
      yield part.map(({ id, bytes }) => {
        const market = beside?.markets.get(id) ?? null;
        return productCells({ product: parseProduct(bytes), market }, columns);
      });
    }
  }
  const headingsIn = (language: Language) =>
    columns.map((column) => productHeading(language, column));
  return { name: "products", columns, headingsIn, batches: releasing(batches(), fitting) };
}

export async function streamProductLines(
  ctx: Context,
  asker: MarketAsker,
  wanted: Fitting,
): Promise<ReadableStream<Uint8Array>> {
  const fitting = await openFitting(ctx, asker, wanted);
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
      yield joinDocuments("", part.map(({ bytes }) => bytes), "\n", LINE_BREAK);
    }
  }
  return ReadableStream.from(releasing(lines(), fitting));
}

export interface ProductRow {
  readonly product: Product;
  readonly market: ProductMarket | null;
}

const FIELD_COLUMNS = [
  ...FIELD_NAMES.filter((name) => ["plain", "amount"].some((csv) => csv === csvOf(name))),
  ...FIELD_NAMES.filter((name) => csvOf(name) === "json"),
];
const FIELD_OF = new Map<string, FieldName>(FIELD_COLUMNS.map((name) => [majorName(name), name]));

type MarketCell = (market: ProductMarket, exponent: number) => Cell;

const MOMENTS: ReadonlySet<FieldName> = new Set([
  "heldUntil",
  "ourPriceUpdatedAt",
  "lastScrapedAt",
  "createdAt",
  "updatedAt",
  "deletedAt",
]);

const MARKET_CELLS = {
  state: ({ state }) => codeCell("marketStates", state),
  links: ({ links }) => links,
  offers: ({ offers }) => offers,
  cheapest: ({ cheapestCents }, exponent) => amountCell(cheapestCents, exponent),
  cheapestCompetitor: ({ cheapestCompetitor }) => cheapestCompetitor,
  cheapestMatchType: ({ cheapestMatchType }) => codeCell("matchTypes", cheapestMatchType),
  cheapestInStock: ({ cheapestInStock }) => cheapestInStock,
  cheapestCount: ({ cheapestCount }) => cheapestCount,
  gap: ({ gapCents }, exponent) => amountCell(gapCents, exponent),
  gapPct: ({ gapPct }) => gapPct,
  room: ({ roomPct }) => roomPct,
  rank: ({ rank }) => rank,
  of: ({ of }) => of,
  position: ({ position }) => codeCell("marketPositions", position),
  median: ({ medianCents }, exponent) => amountCell(medianCents, exponent),
  average: ({ averageCents }, exponent) => amountCell(averageCents, exponent),
  index: ({ indexPct }) => indexPct,
  newestAt: ({ newestAt }) => momentCell(newestAt),
  margin: ({ marginPct }) => marginPct,
  proposal: ({ proposal }, exponent) => amountCell(proposal?.proposedCents ?? null, exponent),
  proposalChange: ({ proposal }) => proposal?.changePct ?? null,
  rule: ({ rule }) => rule?.name ?? null,
  cheapestAt: ({ cheapestAt }) => momentCell(cheapestAt),
} satisfies { readonly [Name in ColumnName]?: MarketCell };

const MARKET_CELL_OF = new Map<string, MarketCell>(Object.entries(MARKET_CELLS));

export const DEFAULT_COLUMNS: readonly string[] = [...FIELD_OF.keys()];
export const PRODUCT_COLUMNS: readonly string[] = [...DEFAULT_COLUMNS, ...MARKET_CELL_OF.keys()];

function productHeading(language: Language, column: string): string {
  const field = FIELD_OF.get(column);
  if (field !== undefined) return PRODUCT_FIELDS[field].label[language];
  return isColumnName(column) ? COLUMN_WORDS[language][column] : column;
}

function csvOf(name: FieldName) {
  return PRODUCT_FIELDS[name].csv;
}

export function productCells(
  { product, market }: ProductRow,
  columns: readonly string[],
): Cell[] {
  const exponent = exponentOf(product.currency);
  return columns.map((column) => {
    const field = FIELD_OF.get(column);
    if (field !== undefined) return fieldOf(product, field, exponent);
    return market && (MARKET_CELL_OF.get(column)?.(market, exponent) ?? null);
  });
}

function fieldOf(product: Product, name: FieldName, exponent: number): Cell {
  if (name === "condition") return codeCell("conditions", product.condition);
  const value = product[name];
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  if (typeof value === "number" && csvOf(name) === "amount") return amountCell(value, exponent);
  return typeof value === "string" && MOMENTS.has(name) ? momentCell(value) : value;
}
