/**
 * Recognises our own offers: we sell at the shop under a seller name that is in the workspace's
 * settings or in the shop's settings. They are shown as ours and never count in rules, the market,
 * medians or moves. Names are compared without regard to case and blanks, and shortened like the
 * seller of an offer.
 */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { fold } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Competitor } from "../competitor.ts";
import { readCompetitorSet } from "../competitor_store.ts";
import { type Offer, SELLER_BYTES_MAX, shortenedTo } from "./offer.ts";

type SoldOffer = Pick<Offer, "competitorId" | "seller">;

/** Returns true if an offer is ours. */
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

/** Reads our seller names from the current settings and shops, unless no offer has a seller. */
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
