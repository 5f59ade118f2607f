/** What is known of a page, in the row by which rules and lists go. */
import { type Offer, showsOtherProduct } from "../offers/offer.ts";
import { countingVerdict, type KeptIdentity } from "./match_identity.ts";

/** The code of a fetch whose page showed another product. */
export const OTHER_PRODUCT = "other_product";

/**
 * The offer with the verdict that counts. Where that no longer is another product, the last fetch was
 * refused in vain: the page waits for a look as a new one does.
 */
export function withIdentity(offer: Offer, identity: KeptIdentity): Offer {
  const judged = { ...offer, verdict: countingVerdict(identity) };
  if (offer.status !== OTHER_PRODUCT || showsOtherProduct(judged)) return judged;
  return { ...judged, status: null, error: null, failingSinceMs: null };
}

/** True where the page is to be looked at soon. */
export function freesRefusal(before: Offer, after: Offer): boolean {
  return before.status === OTHER_PRODUCT && after.status === null;
}
