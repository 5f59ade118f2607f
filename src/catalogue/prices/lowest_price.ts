/**
 * The lowest own price of the 30 days before a reduction (PAngV § 11, docs/decisions/catalogue.md).
 * The window is [at − 30 days, at) with the price in force at its start. Prices in another currency
 * than the last are omitted, which makes the answer incomplete, like a history that begins within.
 * Entries marked as never shown are omitted.
 */

import type { PriceChange } from "./price_history.ts";
import type { VatTimeline } from "./price_terms_store.ts";

export const WINDOW_MS = 30 * 24 * 3_600_000;

interface LowestPrice {
  readonly lowestCents: number | null;
  readonly currency: string | null;
  /** When that price took effect, for the first time in the window. */
  readonly since: string | null;
  readonly complete: boolean;
}

/** The fields of a change that the lowest price depends on. */
export type ToldPrice = Pick<PriceChange, "at" | "toCents" | "currency">;

/** `changes` ascend, without those never shown, from the last one before the window on. */
export function lowestPrice(changes: readonly ToldPrice[], atMs: number): LowestPrice {
  const counted = changes.filter(({ at }) => Date.parse(at) < atMs);
  const first = counted[0];
  const currency = counted.at(-1)?.currency ?? null;
  const isWhole = first !== undefined && Date.parse(first.at) <= atMs - WINDOW_MS;
  let lowest: { readonly cents: number; readonly at: string } | null = null;
  for (const change of counted) {
    const { toCents: cents, at } = change;
    if (cents === null || change.currency !== currency) continue;
    if (lowest === null || cents < lowest.cents) lowest = { cents, at };
  }
  return {
    lowestCents: lowest?.cents ?? null,
    currency,
    since: lowest?.at ?? null,
    complete: isWhole && counted.every((change) => change.currency === currency),
  };
}

interface LowestGross {
  readonly cents: number;
  readonly since: string;
}

/** Each price with the VAT of its days; null without a price, or if a rate is unknown. */
export function lowestGross(
  changes: readonly ToldPrice[],
  atMs: number,
  vat: VatTimeline,
): LowestGross | null {
  const counted = changes.filter(({ at }) => Date.parse(at) < atMs);
  const currency = counted.at(-1)?.currency ?? null;
  let lowest: LowestGross | null = null;
  for (const [n, { at, toCents, currency: own }] of counted.entries()) {
    if (toCents === null || own !== currency) continue;
    const setMs = Date.parse(at);
    const fromMs = Math.max(setMs, atMs - WINDOW_MS);
    const beforeMs = Date.parse(counted[n + 1]?.at ?? new Date(atMs).toISOString());
    const moments = vat.momentsIn(fromMs, beforeMs).sort((one, other) => one - other);
    for (const momentMs of [fromMs, ...moments]) {
      const cents = vat.grossAt(toCents, momentMs);
      if (cents === null) return null;
      if (lowest !== null && cents >= lowest.cents) continue;
      lowest = { cents, since: new Date(momentMs === fromMs ? setMs : momentMs).toISOString() };
    }
  }
  return lowest;
}

/** A reduction consists of lowered prices; a change of currency is none. */
export function isReduction({ toCents, currency }: ToldPrice, before: ToldPrice): boolean {
  return before.toCents !== null && toCents !== null && currency === before.currency &&
    toCents < before.toCents;
}
