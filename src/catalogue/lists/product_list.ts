/** Lists of products: chooses a way through the store for a filter, and walks it in id order. */
import type { Context } from "../../platform/store/context.ts";
import type { CatalogueMemory } from "./catalogue_memory.ts";
import {
  type Candidates,
  type IdsPlan,
  type IndexPlan,
  matchValues,
  type Plan,
  planFilter,
} from "./filter_plan.ts";
import { mergeRanges } from "./merge_ranges.ts";
import {
  fits,
  fitsFields,
  isNoFilter,
  needsDocument,
  type ProductFilter,
} from "./product_filter.ts";
import { listIndexRows, listUpdatedIds } from "../products/product_index_store.ts";
import { findCard } from "../products/card_store.ts";
import {
  findDeletedDocument,
  findDocument,
  findDocuments,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "../products/product_store.ts";
import { parseProduct } from "../products/product_wire.ts";
import { SEARCHED_PRODUCTS_MAX } from "./search_memory.ts";

/** Changed products are listed before they are looked at: more of them are not worth it. */
const UPDATED_MAX = 5_000;

export type ListContext = Pick<Context, "store" | "workspaceId" | "now">;

export interface ListRequest {
  readonly filter: ProductFilter;
  /** Soft-deleted products too. */
  readonly includeDeleted: boolean;
  /** The last id of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The next products by id, `limit` of them unless the list ends before. */
export async function listProducts(
  ctx: ListContext,
  memory: CatalogueMemory,
  request: ListRequest,
): Promise<StoredDocument[]> {
  const isPlain = isNoFilter(request.filter) && !request.includeDeleted;
  return isPlain
    ? await listDocuments(ctx, request.after, request.limit)
    : await take(walkProducts(ctx, memory, request), request.limit);
}

async function take<T>(items: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

/** Every product that fits, after `after`; `limit` says how many are probably wanted. */
export async function* walkProducts(
  ctx: ListContext,
  memory: CatalogueMemory,
  request: ListRequest,
): AsyncGenerator<StoredDocument> {
  const { filter } = request;
  if (filter.sku !== null) return yield* findBySku(ctx, request, filter.sku);
  const active = walkActive(ctx, memory, request);
  if (!request.includeDeleted) return yield* active;
  yield* mergeById(active, scan(ctx, request, listDeletedDocuments));
}

/** Most products may have changed since then: looking at a few costs less than listing all that have. */
async function* walkActive(
  ctx: ListContext,
  memory: CatalogueMemory,
  request: ListRequest,
): AsyncGenerator<StoredDocument> {
  const { filter, limit } = request;
  if (filter.updatedSinceMs === null) return yield* await chooseWay(ctx, memory, request);
  const { after, isEnded } = yield* scanSome(ctx, request, limit * HOPEFUL_DOCUMENTS);
  if (!isEnded) yield* await chooseWay(ctx, memory, { ...request, after });
}

/** Documents per wanted one. */
const HOPEFUL_DOCUMENTS = 4;

async function* findBySku(
  ctx: ListContext,
  { filter, after, includeDeleted }: ListRequest,
  sku: string,
): AsyncGenerator<StoredDocument> {
  const card = await findCard(ctx, sku);
  if (card === null || (card.isDeleted && !includeDeleted)) return;
  if (after !== null && card.id <= after) return;
  const document = await (card.isDeleted ? findDeletedDocument : findDocument)(ctx, card.id);
  if (document && fits(filter, parseProduct(document.bytes))) yield document;
}

async function chooseWay(
  ctx: ListContext,
  memory: CatalogueMemory,
  request: ListRequest,
): Promise<AsyncGenerator<StoredDocument>> {
  const { filter, limit } = request;
  if (isNoFilter(filter)) return scan(ctx, request, listDocuments);
  const dictionary = await memory.dictionaries.read(ctx);
  const { total } = dictionary;
  const filters = matchValues(dictionary, filter);
  const candidates = await fewestCandidates(ctx, memory, filter, total);
  const plan = planFilter({ filters, candidates, total, limit });
  return plan ? byPlan(ctx, request, plan) : scan(ctx, request, listDocuments);
}

/** What `q` or `updatedSince` leave, whichever is less; null when both leave too many to be listed. */
async function fewestCandidates(
  ctx: ListContext,
  memory: CatalogueMemory,
  { q, updatedSinceMs }: ProductFilter,
  total: number,
): Promise<Candidates | null> {
  const found = q !== null && total <= SEARCHED_PRODUCTS_MAX
    ? await memory.searches.find(ctx, q)
    : null;
  const updated = updatedSinceMs === null ? null : await updatedCandidates(ctx, updatedSinceMs);
  return found && updated ? found.count < updated.count ? found : updated : found ?? updated;
}

async function updatedCandidates(ctx: ListContext, sinceMs: number): Promise<Candidates | null> {
  const updated = await listUpdatedIds(ctx, sinceMs, UPDATED_MAX + 1);
  if (updated.length > UPDATED_MAX) return null;
  const ids = [...new Set(updated)].sort();
  return {
    count: ids.length,
    idsAfter: (after) => after === null ? ids : ids.filter((id) => id > after),
  };
}

/** Walks by a plan; exported so that every plan can be proven to give the same products. */
export async function* byPlan(
  ctx: ListContext,
  request: ListRequest,
  plan: Plan,
): AsyncGenerator<StoredDocument> {
  if (plan.kind === "index") return yield* byIndex(ctx, request, plan);
  if (plan.kind === "ids") return yield* byIds(ctx, request, plan);
  const { after, isEnded } = yield* scanSome(ctx, request, plan.documentsMax);
  if (!isEnded) yield* byPlan(ctx, { ...request, after }, plan.otherwise);
}

const SCAN_ROWS = 200;

/** What fits among the next documents, about `documentsMax`, and where it stopped. */
async function* scanSome(
  ctx: ListContext,
  request: ListRequest,
  documentsMax: number,
  list: typeof listDocuments = listDocuments,
): AsyncGenerator<StoredDocument, { after: string | null; isEnded: boolean }> {
  const { filter } = request;
  const isAll = isNoFilter(filter);
  const size = isAll ? request.limit : Math.min(SCAN_ROWS, documentsMax);
  let { after } = request;
  for (let read = 0; read < documentsMax;) {
    const documents = await list(ctx, after, size);
    yield* isAll
      ? documents
      : documents.filter((document) => fits(filter, parseProduct(document.bytes)));
    read += documents.length;
    after = documents.at(-1)?.id ?? after;
    if (documents.length < size) return { after, isEnded: true };
  }
  return { after, isEnded: false };
}

async function* scan(
  ctx: ListContext,
  request: ListRequest,
  list: typeof listDocuments,
): AsyncGenerator<StoredDocument> {
  yield* scanSome(ctx, request, Infinity, list);
}

async function* byIndex(
  ctx: ListContext,
  request: ListRequest,
  { driver, rowsExpected, among }: IndexPlan,
): AsyncGenerator<StoredDocument> {
  const { filter, after } = request;
  const readers = driver.values.map(({ value, count }) => {
    const share = driver.count > 0 ? count / driver.count : 0;
    let last = after;
    return {
      firstLimit: Math.min(rowsExpected * share * 1.3, count) + 1,
      async read(limit: number) {
        const rows = await listIndexRows(ctx, driver.dimension, value, last, limit);
        last = rows.at(-1)?.id ?? last;
        return rows;
      },
    };
  });
  const isAmong = among ? memberTest(among.idsAfter(after)) : () => true;
  let ids: string[] = [];
  for await (const { id, fields } of mergeRanges(readers)) {
    if (!fitsFields(filter, fields) || !isAmong(id)) continue;
    ids.push(id);
    if (ids.length < request.limit) continue;
    yield* judged(ctx, filter, ids);
    ids = [];
  }
  yield* judged(ctx, filter, ids);
}

/** Tells of ids in ascending order whether they are among `members`, which ascend, too. */
function memberTest(members: Iterable<string>): (id: string) => boolean {
  const iterator = Iterator.from(members);
  let head = iterator.next();
  return (id) => {
    while (!head.done && head.value < id) head = iterator.next();
    return !head.done && head.value === id;
  };
}

async function* byIds(
  ctx: ListContext,
  { filter, limit, after }: ListRequest,
  { candidates }: IdsPlan,
): AsyncGenerator<StoredDocument> {
  let ids: string[] = [];
  for (const id of candidates.idsAfter(after)) {
    if (ids.push(id) < limit) continue;
    yield* judged(ctx, filter, ids);
    ids = [];
  }
  yield* judged(ctx, filter, ids);
}

/** The documents of ids whose fields fit; those that are gone meanwhile are left out. */
async function* judged(
  ctx: ListContext,
  filter: ProductFilter,
  ids: readonly string[],
): AsyncGenerator<StoredDocument> {
  const documents = await findDocuments(ctx, ids);
  yield* needsDocument(filter)
    ? documents.filter((document) => fits(filter, parseProduct(document.bytes)))
    : documents;
}

async function* mergeById(
  left: AsyncGenerator<StoredDocument>,
  right: AsyncGenerator<StoredDocument>,
): AsyncGenerator<StoredDocument> {
  let [a, b] = await Promise.all([left.next(), right.next()]);
  while (!a.done || !b.done) {
    const isLeft = !a.done && (b.done || a.value.id <= b.value.id);
    if (isLeft && !a.done) {
      // A product that was deleted while both sides were read stands on both: it shows once.
      if (!b.done && b.value.id === a.value.id) b = await right.next();
      yield a.value;
      a = await left.next();
    } else if (!b.done) {
      yield b.value;
      b = await right.next();
    }
  }
}
