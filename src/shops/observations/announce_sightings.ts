import { isInStock } from "../../base/codes.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { Offer } from "../offers/offer.ts";
import { observationId, type ObservationSource } from "./observation.ts";

/** Returns an event for each new offer and each offer whose price or stock changed. */
export function changedObservations(
  { id: productId, sku }: { readonly id: string; readonly sku: string },
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
  source: ObservationSource,
): OutboxEvent[] {
  return after.flatMap((offer, at): OutboxEvent[] => {
    if (offer === before[at]) return [];
    const { matchId, competitorId, priceCents, currency, observedAtMs } = offer;
    const old = before.find((one) => one.matchId === matchId);
    if (old === offer) return [];
    if (priceCents === null || currency === null || observedAtMs === null) return [];
    if (old && isSame(old, offer)) return [];
    const data = {
      observationId: observationId({ matchId, observedAtMs, priceCents }),
      productId,
      sku,
      competitorProductId: matchId,
      competitorId,
      price: priceCents,
      previousPrice: old?.priceCents ?? null,
      currency,
      inStock: isInStock(offer.availability),
      previousInStock: isInStock(old?.availability ?? null),
      source,
      observedAt: new Date(observedAtMs).toISOString(),
    };
    return [{ type: "observation.changed", data }];
  });
}

function isSame(old: Offer, { priceCents, currency, availability }: Offer): boolean {
  return old.priceCents === priceCents && old.currency === currency &&
    isInStock(old.availability) === isInStock(availability);
}
