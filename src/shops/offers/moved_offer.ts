import { type Offer, showsOtherProduct } from "./offer.ts";

/** An offer, as it was, whose price counts for rules otherwise than before, or no more; null when all count alike. */
export function movedOffer(
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): Offer | null {
  const afterById = new Map(after.map((offer) => [offer.matchId, offer]));
  return before.find((one) => counted(one) !== counted(afterById.get(one.matchId))) ?? null;
}

/** What rules see of an offer that the link decides; empty for one that does not count. */
function counted(offer: Offer | undefined): string {
  if (!offer?.enabled || offer.priceCents === null) return "";
  const { priceCents, packFactor, matchType } = offer;
  return [priceCents, packFactor, matchType, showsOtherProduct(offer)].join(" ");
}
