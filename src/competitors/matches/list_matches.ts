import type { JsonValue } from "../../base/json_value.ts";
import { isId } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import { findCompetitors } from "../competitor_store.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { offerOf } from "./find_match.ts";
import { type CompetitorProduct, type Match, toCompetitorProduct } from "./match.ts";
import { findMatchesAt, listMatchesOfProduct, listPlaces, type MatchPlace } from "./match_store.ts";

export interface MatchFilter {
  readonly productId?: string | undefined;
  readonly competitorId?: string | undefined;
}

interface PlacedMatch {
  readonly match: Match;
  readonly place: MatchPlace;
}

/** One page by match id; a filter that fits nothing gives an empty one. */
export async function listMatches(
  ctx: Context,
  { productId = "", competitorId = "" }: MatchFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CompetitorProduct>> {
  const list = `competitor-products ${JSON.stringify([productId, competitorId])}`;
  const after = lastIdOf(openCursor(ctx, list, cursor));
  const isVain = [productId, competitorId].some((id) => id !== "" && !isId(id));
  const ask = { competitorId: competitorId === "" ? null : competitorId, after, wanted: limit + 1 };
  const rows = isVain ? [] : await readRows(ctx, productId, ask);
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
}

function lastIdOf(position: JsonValue | null): string | null {
  return typeof position === "string" ? position : null;
}

function readRows(workspace: WorkspaceStore, productId: string, ask: Ask) {
  return productId === "" ? readPlaces(workspace, ask) : readProduct(workspace, productId, ask);
}

interface Ask {
  readonly competitorId: string | null;
  readonly after: string | null;
  readonly wanted: number;
}

async function readProduct(
  workspace: WorkspaceStore,
  productId: string,
  { competitorId, after, wanted }: Ask,
): Promise<CompetitorProduct[]> {
  const all = await listMatchesOfProduct(workspace, productId);
  const fitting = all.filter(({ match }) =>
    (competitorId === null || match.competitorId === competitorId) &&
    (after === null || match.id > after)
  );
  return (await asShown(workspace, fitting)).slice(0, wanted);
}

/** Reads on while matches of a competitor that is being deleted fall out: a page is never short. */
async function readPlaces(
  workspace: WorkspaceStore,
  { competitorId, after, wanted }: Ask,
): Promise<CompetitorProduct[]> {
  const rows: CompetitorProduct[] = [];
  for (let last = after; rows.length < wanted;) {
    const missing = wanted - rows.length;
    const places = await listPlaces(workspace, competitorId, last, missing);
    rows.push(...await asShown(workspace, await findMatchesAt(workspace, places)));
    if (places.length < missing) break;
    last = places.at(-1)?.matchId ?? null;
  }
  return rows;
}

async function asShown(
  workspace: WorkspaceStore,
  placed: readonly PlacedMatch[],
): Promise<CompetitorProduct[]> {
  const productIds = [...new Set(placed.map(({ place }) => place.productId))];
  const [competitors, offers] = await Promise.all([
    findCompetitors(workspace, placed.map(({ match }) => match.competitorId)),
    offersById(workspace, productIds),
  ]);
  return placed.flatMap(({ match, place }) => {
    const competitor = competitors.get(match.competitorId);
    if (!competitor) return [];
    const offer = offerOf(offers.get(place.productId) ?? [], match, place);
    return [toCompetitorProduct(match, competitor, offer)];
  });
}

async function offersById(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, readonly Offer[]>> {
  const stored = await findOffersOf(workspace, productIds);
  return new Map(stored.map(({ productId, offers }) => [productId, offers]));
}
