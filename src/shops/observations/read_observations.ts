/**
 * Reads and lists observations of a product or shop. A job packs old observations into blocks.
 * Blocks are read last, so that an observation that is packed meanwhile is not missed. The first
 * page of a list fixes the end of the list, so that new observations do not shift later pages.
 */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { pagesOf } from "../../platform/store/rows.ts";
import {
  comparePositions,
  mergeLists,
  type Observation,
  type ObservationDocument,
  ORDERS,
  packedBeforeMs,
  type PlacedObservation,
  type Position,
  positionText,
  type Stretch,
  toObservationDocument,
  upTo,
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
  type StoredBlock,
} from "./pack_store.ts";
import { productsById } from "../../catalogue/products/product_store.ts";
import { z } from "@hono/zod-openapi";
import { AHEAD_MS_MAX, parseBound } from "../../base/time.ts";
import { refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { batchesOf, firstOf, type JsonValue, mergeSorted } from "../../base/collections.ts";
import { normaliseSku } from "../../base/text.ts";
import { findIndexRow } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { BoundText, openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import { type Competitor, competitorsById, findLeaving } from "../competitor_store.ts";
import type { Match } from "../matches/match.ts";
import {
  findMatchAt,
  findMatchesAt,
  findMatchPlace,
  findRemovedMatch,
} from "../matches/match_store.ts";
import { findOffersOf } from "../offers/offer_store.ts";

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

/** A result of fewer than `limit` rows means the end of the range. */
export async function readOwned<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  stretch: Stretch,
  limit: number,
): Promise<T[]> {
  const loose = await listLoose(reader, owner.pack.loose, owner.ownerId, stretch, limit);
  const last = loose.length < limit ? undefined : loose.at(-1);
  const covered = last ? upTo(stretch, last) : stretch;
  const toMs = Math.min(covered.toMs, packedBeforeMs(reader.now()));
  const packed = toMs < covered.fromMs
    ? []
    : await listPacked(reader, owner, { ...covered, toMs }, limit);
  return mergeLists(loose, packed, stretch, limit);
}

export async function readEntries(
  workspace: WorkspaceStore,
  entries: readonly CompetitorEntry[],
): Promise<(Observation | null)[]> {
  const loose = await findObservations(workspace, entries);
  const found: (Observation | null)[] = [];
  const blocks = new Map<string, StoredBlock<PlacedObservation> | null>();
  for (const [position, entry] of entries.entries()) {
    found.push(loose[position] ?? await findPacked(workspace, entry, blocks));
  }
  return found;
}

async function findPacked(
  workspace: WorkspaceStore,
  entry: CompetitorEntry,
  blocks: Map<string, StoredBlock<PlacedObservation> | null>,
): Promise<Observation | null> {
  const isIt = (row: PlacedObservation) => comparePositions(row, entry) === 0;
  const kept = blocks.get(entry.productId)?.rows.find(isIt);
  if (kept) return kept.observation;
  const block = await findBlockOf(workspace, ofProduct(entry.productId), entry);
  blocks.set(entry.productId, block);
  return block?.rows.find(isIt)?.observation ?? null;
}

export async function listObservations(
  ctx: Context,
  query: ObservationQuery,
): Promise<Page<ObservationDocument>> {
  const { limit, cursor, order } = query;
  const range = rangeOf(query);
  const start = readStart(openCursor(ctx, cursor));
  const scope = await findScope(ctx, query);
  const toMs = start?.toMs ?? await fixEnd(ctx, scope, { ...range, order, after: null });
  const stretch = { ...range, toMs, order, after: start?.after ?? null };
  const rows = await readRows(ctx, scope, stretch, limit + 1);
  const positionOf = ({ atMs, id }: Position) => [atMs, id, toMs];
  const page = toPage(ctx, { rows, limit, positionOf });
  return { ...page, items: await nameObservations(ctx, page.items) };
}

function readStart(
  position: JsonValue | null,
): { readonly after: Position; readonly toMs: number } | null {
  if (!Array.isArray(position)) return null;
  const [atMs, id, toMs] = position;
  return { after: { atMs: Number(atMs), id: String(id) }, toMs: Number(toMs) };
}

type Scope =
  | { readonly by: "nothing" }
  | { readonly by: "product"; readonly productId: string; fits(row: PlacedObservation): boolean }
  | { readonly by: "competitors"; readonly ids: readonly string[] };

async function findScope(workspace: WorkspaceStore, query: ObservationQuery): Promise<Scope> {
  const { productId, sku, competitorId, competitorProductId } = query;
  const productIds = new Set<string | null>();
  if (productId) productIds.add(productId);
  if (sku) productIds.add(await productOfSku(workspace, sku));
  if (competitorProductId) productIds.add(await productOfMatch(workspace, competitorProductId));
  const [id = null] = productIds;
  const isVain = productIds.size > 1 || (productIds.size === 1 && (id === null || !isId(id))) ||
    (competitorId ? !isId(competitorId) : false);
  if (isVain) return { by: "nothing" };
  if (id === null) {
    const ids = competitorId ? [competitorId] : await listObservedCompetitors(workspace);
    return { by: "competitors", ids };
  }
  const fits = ({ observation }: PlacedObservation) =>
    (!competitorId || observation.competitorId === competitorId) &&
    (!competitorProductId || observation.matchId === competitorProductId);
  return { by: "product", productId: id, fits };
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

async function fixEnd(ctx: Context, scope: Scope, stretch: Stretch): Promise<number> {
  const nowMs = ctx.now().getTime();
  const aheadMs = Math.min(stretch.toMs, nowMs + AHEAD_MS_MAX);
  if (stretch.order === "desc" || aheadMs <= nowMs) return aheadMs;
  const ahead: Stretch = { fromMs: nowMs + 1, toMs: aheadMs, order: "desc", after: null };
  const [newest] = await readRows(ctx, scope, ahead, 1);
  return newest?.atMs ?? nowMs;
}

async function readRows(
  ctx: Context,
  scope: Scope,
  stretch: Stretch,
  wanted: number,
): Promise<PlacedObservation[]> {
  if (scope.by === "nothing") return [];
  if (scope.by === "product") {
    const pages = ownedPages(ctx, ofProduct(scope.productId), stretch, wanted);
    return await firstOf(flat(pages), wanted, scope.fits);
  }
  return await firstOf(walkShops(ctx, scope.ids, stretch, wanted), wanted);
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
    for (const [n, observation] of (await readEntries(reader, batch)).entries()) {
      const { atMs = 0, id = "" } = batch[n] ?? {};
      if (observation) yield { atMs, id, observation };
    }
  }
}

type Shop = Pick<Competitor, "displayName" | "domain">;

async function nameObservations(
  workspace: WorkspaceStore,
  placed: readonly PlacedObservation[],
): Promise<ObservationDocument[]> {
  const observations = placed.map(({ observation }) => observation);
  const productIds = [...new Set(observations.map(({ productId }) => productId))];
  const [skus, matches] = await Promise.all([
    findSkus(workspace, productIds),
    findMatches(workspace, observations, productIds),
  ]);
  const shops = await findShops(workspace, observations, matches);
  return placed.map((one) => {
    const { productId, matchId, competitorId } = one.observation;
    const sku = skus.get(productId);
    const url = matches.get(matchId)?.match.url;
    const shop = shops.get(competitorId) ?? matches.get(matchId)?.shop;
    if (sku === undefined || url === undefined || !shop) {
      throw new Error(`The observation ${one.id} has lost its product, match or competitor`);
    }
    const names = { sku, url, competitor: shop.displayName, domain: shop.domain };
    return toObservationDocument(one, names);
  });
}

export async function findSkus(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const products = await productsById(workspace, productIds);
  return new Map([...products].map(([id, { sku }]) => [id, sku]));
}

interface FoundMatch {
  readonly match: Match;
  readonly shop: Shop | null;
}

async function findMatches(
  workspace: WorkspaceStore,
  observations: readonly Observation[],
  productIds: readonly string[],
): Promise<Map<string, FoundMatch>> {
  const wanted = new Set(observations.map(({ matchId }) => matchId));
  const stored = await findOffersOf(workspace, productIds);
  const places = stored.flatMap(({ productId, offers }) =>
    offers.filter(({ matchId }) => wanted.has(matchId))
      .map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }))
  );
  const found = new Map<string, FoundMatch>(
    (await findMatchesAt(workspace, places)).map(({ match }) => [match.id, { match, shop: null }]),
  );
  for (const id of wanted) {
    if (found.has(id)) continue;
    const removed = await findRemovedMatch(workspace, id);
    // The URL of a match may have changed since its offer was read, so look up the match by its id.
    const place = removed ? null : await findMatchPlace(workspace, id);
    const match = removed ? removed.match : place && await findMatchAt(workspace, place);
    if (match) found.set(id, { match, shop: removed?.competitor ?? null });
  }
  return found;
}

async function findShops(
  workspace: WorkspaceStore,
  observations: readonly Observation[],
  matches: ReadonlyMap<string, FoundMatch>,
): Promise<Map<string, Shop>> {
  const shops = new Map<string, Shop>(await competitorsById(workspace));
  for (const { competitorId, matchId } of observations) {
    if (shops.has(competitorId) || matches.get(matchId)?.shop) continue;
    const shop = await findLeaving(workspace, competitorId) ??
      (await findRemovedMatch(workspace, matchId))?.competitor;
    if (shop) shops.set(competitorId, shop);
  }
  return shops;
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
