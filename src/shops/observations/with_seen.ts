import { type Offer, withSighting } from "../offers/offer.ts";
import type { Seen } from "./observation.ts";

/** The offer after a sight; none can be from after `latestMs`. */
export function withSeen(
  offer: Offer,
  { priceCents, currency, availability, confidence, observedAtMs }: Seen,
  latestMs: number,
): Offer {
  const sighting = { priceCents, currency, availability, confidence, observedAtMs };
  return withSighting(offer, sighting, latestMs);
}
