/** Lists the enabled links of a product at enabled shops, with their current offers. */
import { isInStock } from "../../base/codes.ts";
import { unitPriceCents } from "../../base/money.ts";
import { isoOrNull } from "../../base/time.ts";
import type { CompetitorPrice } from "../../catalogue/prices/product_market.ts";
import type { StoredDocument } from "../../catalogue/products/product_store.ts";
import { currencyInDocument } from "../../catalogue/products/product.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Competitor, findCompetitors } from "../competitor_store.ts";
import { type Offer, readOwnSellers, showsOtherProduct } from "../offers/offer.ts";
import { findOffers } from "../offers/offer_store.ts";
import type { Match } from "./match.ts";
import { findMatchesAt } from "./match_store.ts";
import { offerOf } from "./list_matches.ts";

export interface LiveMatch {
  readonly match: Match;
  readonly competitor: Competitor;
  readonly offer: Offer;
}

export async function listLiveMatches(
  workspace: WorkspaceStore,
  productId: string,
): Promise<LiveMatch[]> {
  const { offers } = await findOffers(workspace, productId);
  const live = await liveMatchesOf(workspace, productId, offers);
  return live.filter(({ match }) => match.visit !== "never");
}

async function liveMatchesOf(
  workspace: WorkspaceStore,
  productId: string,
  offers: readonly Offer[],
): Promise<LiveMatch[]> {
  if (!offers.some(({ enabled }) => enabled)) return [];
  const [matches, competitors] = await Promise.all([
    findMatchesAt(workspace, offers.map((offer) => ({ ...offer, productId }))),
    findCompetitors(workspace, offers.map(({ competitorId }) => competitorId)),
  ]);
  return matches.flatMap(({ match, place }) => {
    const competitor = competitors.get(match.competitorId);
    if (!match.enabled || !competitor?.enabled) return [];
    return [{ match, competitor, offer: offerOf(offers, match, place) }];
  });
}

export async function listCompetitorPrices(
  workspace: WorkspaceStore,
  { id, bytes }: StoredDocument,
): Promise<CompetitorPrice[]> {
  const { offers } = await findOffers(workspace, id);
  const isOurs = await readOwnSellers(workspace, offers);
  const live = (await liveMatchesOf(workspace, id, offers))
    .filter(({ offer }) => !showsOtherProduct(offer) && !isOurs(offer));
  const isUnseen = live.some(({ offer }) => offer.currency === null);
  const fallback = isUnseen ? currencyInDocument(bytes) : null;
  return live.toSorted(byDisplayName).map(({ match, competitor, offer }) => ({
    competitor: competitor.displayName,
    domain: competitor.domain,
    url: match.url,
    price: offer.priceCents,
    unitPrice: offer.priceCents === null
      ? null
      : unitPriceCents(offer.priceCents, match.packFactor),
    packFactor: match.packFactor,
    currency: offer.currency ?? fallback,
    inStock: isInStock(offer.availability),
    lastCheckedAt: isoOrNull(offer.checkedAtMs),
  }));
}

const collator = new Intl.Collator("de", { numeric: true });

function byDisplayName(a: LiveMatch, b: LiveMatch): number {
  return collator.compare(a.competitor.displayName, b.competitor.displayName) ||
    collator.compare(a.competitor.domain, b.competitor.domain) ||
    (a.match.id < b.match.id ? -1 : 1);
}
