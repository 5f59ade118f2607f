/**
 * Reads and lists observations of a product or shop. A job packs old observations into blocks.
 * Blocks are read last, so that an observation that is packed meanwhile is not missed. The first
 * page of a list fixes the end of the list, so that new observations do not shift later pages.
 */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { pagesOf } from "../../platform/store/rows.ts";
import {
  comparePositions,
  type Observation,
  type ObservationDocument,
  ORDERS,
  packLimitMs,
  type PlacedObservation,
  type Position,
  positionText,
  type Stretch,
  toObservationDocument,
  withoutTwins,
} from "./observation.ts";
import {
  type CompetitorEntry,
  findObservations,
  listLoose,
  listObservedCompetitors,
} from "./observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlockOf,
  listPacked,
  type Owner,
  PRODUCT_PACK,
} from "./pack_store.ts";
import { productsById } from "../../catalogue/products/product_store.ts";
import { z } from "@hono/zod-openapi";
import { AHEAD_MS_MAX, DAY_MS, parseBound } from "../../base/time.ts";
import { refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { batchesOf, firstOf, mergeSorted } from "../../base/collections.ts";
import { normaliseSku } from "../../base/text.ts";
import { findIndexRow } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { BoundText, openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import { competitorsById, leavingCompetitors } from "../competitor_store.ts";
import {
  findMatchesAt,
  findMatchPlace,
  findMatchPlaces,
  findRemovedMatch,
  type RemovedMatch,
  removedMatches,
} from "../matches/match_store.ts";

type Reader = WorkspaceStore & Pick<Context, "now">;

export function ofProduct(ownerId: string): Owner<PlacedObservation> {
  return { pack: PRODUCT_PACK, ownerId };
}

export function ofCompetitor(ownerId: string): Owner<CompetitorEntry> {
  return { pack: COMPETITOR_PACK, ownerId };
}

type Walk = Omit<Stretch, "after"> & Partial<Stretch>;

export function ownedPages<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  { after: start = null, ...stretch }: Walk,
  size: number,
): AsyncGenerator<readonly T[]> {
  const read = (after: Position | null, limit: number) =>
    readOwned(reader, owner, { ...stretch, after }, limit);
  return pagesOf(read, (row): Position => row, size, start);
}

/** Fewer than `limit` rows mean that the end of the range is reached. */
export async function readOwned<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  stretch: Stretch,
  limit: number,
): Promise<T[]> {
  const loose = await listLoose(reader, owner.pack.loose, owner.ownerId, stretch, limit);
  const last = loose.length < limit ? undefined : loose.at(-1);
  const end = stretch.order === "asc" ? "toMs" : "fromMs";
  const covered = last ? { ...stretch, [end]: last.atMs } : stretch;
  // Search one more day, because a process whose clock is ahead may have packed newer observations.
  const toMs = Math.min(covered.toMs, packLimitMs(reader.now()) + DAY_MS);
  const packed = toMs < covered.fromMs
    ? []
    : await listPacked(reader, owner, { ...covered, toMs }, limit);
  return mergeLists(loose, packed, stretch, limit);
}

function mergeLists<T extends Position>(
  first: readonly T[],
  second: readonly T[],
  { order }: Stretch,
  limit: number,
): T[] {
  if (second.length === 0) return first.slice(0, limit);
  const sign = order === "asc" ? 1 : -1;
  const sorted = [...first, ...second].sort((a, b) => sign * comparePositions(a, b));
  return withoutTwins(sorted).slice(0, limit);
}

/** A cursor contains the last listed observation and the end of the list. */
const Place = z.tuple([z.number(), z.string(), z.number()]);

export async function listObservations(
  ctx: Context,
  query: ObservationQuery,
): Promise<Page<ObservationDocument>> {
  const { limit, cursor, order } = query;
  const range = rangeOf(query);
  const start = openCursor(ctx, cursor, Place);
  const readRows = await findReader(ctx, query);
  const toMs = start?.[2] ?? await fixEnd(ctx, readRows, { ...range, order, after: null });
  const after = start && { atMs: start[0], id: start[1] };
  const stretch = { ...range, toMs, order, after };
  const rows = await readRows(stretch, limit + 1);
  const positionOf = ({ atMs, id }: Position) => [atMs, id, toMs];
  const page = toPage(ctx, { rows, limit, positionOf });
  return { ...page, items: await nameObservations(ctx, page.items) };
}

type ReadRows = (stretch: Stretch, wanted: number) => Promise<PlacedObservation[]>;

async function findReader(ctx: Context, query: ObservationQuery): Promise<ReadRows> {
  const { productId, sku, competitorId, competitorProductId } = query;
  const productIds = new Set<string | null>();
  if (productId) productIds.add(productId);
  if (sku) productIds.add(await productOfSku(ctx, sku));
  if (competitorProductId) productIds.add(await productOfMatch(ctx, competitorProductId));
  const [id = null] = productIds;
  const isVain = productIds.size > 1 || (productIds.size === 1 && (id === null || !isId(id))) ||
    (competitorId ? !isId(competitorId) : false);
  if (isVain) return () => Promise.resolve([]);
  if (id === null) {
    const ids = competitorId ? [competitorId] : await listObservedCompetitors(ctx);
    return (stretch, wanted) => firstOf(walkShops(ctx, ids, stretch, wanted), wanted);
  }
  const fits = ({ observation }: PlacedObservation) =>
    (!competitorId || observation.competitorId === competitorId) &&
    (!competitorProductId || observation.matchId === competitorProductId);
  return (stretch, wanted) =>
    firstOf(flat(ownedPages(ctx, ofProduct(id), stretch, wanted)), wanted, fits);
}

async function productOfSku(workspace: WorkspaceStore, text: string): Promise<string | null> {
  const sku = normaliseSku(text);
  if (skuError(sku) !== null) return null;
  return (await findIndexRow(workspace, sku))?.id ?? null;
}

async function productOfMatch(workspace: WorkspaceStore, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const place = await findMatchPlace(workspace, id);
  return place?.productId ?? (await findRemovedMatch(workspace, id))?.match.productId ?? null;
}

async function fixEnd(ctx: Context, readRows: ReadRows, stretch: Stretch): Promise<number> {
  const nowMs = ctx.now().getTime();
  const aheadMs = Math.min(stretch.toMs, nowMs + AHEAD_MS_MAX);
  if (stretch.order === "desc" || aheadMs <= nowMs) return aheadMs;
  const ahead: Stretch = { fromMs: nowMs + 1, toMs: aheadMs, order: "desc", after: null };
  const [newest] = await readRows(ahead, 1);
  return newest?.atMs ?? nowMs;
}

async function* flat<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

async function* walkShops(
  reader: WorkspaceStore & Pick<Context, "now">,
  competitorIds: readonly string[],
  stretch: Stretch,
  wanted: number,
): AsyncGenerator<PlacedObservation> {
  const size = Math.ceil(wanted / Math.max(1, competitorIds.length)) + 1;
  const walks = competitorIds.map((id) =>
    flat(ownedPages(reader, ofCompetitor(id), stretch, size))
  );
  const entries = mergeSorted(walks, positionText, stretch.order);
  for await (const batch of batchesOf(entries, wanted)) {
    const loose = await findObservations(reader, batch);
    const blocks = new Map<string, readonly PlacedObservation[]>();
    for (const [n, entry] of batch.entries()) {
      const observation = loose[n] ?? await findPacked(reader, entry, blocks);
      if (observation) yield { atMs: entry.atMs, id: entry.id, observation };
    }
  }
}

async function findPacked(
  workspace: WorkspaceStore,
  entry: CompetitorEntry,
  blocks: Map<string, readonly PlacedObservation[]>,
): Promise<Observation | null> {
  const { productId } = entry;
  const findIn = (rows: readonly PlacedObservation[] = []) =>
    rows.find((row) => comparePositions(row, entry) === 0)?.observation ?? null;
  const known = findIn(blocks.get(productId));
  if (known) return known;
  const { rows = [] } = await findBlockOf(workspace, ofProduct(productId), entry) ?? {};
  blocks.set(productId, rows);
  return findIn(rows);
}

async function nameObservations(
  workspace: WorkspaceStore,
  placed: readonly PlacedObservation[],
): Promise<ObservationDocument[]> {
  const observations = placed.map(({ observation }) => observation);
  const productIds = [...new Set(observations.map(({ productId }) => productId))];
  // Read links last, because removed links contain the name of a shop that is deleted meanwhile.
  const shops = await competitorsById(workspace);
  const leaving = await leavingCompetitors.list(workspace);
  const leavingById = new Map(leaving.map(({ row }) => [row.id, row]));
  const skus = await findSkus(workspace, productIds);
  const links = await findLinks(workspace, new Set(observations.map(({ matchId }) => matchId)));
  return placed.map((one) => {
    const { productId, matchId, competitorId } = one.observation;
    const sku = skus.get(productId);
    const { match, competitor } = links.get(matchId) ?? {};
    const shop = shops.get(competitorId) ?? leavingById.get(competitorId) ?? competitor;
    if (sku === undefined || !match || !shop) {
      throw new Error(`The observation ${one.id} has lost its product, match or competitor`);
    }
    const { displayName, domain } = shop;
    return toObservationDocument(one, { sku, url: match.url, competitor: displayName, domain });
  });
}

export async function findSkus(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const products = await productsById(workspace, productIds);
  return new Map([...products].map(([id, { sku }]) => [id, sku]));
}

type NamedLink = Pick<RemovedMatch, "match"> & Partial<RemovedMatch>;

async function findLinks(
  workspace: WorkspaceStore,
  ids: ReadonlySet<string>,
): Promise<Map<string, NamedLink>> {
  const found = new Map<string, NamedLink>();
  // Search twice, because a search misses a link whose URL changes meanwhile.
  for (let looks = 0; looks < 2 && found.size < ids.size; looks++) {
    const left = [...ids.difference(found)];
    const places = await findMatchPlaces(workspace, left);
    for (const { match } of await findMatchesAt(workspace, places)) found.set(match.id, { match });
    const keys = left.filter((id) => !found.has(id)).map((id) => ({ id }));
    for (const removed of await removedMatches.getMany(workspace, keys)) {
      if (removed) found.set(removed.row.id, removed.row);
    }
  }
  return found;
}

export const ObservationQuery = z.strictObject({
  productId: z.string().optional(),
  sku: z.string().optional(),
  competitorId: z.string().optional(),
  competitorProductId: z.string().optional(),
  from: BoundText,
  to: BoundText,
  order: z.enum(ORDERS).default("desc").describe("`desc`: newest first"),
  ...pageQuery(100, 500),
});
export type ObservationQuery = z.output<typeof ObservationQuery>;

function rangeOf(
  { from, to }: Pick<ObservationQuery, "from" | "to">,
): { fromMs: number; toMs: number } {
  const fromMs = Math.max(0, from ? parseBound(from, "start") ?? 0 : 0);
  const toMs = to ? parseBound(to, "end") ?? Infinity : Infinity;
  if (from && to && toMs < (parseBound(from, "start") ?? 0)) {
    throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  }
  return { fromMs, toMs };
}
