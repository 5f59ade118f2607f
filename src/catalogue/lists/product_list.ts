/**
 * Lists the products that match all filters, in ascending order of ids (docs/decisions/keys.md,
 * catalogue.md). Caches of fields and search texts find the ids of these products. Documents are
 * examined only for filters that no cache answers.
 */
import { firstOf, fromKeys, mergeSorted } from "../../base/collections.ts";
import type { Context } from "../../platform/store/context.ts";
import { countActiveProducts, listHeld } from "../products/change_log_store.ts";
import { findIndexRow } from "../products/index_row_store.ts";
import {
  documentPages,
  findDeletedDocument,
  findDocument,
  findDocuments,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "../products/product_store.ts";
import { holdEndMs, parseProduct, type Product } from "../products/product.ts";
import { type CatalogueCache, SEARCHED_PRODUCTS_MAX } from "./catalogue_cache.ts";
import { comparedValue, type FieldQuery, matchingIds, matchOf } from "./field_cache.ts";
import { type HitKind, isFound, productSearchOf } from "./search_text.ts";
import { searchQuery } from "../../base/search_words.ts";
import { fold, normaliseSku } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/http.ts";
import {
  type FieldFilter,
  FILTERED_NAMES,
  type FilteredName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
import { oneLine } from "../products/product_fields.ts";
import { z } from "@hono/zod-openapi";

type ListContext = Pick<Context, "store" | "workspaceId" | "now">;

interface ListRequest {
  readonly filter: ProductFilter;
  readonly includeDeleted: boolean;
  readonly after: string | null;
  readonly limit: number;
  /** Absent for all results. Requires `isRanked`. */
  readonly hits?: HitKind;
}

/** True if products whose SKU, EAN or MPN begins with `q` come first in the list. */
export async function isRanked(
  ctx: ListContext,
  { filter: { q, sku }, includeDeleted }: Pick<ListRequest, "filter" | "includeDeleted">,
): Promise<boolean> {
  return q !== null && sku === null && !includeDeleted &&
    await countActiveProducts(ctx) <= SEARCHED_PRODUCTS_MAX;
}

export async function listProducts(
  ctx: ListContext,
  cache: CatalogueCache,
  request: ListRequest,
): Promise<StoredDocument[]> {
  const isPlain = isNoFilter(request.filter) && !request.includeDeleted;
  return isPlain
    ? await listDocuments(ctx, request.after, request.limit)
    : await firstOf(walkProducts(ctx, cache, request), request.limit);
}

/** Products with ids above `after`. */
export async function* walkProducts(
  ctx: ListContext,
  cache: CatalogueCache,
  request: ListRequest,
): AsyncGenerator<StoredDocument> {
  const { filter } = request;
  if (filter.sku !== null) return yield* findBySku(ctx, request, filter.sku);
  const active = await chooseWay(ctx, cache, request);
  if (!request.includeDeleted) return yield* active;
  const deleted = scan(ctx, request, listDeletedDocuments);
  let last: string | null = null;
  for await (const document of mergeSorted([active, deleted], ({ id }) => id)) {
    // A product that is deleted during the walk may be in both tables.
    if (document.id !== last) yield document;
    last = document.id;
  }
}

async function* findBySku(
  ctx: ListContext,
  { filter, after, includeDeleted }: ListRequest,
  sku: string,
): AsyncGenerator<StoredDocument> {
  const indexRow = await findIndexRow(ctx, sku);
  if (indexRow === null || (indexRow.isDeleted && !includeDeleted)) return;
  if (after !== null && indexRow.id <= after) return;
  const document = await (indexRow.isDeleted ? findDeletedDocument : findDocument)(
    ctx,
    indexRow.id,
  );
  const nowMs = ctx.now().getTime();
  if (document && productTest(filter, nowMs)(parseProduct(document.bytes))) yield document;
}

async function chooseWay(
  ctx: ListContext,
  cache: CatalogueCache,
  request: ListRequest,
): Promise<AsyncGenerator<StoredDocument>> {
  const { filter } = request;
  const total = filter.q === null ? 0 : await countActiveProducts(ctx);
  const found = filter.q !== null && total <= SEARCHED_PRODUCTS_MAX
    ? await cache.searches.find(ctx, filter.q)
    : null;
  const query = fieldQueryOf(filter);
  const asksFields = query.tests.length > 0 || filter.updatedSinceMs !== null;
  const fields = asksFields ? await cache.fields.read(ctx) : null;
  const held = filter.isHeld ? await listHeld(ctx, ctx.now().getTime()) : null;
  const ways: IdsAfter[] = [];
  if (held) ways.push((after) => held.filter((id) => after === null || id > after));
  if (found) ways.push((after) => found.idsAfter(after, request.hits));
  if (fields) ways.push((after) => matchingIds(fields, query, after));
  if (ways.length === 0) return scan(ctx, request, listDocuments);
  return byIds(ctx, request, (after) => ways.map((idsAfter) => idsAfter(after)).reduce(inBoth));
}

type IdsAfter = (after: string | null) => Iterable<string>;

function* inBoth(one: Iterable<string>, other: Iterable<string>): Generator<string> {
  const rest = Iterator.from(other);
  let head = rest.next();
  for (const id of one) {
    while (!head.done && head.value < id) head = rest.next();
    if (head.done) return;
    if (head.value === id) yield id;
  }
}

const SCAN_ROWS = 200;

async function* scan(
  ctx: ListContext,
  { filter, limit, after }: ListRequest,
  list: typeof listDocuments,
): AsyncGenerator<StoredDocument> {
  const isAll = isNoFilter(filter);
  const size = isAll ? limit : SCAN_ROWS;
  for await (const documents of documentPages(ctx, list, size, after)) {
    yield* isAll ? documents : judged(ctx, filter, documents);
  }
}

/** Omits deleted products. */
async function* byIds(
  ctx: ListContext,
  { filter, limit, after }: Pick<ListRequest, "filter" | "limit" | "after">,
  idsAfter: IdsAfter,
): AsyncGenerator<StoredDocument> {
  const size = Math.min(limit, 500);
  const matching = async (wanted: readonly string[]) => {
    const documents = await findDocuments(ctx, wanted);
    return needsDocument(filter) ? judged(ctx, filter, documents) : documents;
  };
  let ids: string[] = [];
  for (const id of idsAfter(after)) {
    if (ids.push(id) < size) continue;
    yield* await matching(ids);
    ids = [];
  }
  yield* await matching(ids);
}

function judged(
  ctx: ListContext,
  filter: ProductFilter,
  documents: readonly StoredDocument[],
): StoredDocument[] {
  const fits = productTest(filter, ctx.now().getTime());
  return documents.filter(({ bytes }) => fits(parseProduct(bytes)));
}

/** A filter that is not set is null. */
export interface ProductFilter extends Readonly<Record<FilteredName, string | null>> {
  readonly sku: string | null;
  /** Parsed by `searchQuery`. All words must occur in SKU, EAN, MPN or title. */
  readonly q: string | null;
  readonly updatedSinceMs: number | null;
  readonly isHeld: boolean | null;
}

const filterText = z.string().max(1_000).optional();

/** An empty text means no filter (docs/decisions/http.md). */
export const FILTER_SHAPE = {
  ...fromKeys(FILTERED_NAMES, fieldFilterText),
  sku: filterText.describe("The exact SKU"),
  q: filterText.describe("All its words are in SKU, EAN, MPN or title, in any order and spelling"),
  updatedSince: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Changed at this time or later",
  }),
  isHeld: z.enum(["true", "false"]).transform((text) => text === "true").optional()
    .meta({ type: "boolean", description: "`heldUntil` is in the future" }),
};

function fieldFilterText(name: FilteredName) {
  const { match, example }: FieldFilter = PRODUCT_FIELDS[name].filter;
  if (match === "positive") {
    return z.enum(["true", "false"]).optional()
      .meta({ type: "boolean", description: "True: known and above 0; false: unknown or 0" });
  }
  const description = match === "contains" ? "Contains, in any case" : "Exactly";
  return filterText.meta({ description, ...(example !== undefined && { example }) });
}

export type FilterTexts = z.infer<z.ZodObject<typeof FILTER_SHAPE>>;

export function filterOf(texts: FilterTexts): ProductFilter {
  return {
    ...fromKeys(FILTERED_NAMES, (name) => comparedOrNull(name, texts[name])),
    sku: normaliseSku(texts.sku ?? "") || null,
    q: searchQuery(texts.q ?? ""),
    updatedSinceMs: texts.updatedSince ? parseBound(texts.updatedSince, "start") : null,
    isHeld: texts.isHeld ?? null,
  };
}

/** Null if the text is empty. */
function comparedOrNull(name: FilteredName, text: string | undefined): string | null {
  const given = oneLine(text ?? "");
  return (matchOf(name) === "contains" ? fold(given) : given) || null;
}

export function isNoFilter(filter: ProductFilter): boolean {
  return Object.values(filter).every((part) => part === null);
}

/** In the order of the columns of the field cache. */
const FIELD_FILTERS = FILTERED_NAMES.map((name) => ({ name, match: matchOf(name) }));

export function fieldQueryOf(filter: ProductFilter): FieldQuery {
  const tests = FIELD_FILTERS.flatMap(({ name, match }, position) => {
    const wanted = filter[name];
    if (wanted === null) return [];
    const fits = match === "contains"
      ? (value: string) => value.includes(wanted)
      : (value: string) => value === wanted;
    return [{ position, fits }];
  });
  return { tests, sinceMs: filter.updatedSinceMs ?? -Infinity };
}

/** True if the filter needs a field that the field cache lacks. */
export function needsDocument(filter: ProductFilter): boolean {
  return filter.sku !== null || filter.q !== null || filter.isHeld !== null;
}

export function productTest(filter: ProductFilter, nowMs: number): (product: Product) => boolean {
  const { sku, updatedSinceMs, q, isHeld } = filter;
  const search = q === null ? null : productSearchOf(q);
  return (product) =>
    (sku === null || sku === product.sku) &&
    (updatedSinceMs === null || Date.parse(product.updatedAt) >= updatedSinceMs) &&
    fitsEachField(filter, product) &&
    (isHeld === null || isHeld === (holdEndMs(product) ?? 0) > nowMs) &&
    (search === null || isFound(search, product));
}

function fitsEachField(filter: ProductFilter, product: Product): boolean {
  for (const { name, match } of FIELD_FILTERS) {
    const wanted = filter[name];
    if (wanted === null) continue;
    const value = comparedValue(product[name], match);
    if (match === "contains" ? !value?.includes(wanted) : value !== wanted) return false;
  }
  return true;
}
