/** Lists products in ascending order of ids (docs/decisions/keys.md). */
import { firstOf, mergeSorted } from "../../base/collections.ts";
import type { Context } from "../../platform/store/context.ts";
import { listHeld } from "../products/hold_store.ts";
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
import { parseProduct } from "../products/product.ts";
import { countActiveProducts } from "../products/version_counter_store.ts";
import type { CatalogueCache } from "./catalogue_cache.ts";
import { matchingIds } from "./field_cache.ts";
import {
  asksFields,
  isNoFilter,
  needsDocument,
  type ProductFilter,
  productTest,
} from "./product_filter.ts";
import { SEARCHED_PRODUCTS_MAX } from "./search_cache.ts";
import type { HitKind } from "./search_text.ts";

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
  const fields = asksFields(filter) ? await cache.fields.read(ctx) : null;
  const held = filter.isHeld ? await listHeld(ctx, ctx.now().getTime()) : null;
  const ways: IdsAfter[] = [];
  if (held) ways.push((after) => held.filter((id) => after === null || id > after));
  if (found) ways.push((after) => found.idsAfter(after, request.hits));
  if (fields) ways.push((after) => matchingIds(fields, filter, after));
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
