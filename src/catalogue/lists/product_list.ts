/**
 * Lists the products that match all filters, in ascending order of ids (docs/decisions/keys.md,
 * catalogue.md). Active products are filtered in the catalogue's cache, deleted products by reading
 * their documents. A filter by SKU reads only the product with this SKU.
 */
import { batchesOf, firstOf, fromKeys, mergeSorted } from "../../base/collections.ts";
import type { Context } from "../../platform/store/context.ts";
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
import {
  type CatalogueCache,
  codeBooks,
  type HitKind,
  matchingIds,
  partOf,
  productSearchOf,
  rowsOf,
} from "./catalogue_cache.ts";
import { parseProduct } from "../products/product.ts";
import { fold, normaliseSku, searchQuery } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/http.ts";
import {
  type FieldFilter,
  FILTERED_NAMES,
  type FilteredName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
import { matchOf, oneLine } from "../products/product_fields.ts";
import { z } from "@hono/zod-openapi";

type ListContext = Pick<Context, "store" | "workspaceId" | "now">;

interface ListRequest {
  readonly filter: ProductFilter;
  readonly includeDeleted: boolean;
  readonly after: string | null;
  readonly limit: number;
  readonly hits?: HitKind;
}

/** A ranked list begins with the products whose SKU, EAN or MPN begins with `q`. */
export function isRanked(
  { filter: { q, sku }, includeDeleted }: Pick<ListRequest, "filter" | "includeDeleted">,
): boolean {
  return q !== null && sku === null && !includeDeleted;
}

export async function listProducts(
  ctx: ListContext,
  cache: CatalogueCache,
  request: ListRequest,
): Promise<StoredDocument[]> {
  const { filter, includeDeleted, after, limit } = request;
  if (isNoFilter(filter) && !includeDeleted) return await listDocuments(ctx, after, limit);
  return await firstOf(walkProducts(ctx, cache, request), limit);
}

const ROWS_PER_READ = 200;

export async function* walkProducts(
  ctx: ListContext,
  cache: CatalogueCache,
  request: ListRequest,
): AsyncGenerator<StoredDocument> {
  const { filter, includeDeleted } = request;
  if (filter.sku !== null) return yield* findBySku(ctx, request, filter.sku);
  const active = isNoFilter(filter)
    ? scan(ctx, request, listDocuments)
    : walkMatching(ctx, cache, request);
  if (!includeDeleted) return yield* active;
  const deleted = scan(ctx, request, listDeletedDocuments);
  let last: string | null = null;
  for await (const document of mergeSorted([active, deleted], ({ id }) => id)) {
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
  const find = indexRow.isDeleted ? findDeletedDocument : findDocument;
  const document = await find(ctx, indexRow.id);
  // The product may have got another SKU since the index row was read.
  if (document === null || parseProduct(document.bytes).sku !== sku) return;
  const rest = { ...filter, sku: null };
  yield* isNoFilter(rest) ? [document] : fitting(queryOf(ctx, rest, "all"), [document]);
}

async function* scan(
  ctx: ListContext,
  { filter, limit, after }: ListRequest,
  list: typeof listDocuments,
): AsyncGenerator<StoredDocument> {
  const query = isNoFilter(filter) ? null : queryOf(ctx, filter, "all");
  const size = query === null ? limit : ROWS_PER_READ;
  for await (const documents of documentPages(ctx, list, size, after)) {
    yield* query === null ? documents : fitting(query, documents);
  }
}

async function* walkMatching(
  ctx: ListContext,
  cache: CatalogueCache,
  { filter, limit, after, hits }: ListRequest,
): AsyncGenerator<StoredDocument> {
  const ids = await findMatchingIds(ctx, cache, filter, { after, ...hits && { hits } });
  for await (const batch of batchesOf(ids, Math.min(limit, 500))) {
    yield* await findDocuments(ctx, batch);
  }
}

export async function findMatchingIds(
  ctx: ListContext,
  cache: CatalogueCache,
  filter: ProductFilter,
  { after = null, hits = "all" }: { readonly after?: string | null; readonly hits?: HitKind } = {},
): Promise<Iterable<string>> {
  const { sku } = filter;
  if (sku !== null) {
    const request = { filter, includeDeleted: false, after, limit: 1 };
    return await Array.fromAsync(findBySku(ctx, request, sku), ({ id }) => id);
  }
  const query = queryOf(ctx, filter, hits);
  return matchingIds(await cache.read(ctx), query, after);
}

function queryOf(ctx: ListContext, filter: ProductFilter, kind: HitKind) {
  const { q, updatedSinceMs, isHeld } = filter;
  return {
    tests: FILTERED_NAMES.flatMap((name, position) => {
      const wanted = filter[name];
      return wanted === null ? [] : [{ position, fits: valueTest(matchOf(name), wanted) }];
    }),
    sinceMs: updatedSinceMs ?? -Infinity,
    search: q === null ? null : productSearchOf(q),
    kind,
    held: isHeld === null ? null : { atMs: ctx.now().getTime(), isWanted: isHeld },
  };
}

function fitting(
  query: ReturnType<typeof queryOf>,
  documents: readonly StoredDocument[],
): readonly StoredDocument[] {
  const part = partOf(rowsOf(documents), codeBooks());
  const ids = new Set(matchingIds([part], query, null));
  return documents.filter(({ id }) => ids.has(id));
}

export interface ProductFilter extends Readonly<Record<FilteredName, string | null>> {
  readonly sku: string | null;
  readonly q: string | null;
  readonly updatedSinceMs: number | null;
  readonly isHeld: boolean | null;
}

const filterText = z.string().max(1_000).optional();

/** An empty text or time means no filter (docs/decisions/http.md). */
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

function comparedOrNull(name: FilteredName, text: string | undefined): string | null {
  const given = oneLine(text ?? "");
  return (matchOf(name) === "contains" ? fold(given) : given) || null;
}

export function isNoFilter(filter: ProductFilter): boolean {
  return Object.values(filter).every((part) => part === null);
}

function valueTest(match: FieldFilter["match"], wanted: string): (value: string) => boolean {
  return match === "contains" ? (value) => value.includes(wanted) : (value) => value === wanted;
}
