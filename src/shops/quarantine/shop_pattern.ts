/**
 * Many prices of one shop that jump the same way, or become one and the same, within a run of it: that is
 * the shop's page or feed, and no decision about prices (docs/decisions/rules.md, Quarantine). Exact.
 */
import type { Suspicion, SuspicionCode } from "./suspicion.ts";

/** What prices of a shop have in common: a way that they jump, or the price that they get. */
export type ShopPattern =
  | { readonly kind: "down" | "up" }
  | { readonly kind: "same"; readonly currency: string; readonly priceCents: number };

/** Another price of an offer than before, in the same currency. */
export interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

const JUMP_PCT = 30;
const SHARE_PCT = 30;
const SEEN_MIN = 20;
export const SAME_MIN = 10;

/** The way that a price jumps by more than 30 %; null where it does not. */
export function jumpOf({ fromCents, toCents }: PriceChange): "down" | "up" | null {
  const isJump = Math.abs(toCents - fromCents) * 100 > fromCents * JUMP_PCT;
  return !isJump ? null : toCents < fromCents ? "down" : "up";
}

/** Every pattern that a change has. */
export function patternsOf(change: PriceChange): ShopPattern[] {
  const { currency, toCents: priceCents } = change;
  const same: ShopPattern = { kind: "same", currency, priceCents };
  const jump = jumpOf(change);
  return jump === null ? [same] : [{ kind: jump }, same];
}

/** Names a pattern of a shop. */
export function patternName(pattern: ShopPattern): string {
  return pattern.kind === "same" ? `same ${pattern.currency} ${pattern.priceCents}` : pattern.kind;
}

/** Whether so many products are too many to be believed. */
export function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= SEEN_MIN && count * 100 > seen * SHARE_PCT;
}

const CODES = { down: "shop_jump", up: "shop_jump", same: "shop_same_price" } as const;

/** What speaks against a price that has the pattern of its shop. */
export function suspicionBy({ kind }: ShopPattern, { fromCents }: PriceChange): Suspicion {
  return { code: CODES[kind], againstCents: fromCents };
}

const SHOP_CODES: readonly SuspicionCode[] = Object.values(CODES);

/** The suspicion of a whole shop, which time does not clear; null for one of a price alone. */
export function shopSuspicion(
  { code, againstCents }: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const known = SHOP_CODES.find((one) => one === code);
  return known === undefined ? null : { code: known, againstCents };
}
