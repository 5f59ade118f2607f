import { type Offer, withFailedFetch, withSighting } from "../competitors/offers/offer.ts";
import {
  checkOffers,
  createOfferTally,
  findOffers,
  putOffers,
  saveOfferTally,
  type StoredOffers,
} from "../competitors/offers/offer_store.ts";
import type { Clockwork, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import type { Observation, Seen } from "./observation.ts";
import { addObservation, markCompetitors } from "./observation_store.ts";

/** What came of looking at one match. */
export type FetchOutcome =
  | { readonly kind: "seen"; readonly seen: Seen }
  | { readonly kind: "failed"; readonly errorCode: string; readonly message: string };

/** Which match was looked at. The SKU is the product's, as the caller has read it. */
export interface FetchTarget {
  readonly product: { readonly id: string; readonly sku: string };
  readonly matchId: string;
}

/** The match's offer as it was and as it is with what was seen: the same one, where a newer sight stands. */
export interface MovedOffer {
  readonly before: Offer;
  readonly after: Offer;
}

/**
 * Adds what came of one target to the caller's commit: observation, offers row and the generation
 * of the offers; the product and its card are not touched. One check and up to five mutations; only
 * once per product and commit, because it reads the offers row. Answers what it did to the offer; null
 * for a failure and for a match that is gone, of which nothing is written.
 */
export async function recordFetch(
  write: Write,
  workspace: WorkspaceStore & Pick<Clockwork, "now">,
  { product, matchId }: FetchTarget,
  outcome: FetchOutcome,
): Promise<MovedOffer | null> {
  const stored = await findOffers(workspace, product.id);
  const offer = stored.offers.find((one) => one.matchId === matchId);
  if (!offer) return null;
  if (outcome.kind === "failed") {
    const failed = withFailedFetch(offer, outcome.errorCode, outcome.message);
    saveOffer(write, workspace.workspaceId, product, stored, failed);
    return null;
  }
  const { seen } = outcome;
  const { competitorId } = offer;
  const observation: Observation = { ...seen, productId: product.id, matchId, competitorId };
  addObservation(write, workspace.workspaceId, observation);
  markCompetitors(write, workspace.workspaceId, [competitorId]);
  const after = withSeen(offer, seen, workspace.now().getTime());
  saveOffer(write, workspace.workspaceId, product, stored, after);
  return { before: offer, after };
}

/** The offer after a sight; none can be from after `latestMs`. */
export function withSeen(
  offer: Offer,
  { priceCents, currency, availability, confidence, observedAtMs }: Seen,
  latestMs: number,
): Offer {
  const sighting = { priceCents, currency, availability, confidence, observedAtMs };
  return withSighting(offer, sighting, latestMs);
}

function saveOffer(
  write: Write,
  workspaceId: string,
  product: FetchTarget["product"],
  stored: StoredOffers,
  after: Offer,
): void {
  checkOffers(write, workspaceId, stored);
  const tally = createOfferTally();
  const offers = stored.offers.map((one) => one.matchId === after.matchId ? after : one);
  putOffers(write, workspaceId, product, { before: stored.offers, after: offers }, tally);
  saveOfferTally(write, workspaceId, tally);
}
