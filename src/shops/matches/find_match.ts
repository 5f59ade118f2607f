import { noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findCompetitor, type StoredCompetitor } from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import { findOffers } from "../offers/offer_store.ts";
import { versionOf } from "../../platform/http/http.ts";
import {
  type CompetitorProduct,
  type Match,
  MATCH_READ_ONLY,
  termsOf,
  toCompetitorProduct,
} from "./match.ts";
import { findIdentity, type StoredIdentity } from "./identity_store.ts";
import { findMatchAt, findMatchPlace, type MatchPlace } from "./match_store.ts";
import { type ProductLinks, readProductLinks } from "./product_links.ts";

/** All that a change of one match reads, in an order that the checks on product and offers row make true. */
export interface FoundMatch {
  readonly place: MatchPlace;
  readonly links: ProductLinks;
  readonly match: Match;
  readonly owner: StoredCompetitor;
  readonly known: StoredIdentity;
}

/** Refuses with `not_found` what is malformed, unknown, deleted, of another workspace, or of a competitor that goes. */
export async function requireMatch(workspace: WorkspaceStore, id: string): Promise<FoundMatch> {
  const place = isId(id) ? await findMatchPlace(workspace, id) : null;
  const links = place && await readProductLinks(workspace, place.productId);
  const match = place && await findMatchAt(workspace, place);
  const owner = match && await findCompetitor(workspace, match.competitorId);
  if (!place || !links || !match || !owner) throw noSuch("competitor product", id);
  return { place, links, match, owner, known: await findIdentity(workspace, id) };
}

/** One match as it is shown. Refuses as `requireMatch` does. */
export async function readMatch(workspace: WorkspaceStore, id: string): Promise<CompetitorProduct> {
  const place = isId(id) ? await findMatchPlace(workspace, id) : null;
  const match = place && await findMatchAt(workspace, place);
  const owner = match && await findCompetitor(workspace, match.competitorId);
  if (!place || !match || !owner) throw noSuch("competitor product", id);
  const { offers } = await findOffers(workspace, place.productId);
  const { identity } = await findIdentity(workspace, id);
  return toCompetitorProduct(match, owner.competitor, offerOf(offers, match, place), identity);
}

/** The version of a match as people edit it (`If-Match`). */
export function matchVersion({ place, links, match, owner, known }: FoundMatch): string {
  const offer = offerOf(links.offers.offers, match, place);
  const shown = toCompetitorProduct(match, owner.competitor, offer, known.identity);
  return versionOf(shown, MATCH_READ_ONLY);
}

/** The offer of a match; of one that was removed between two reads, a blank one. */
export function offerOf(offers: readonly Offer[], match: Match, { urlHash }: MatchPlace): Offer {
  return offers.find(({ matchId }) => matchId === match.id) ?? blankOffer(termsOf(match, urlHash));
}
