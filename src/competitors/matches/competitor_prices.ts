import { isInStock } from "../../base/availability.ts";
import { unitPriceCents } from "../../base/money.ts";
import type { CompetitorPrice } from "../../catalogue/prices/competitor_price.ts";
import { findDeletedProduct, findProduct } from "../../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Competitor } from "../competitor.ts";
import { findCompetitors } from "../competitor_store.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffers } from "../offers/offer_store.ts";
import { offerOf } from "./find_match.ts";
import type { Match } from "./match.ts";
import { listMatchesOfProduct } from "./match_store.ts";

/** A match that counts: it and its competitor are enabled. */
export interface LiveMatch {
  readonly match: Match;
  readonly competitor: Competitor;
  readonly offer: Offer;
}

/** The matches of a product that are fetched, compared and shown; the oldest first. */
export async function listLiveMatches(
  workspace: WorkspaceStore,
  productId: string,
): Promise<LiveMatch[]> {
  const { offers } = await findOffers(workspace, productId);
  if (!offers.some(({ enabled }) => enabled)) return [];
  const [matches, competitors] = await Promise.all([
    listMatchesOfProduct(workspace, productId),
    findCompetitors(workspace, offers.map(({ competitorId }) => competitorId)),
  ]);
  return matches.flatMap(({ match, place }) => {
    const competitor = competitors.get(match.competitorId);
    if (!match.enabled || !competitor?.enabled) return [];
    return [{ match, competitor, offer: offerOf(offers, match, place) }];
  });
}

/** One entry per live match, by display name (docs/decisions/competitors.md). */
export async function listCompetitorPrices(
  workspace: WorkspaceStore,
  productId: string,
): Promise<CompetitorPrice[]> {
  const live = await listLiveMatches(workspace, productId);
  const isUnseen = live.some(({ offer }) => offer.currency === null);
  const fallback = isUnseen ? await currencyOf(workspace, productId) : null;
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
    lastCheckedAt: offer.checkedAtMs === null ? null : new Date(offer.checkedAtMs).toISOString(),
  }));
}

/** Only price, stock and time are null for what was never observed: the currency is then ours. */
async function currencyOf(workspace: WorkspaceStore, productId: string): Promise<string | null> {
  const found = await findProduct(workspace, productId) ??
    await findDeletedProduct(workspace, productId);
  return found?.product.currency ?? null;
}

const collator = new Intl.Collator("de", { numeric: true });

function byDisplayName(a: LiveMatch, b: LiveMatch): number {
  return collator.compare(a.competitor.displayName, b.competitor.displayName) ||
    collator.compare(a.competitor.domain, b.competitor.domain) ||
    (a.match.id < b.match.id ? -1 : 1);
}
