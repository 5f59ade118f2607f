/** What became of competitors' offers, told by what was known before (docs/decisions/market.md). */

import { type Availability, isInStock } from "../../base/codes.ts";
import { idAt } from "../../base/id.ts";
import type { Offer } from "../offers/offer.ts";

/** What can become of a competitor's offer. The codes are public and only ever grow. */
export const MOVE_KINDS = ["down", "up", "back_in_stock", "sold_out", "new_offer"] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** What of a sight says whether an offer has moved. */
export interface SightedPrice {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
}

/**
 * What became of an offer between two sights; `before` is null for the first one. Sold out goes before
 * back in stock, and that before the price. A price in another currency is a new offer; what was never
 * for sale is none. Null where it is as it was.
 */
export function moveKindOf(before: SightedPrice | null, after: SightedPrice): MoveKind | null {
  const isSoldOut = isInStock(after.availability) === false;
  const wasSoldOut = before !== null && isInStock(before.availability) === false;
  if (before === null) return isSoldOut ? null : "new_offer";
  if (isSoldOut && !wasSoldOut) return "sold_out";
  if (before.currency !== after.currency) return isSoldOut ? null : "new_offer";
  if (wasSoldOut && !isSoldOut) return "back_in_stock";
  if (before.priceCents === after.priceCents) return null;
  return after.priceCents < before.priceCents ? "down" : "up";
}

/** What became of an offer in one commit. Prices as seen, for `packFactor` pieces. */
export interface Move {
  readonly kind: MoveKind;
  readonly productId: string;
  readonly matchId: string;
  readonly competitorId: string;
  /** In the same currency; null for a new offer. */
  readonly fromCents: number | null;
  /** Of what was sold out without a price: the one that it had. */
  readonly toCents: number;
  readonly currency: string;
  readonly packFactor: number;
  /** When it was seen, in milliseconds. */
  readonly atMs: number;
  /** False where no observation tells of it: the page was there no more, or had no price. */
  readonly isObserved: boolean;
}

/** The same move has the same id. */
export function moveId({ kind, matchId, atMs, fromCents, toCents }: Move): string {
  return idAt(atMs, `${kind} ${matchId} ${atMs} ${fromCents} ${toCents}`);
}

/** What the offers of a product say of it before and after a commit: the moves of those that count. */
export function movesBetween(
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): Move[] {
  const known = new Map(before.map((offer) => [offer.matchId, offer]));
  return after.flatMap((offer) => {
    const old = known.get(offer.matchId);
    if (old === offer || !offer.enabled) return [];
    return moveOf(productId, old, offer) ?? [];
  });
}

function moveOf(productId: string, before: Offer | undefined, after: Offer): Move | null {
  const was = before === undefined ? null : priceOf(before);
  const is = priceOf(after);
  if (is === null) return null;
  const kind = moveKindOf(was, is);
  if (kind === null) return null;
  const { matchId, competitorId, packFactor, observedAtMs, checkedAtMs } = after;
  const isObserved = before?.observedAtMs !== observedAtMs;
  return {
    kind,
    productId,
    matchId,
    competitorId,
    fromCents: was?.currency === is.currency ? was.priceCents : null,
    toCents: is.priceCents,
    currency: is.currency,
    packFactor,
    atMs: (isObserved ? observedAtMs : checkedAtMs) ?? 0,
    isObserved,
  };
}

function priceOf({ priceCents, currency, availability }: Offer): SightedPrice | null {
  if (priceCents === null || currency === null) return null;
  return { priceCents, currency, availability: availability ?? "unknown" };
}
