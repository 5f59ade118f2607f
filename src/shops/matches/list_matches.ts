import { isId } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import { findCompetitors } from "../competitor_store.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { offerOf } from "./find_match.ts";
import { findIdentities } from "./identity_store.ts";
import { type CompetitorProduct, toCompetitorProduct } from "./match.ts";
import {
  findMatchesAt,
  listMatchesOfProduct,
  listPlaces,
  type PlacedMatch,
} from "./match_store.ts";

export interface MatchFilter {
  readonly productId?: string | undefined;
  readonly competitorId?: string | undefined;
}

/** One page by match id; a filter that fits nothing gives an empty one. */
export async function listMatches(
  ctx: Context,
  { productId = "", competitorId = "" }: MatchFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CompetitorProduct>> {
  const list = `competitor-products ${JSON.stringify([productId, competitorId])}`;
  const position = openCursor(ctx, list, cursor);
  const after = typeof position === "string" ? position : null;
  const isVain = [productId, competitorId].some((id) => id !== "" && !isId(id));
  const ask = { competitorId: competitorId === "" ? null : competitorId, after, wanted: limit + 1 };
  const read = () => productId === "" ? readPlaces(ctx, ask) : readProduct(ctx, productId, ask);
  const rows = isVain ? [] : await read();
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
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

/** The matches of many products that are named, by id; those that are gone are left out. */
export async function listMatchesOfProducts(
  workspace: WorkspaceStore,
  named: readonly { readonly matchId: string; readonly productId: string }[],
): Promise<Map<string, CompetitorProduct>> {
  const ids = new Set(named.map(({ matchId }) => matchId));
  const offers = await offersById(workspace, [...new Set(named.map((one) => one.productId))]);
  const places = [...offers].flatMap(([productId, of]) =>
    of.flatMap(({ matchId, urlHash }) => ids.has(matchId) ? [{ matchId, productId, urlHash }] : [])
  );
  const shown = await asShown(workspace, await findMatchesAt(workspace, places));
  return new Map(shown.map((one) => [one.id, one]));
}

async function asShown(
  workspace: WorkspaceStore,
  placed: readonly PlacedMatch[],
): Promise<CompetitorProduct[]> {
  const productIds = [...new Set(placed.map(({ place }) => place.productId))];
  const [competitors, offers, identities] = await Promise.all([
    findCompetitors(workspace, placed.map(({ match }) => match.competitorId)),
    offersById(workspace, productIds),
    findIdentities(workspace, placed.map(({ match }) => match.id)),
  ]);
  return placed.flatMap(({ match, place }) => {
    const competitor = competitors.get(match.competitorId);
    if (!competitor) return [];
    const offer = offerOf(offers.get(place.productId) ?? [], match, place);
    const identity = identities.get(match.id) ?? null;
    return [toCompetitorProduct(match, competitor, offer, identity)];
  });
}

async function offersById(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, readonly Offer[]>> {
  const stored = await findOffersOf(workspace, productIds);
  return new Map(stored.map(({ productId, offers }) => [productId, offers]));
}
