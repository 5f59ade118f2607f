import { type Competitor } from "../competitor.ts";
import { findCompetitors, findLeaving } from "../competitor_store.ts";
import type { Match } from "../matches/match.ts";
import {
  findMatchAt,
  findMatchesAt,
  findMatchPlace,
  findRemovedMatch,
} from "../matches/match_store.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  type Observation,
  type ObservationDocument,
  type PlacedObservation,
  toObservationDocument,
} from "./observation.ts";
import { findSkus } from "./product_skus.ts";

type Shop = Pick<Competitor, "displayName" | "domain">;

/**
 * Observations as they are shown: with the SKU, the URL and the names of today, and of what was
 * deleted, with those that it had last.
 */
export async function nameObservations(
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

interface FoundMatch {
  readonly match: Match;
  /** Of a removed match: the shop as it was called then. */
  readonly shop: Shop | null;
}

/** By the offers, which know where the matches of a product lie: few reads for many observations. */
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
    // A match that is at neither place has moved to another page meanwhile.
    const match = removed ? removed.match : await findMoved(workspace, id);
    if (match) found.set(id, { match, shop: removed?.competitor ?? null });
  }
  return found;
}

/** By its own row, which moves with it. */
async function findMoved(workspace: WorkspaceStore, id: string): Promise<Match | null> {
  const place = await findMatchPlace(workspace, id);
  return place && await findMatchAt(workspace, place);
}

/** A competitor that is being deleted has left the list while matches of it are still there. */
async function findShops(
  workspace: WorkspaceStore,
  observations: readonly Observation[],
  matches: ReadonlyMap<string, FoundMatch>,
): Promise<Map<string, Shop>> {
  const ids = new Set(observations.map(({ competitorId }) => competitorId));
  const shops = new Map<string, Shop>(await findCompetitors(workspace, ids));
  for (const { competitorId, matchId } of observations) {
    if (shops.has(competitorId) || matches.get(matchId)?.shop) continue;
    const shop = await findLeaving(workspace, competitorId) ??
      (await findRemovedMatch(workspace, matchId))?.competitor;
    if (shop) shops.set(competitorId, shop);
  }
  return shops;
}
