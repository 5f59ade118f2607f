/**
 * Offers that are ours: we sell at the shop as a seller whose name the settings or the shop's own terms
 * have. They are shown as ours and count nowhere: not in rules, the market, medians or moves. Names are
 * compared whatever their case and their blanks, cut as the seller of an offer is.
 */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { fold } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Competitor } from "../competitor.ts";
import { readCompetitorSet } from "../competitor_store.ts";
import { type Offer, SELLER_BYTES_MAX, shortenedTo } from "./offer.ts";

type SoldOffer = Pick<Offer, "competitorId" | "seller">;

/** Whether an offer is ours. */
export type OwnSellers = (offer: SoldOffer) => boolean;

export function ownSellersOf(
  names: readonly string[],
  competitors: ReadonlyMap<string, Pick<Competitor, "ownSellerNames">>,
): OwnSellers {
  const everywhere = keysOf(names);
  const byShop = new Map<string, ReadonlySet<string>>();
  for (const [id, { ownSellerNames }] of competitors) {
    if (ownSellerNames.length > 0) byShop.set(id, keysOf(ownSellerNames));
  }
  return ({ competitorId, seller }) => {
    if (seller === null || everywhere.size + byShop.size === 0) return false;
    const key = keyOf(seller);
    return everywhere.has(key) || byShop.get(competitorId)?.has(key) === true;
  };
}

/** Of the settings and shops of today, which are read only where an offer names its seller. */
export async function readOwnSellers(
  workspace: WorkspaceStore,
  offers: readonly Partial<SoldOffer>[],
): Promise<OwnSellers> {
  if (!offers.some(({ seller }) => typeof seller === "string")) return () => false;
  const [{ ownSellerNames }, { byId }] = await Promise.all([
    requireWorkspace(workspace),
    readCompetitorSet(workspace),
  ]);
  return ownSellersOf(ownSellerNames, byId);
}

function keysOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => keyOf(shortenedTo(SELLER_BYTES_MAX, name))));
}

function keyOf(name: string): string {
  return fold(name).replace(/\s+/g, "");
}
