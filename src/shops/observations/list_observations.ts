import type { JsonValue } from "../../base/collections.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import { AHEAD_MS_MAX } from "../../base/time.ts";
import { findCard } from "../../catalogue/products/index_row_store.ts";
import { misfitOfSku } from "../../catalogue/products/product_fields.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { findMatchPlace, findRemovedMatch } from "../matches/match_store.ts";
import { mergeCompetitors } from "./merge_competitors.ts";
import { nameObservations } from "./named_observations.ts";
import type { ObservationDocument, PlacedObservation, Position } from "./observation.ts";
import { type ObservationQuery, rangeOf } from "./observation_query.ts";
import { listObservedCompetitors } from "./observation_store.ts";
import { readEntries, readProduct } from "./read_stretch.ts";
import type { Stretch } from "./stretch.ts";

/**
 * One page of the history (docs/decisions/competitors.md). The first page fixes its end, so that
 * what comes in later moves nothing; filters that fit nothing give an empty page.
 */
export async function listObservations(
  ctx: Context,
  query: ObservationQuery,
): Promise<Page<ObservationDocument>> {
  const { limit, cursor, order, productId, sku, competitorId, competitorProductId } = query;
  const range = rangeOf(query);
  const filters = [productId, sku, competitorId, competitorProductId, query.from, query.to];
  const list = `observations ${JSON.stringify([order, ...filters.map((text) => text ?? "")])}`;
  const start = readStart(openCursor(ctx, list, cursor));
  const scope = await findScope(ctx, query);
  const toMs = start?.toMs ?? await fixEnd(ctx, scope, { ...range, order, after: null });
  const stretch = { ...range, toMs, order, after: start?.after ?? null };
  const rows = await readRows(ctx, scope, stretch, limit + 1);
  const positionOf = ({ atMs, id }: Position) => [atMs, id, toMs];
  const page = toPage(ctx, { list, rows, limit, positionOf });
  return { ...page, items: await nameObservations(ctx, page.items) };
}

/** Where a page begins, and where the list ends. */
interface Start {
  readonly after: Position;
  readonly toMs: number;
}

/** The inverse of a page's position; it was signed, so it has the form. */
function readStart(position: JsonValue | null): Start | null {
  if (!Array.isArray(position)) return null;
  const [atMs, id, toMs] = position;
  return { after: { atMs: Number(atMs), id: String(id) }, toMs: Number(toMs) };
}

/** Which range of the store holds what a query asks for. */
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

/** Of a soft-deleted product too: its history stays attached. */
async function productOfSku(workspace: WorkspaceStore, text: string): Promise<string | null> {
  const sku = normaliseSku(text);
  if (misfitOfSku(sku) !== null) return null;
  return (await findCard(workspace, sku))?.id ?? null;
}

/** Of a deleted match too. */
async function productOfMatch(workspace: WorkspaceStore, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const place = await findMatchPlace(workspace, id);
  return place?.productId ?? (await findRemovedMatch(workspace, id))?.match.productId ?? null;
}

/**
 * The end of the list: now, or the newest observation where clocks that go ahead have brought one.
 * A list of the newest first ends where it begins, so it needs no look.
 */
async function fixEnd(ctx: Context, scope: Scope, stretch: Stretch): Promise<number> {
  const nowMs = ctx.now().getTime();
  const aheadMs = Math.min(stretch.toMs, nowMs + AHEAD_MS_MAX);
  if (stretch.order === "desc" || aheadMs <= nowMs) return aheadMs;
  const ahead: Stretch = { fromMs: nowMs + 1, toMs: aheadMs, order: "desc", after: null };
  const [newest] = await readRows(ctx, scope, ahead, 1);
  return newest?.atMs ?? nowMs;
}

/** Up to `wanted` rows of a scope; fewer only at the end. */
async function readRows(
  ctx: Context,
  scope: Scope,
  stretch: Stretch,
  wanted: number,
): Promise<PlacedObservation[]> {
  if (scope.by === "nothing") return [];
  if (scope.by === "competitors") return await readShops(ctx, scope.ids, stretch, wanted);
  const rows: PlacedObservation[] = [];
  for (let after = stretch.after; rows.length < wanted;) {
    const read = await readProduct(ctx, scope.productId, { ...stretch, after }, wanted);
    rows.push(...read.filter((row) => scope.fits(row)));
    after = read.at(-1) ?? null;
    if (read.length < wanted) break;
  }
  return rows.slice(0, wanted);
}

/** Entries whose observation retention drops meanwhile fall out, so it reads on. */
async function readShops(
  ctx: Context,
  competitorIds: readonly string[],
  stretch: Stretch,
  wanted: number,
): Promise<PlacedObservation[]> {
  const rows: PlacedObservation[] = [];
  const entries = mergeCompetitors(ctx, competitorIds, stretch, wanted);
  for (let hasMore = true; hasMore && rows.length < wanted;) {
    const batch = [];
    while (batch.length < wanted - rows.length) {
      const next = await entries.next();
      if (next.done) {
        hasMore = false;
        break;
      }
      batch.push(next.value);
    }
    const observations = await readEntries(ctx, batch);
    for (const [position, { atMs, id }] of batch.entries()) {
      const observation = observations[position];
      if (observation) rows.push({ atMs, id, observation });
    }
  }
  return rows;
}
