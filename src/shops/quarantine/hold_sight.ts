/** A sight becomes the offer's price, or waits (docs/decisions/rules.md, Quarantine). */
import type { Product } from "../../catalogue/products/product.ts";
import { heldIdOf, type HeldPrice } from "../offers/held_offer_store.ts";
import { type Offer, type SaleTerms, showsOtherProduct } from "../offers/offer.ts";
import type { Seen } from "../observations/observation.ts";
import { withSeen } from "../observations/with_seen.ts";
import { shopSuspicion } from "./shop_pattern.ts";
import { type Comparison, suspicionOf } from "./suspicion.ts";

const HOUR_MS = 3_600_000;
/** A price that stands for so long is believed. */
const STANDS_MS = 6 * HOUR_MS;
/** And believed no more than this: nothing is applied by itself because of it. */
const CONFIDENCE_MAX = 0.7;

/** What of ours a sight is compared with. */
export type OurPrices = Pick<Comparison, "cost" | "own">;

/** Whose sight it is, and what is known of its product. */
export interface SightContext {
  readonly product: { readonly id: string; readonly sku: string };
  /** All offers of the product as they are. */
  readonly offers: readonly Offer[];
  /** What a piece costs us, and what we ask for it. */
  readonly ours: OurPrices;
  /** What waits of the offer; null when nothing does. */
  readonly held: HeldPrice | null;
  /** None can be from after that. */
  readonly latestMs: number;
}

/** The offer after a sight, and what waits of it now; `held` is null when it is as before, or gone. */
export interface JudgedSight {
  readonly after: Offer;
  readonly held: HeldPrice | null;
}

/** Only for workspaces that hold prices. */
export function judgeSight(offer: Offer, seen: Seen, context: SightContext): JudgedSight {
  const { latestMs, held } = context;
  const isLate = seen.observedAtMs < Math.max(offer.observedAtMs ?? 0, held?.observedAtMs ?? 0);
  // What shows another product counts for nothing anyway.
  if (isLate || showsOtherProduct(offer)) {
    return { after: isLate ? offer : withSeen(offer, seen, latestMs), held: null };
  }
  const isAgain = held !== null && held.priceCents === seen.priceCents &&
    held.currency === seen.currency;
  // What waits because of its whole shop waits until somebody has looked at it.
  const ofShop = isAgain ? shopSuspicion(held) : null;
  const suspicion = ofShop ?? suspicionOf({ ...seen, packFactor: offer.packFactor }, {
    accepted: acceptedOf(offer),
    others: context.offers.flatMap((other) => other === offer ? [] : othersPrice(other)),
    ...context.ours,
  });
  const free = offer.heldAtMs === null ? offer : { ...offer, heldAtMs: null };
  if (suspicion === null) return { after: withSeen(free, seen, latestMs), held: null };
  if (isAgain && ofShop === null && seen.observedAtMs >= held.heldAtMs + STANDS_MS) {
    const confidence = Math.min(CONFIDENCE_MAX, seen.confidence);
    return { after: withSeen(free, { ...seen, confidence }, latestMs), held: null };
  }
  const heldAtMs = isAgain ? held.heldAtMs : seen.observedAtMs;
  const { priceCents, currency, availability, confidence, source, observedAtMs } = seen;
  // The page was read, so nothing is the matter with it but its price.
  const checked = { checkedAtMs: observedAtMs, status: "ok", error: null, failingSinceMs: null };
  return {
    after: { ...offer, ...checked, heldAtMs },
    held: {
      productId: context.product.id,
      sku: context.product.sku,
      matchId: offer.matchId,
      competitorId: offer.competitorId,
      priceCents,
      currency,
      availability,
      confidence,
      source,
      heldAtMs,
      observedAtMs,
      ...suspicion,
    },
  };
}

/** The offer after a sight of which it is known, too, how the article is sold. */
export function withSale(
  before: Offer,
  { after, held }: JudgedSight,
  sale: Partial<SaleTerms> | undefined,
): Offer {
  // A sight that comes late says nothing of today's terms either, nor does one that waits.
  return after === before || held !== null ? after : { ...after, ...sale };
}

function acceptedOf({ priceCents, currency }: Offer): Comparison["accepted"] {
  return priceCents === null || currency === null ? null : { priceCents, currency };
}

function othersPrice(offer: Offer): Comparison["others"] {
  const { enabled, priceCents, currency, packFactor } = offer;
  if (!enabled || priceCents === null || currency === null || showsOtherProduct(offer)) return [];
  return [{ priceCents, currency, packFactor }];
}

/** As they are, whatever prices of shops include: they are compared with half of them and twice alone. */
export function ourPricesOf(
  { costPriceCents, ourPriceCents, currency }: Pick<
    Product,
    "costPriceCents" | "ourPriceCents" | "currency"
  >,
): OurPrices {
  const priceOf = (priceCents: number | null) =>
    priceCents === null ? null : { priceCents, currency };
  return { cost: priceOf(costPriceCents), own: priceOf(ourPriceCents) };
}

/** The ids of all that waits of these offers. */
export function heldIdsOf(offers: readonly Offer[]): string[] {
  return offers.flatMap((offer) => heldIdOf(offer) ?? []);
}
