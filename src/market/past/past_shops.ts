/** The shops of a product's current and removed links. */
import type { Product } from "../../catalogue/products/product.ts";
import { findCompetitors, findLeaving } from "../../shops/competitor_store.ts";
import { findRemovedMatch } from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { ownSellersOf } from "../../shops/offers/offer.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type OurSide, ourSideOf } from "../unit_cents.ts";

interface PastShop {
  readonly matchId: string;
  readonly competitorId: string;
  /** Display name. For a deleted competitor, its last display name. */
  readonly competitor: string;
  readonly packFactor: number;
  readonly pricesIncludeVat: boolean | null;
  readonly isOurs: boolean;
  /** When the current price was observed. Null without a price. */
  readonly seenAtMs: number | null;
  /** The last successful visit or push, if fetches have failed since. Otherwise null. */
  readonly readUntilMs: number | null;
}

interface PastShops {
  /** Links that still exist, oldest first. */
  readonly linked: readonly PastShop[];
  /** Finds any link of the product. Null if the link is no longer known. */
  of(matchId: string): Promise<PastShop | null>;
  readonly ours: OurSide;
}

export async function readPastShops(
  workspace: WorkspaceStore,
  product: Pick<Product, "id" | "vatRatePct">,
): Promise<PastShops> {
  const [{ offers }, settings] = await Promise.all([
    findOffers(workspace, product.id),
    requireWorkspace(workspace),
  ]);
  const competitors = await findCompetitors(workspace, offers.map((one) => one.competitorId));
  const isOurs = ownSellersOf(settings.ownSellerNames, competitors);
  const linked = offers.flatMap(
    (offer): PastShop[] => {
      const { matchId, competitorId, packFactor, observedAtMs, failingSinceMs } = offer;
      const competitor = competitors.get(competitorId);
      if (competitor === undefined) return [];
      const { displayName, pricesIncludeVat } = competitor;
      const names = { matchId, competitorId, competitor: displayName, isOurs: isOurs(offer) };
      const times = {
        seenAtMs: observedAtMs,
        readUntilMs: failingSinceMs === null ? null : offer.checkedAtMs ?? observedAtMs,
      };
      return [{ ...names, packFactor, pricesIncludeVat, ...times }];
    },
  );
  const known = new Map<string, PastShop | null>(linked.map((shop) => [shop.matchId, shop]));
  return {
    linked,
    async of(matchId) {
      const found = known.get(matchId);
      if (found !== undefined) return found;
      const shop = await findRemoved(workspace, matchId);
      known.set(matchId, shop);
      return shop;
    },
    ours: ourSideOf(product, settings),
  };
}

async function findRemoved(
  workspace: WorkspaceStore,
  matchId: string,
): Promise<PastShop | null> {
  const removed = await findRemovedMatch(workspace, matchId);
  if (removed === null) return null;
  const { competitorId, packFactor } = removed.match;
  const today = (await findCompetitors(workspace, [competitorId])).get(competitorId) ??
    await findLeaving(workspace, competitorId);
  return {
    matchId,
    competitorId,
    competitor: (today ?? removed.competitor).displayName,
    packFactor,
    pricesIncludeVat: today?.pricesIncludeVat ?? null,
    isOurs: false,
    seenAtMs: null,
    readUntilMs: null,
  };
}
