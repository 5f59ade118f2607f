/**
 * The lowest own price of the 30 days before a price reduction (PAngV § 11,
 * docs/decisions/catalogue.md). The window is [at − 30 days, at): it counts the price that is in
 * force when it opens, and not one that is set exactly at `at`. Prices in another currency than the
 * last one are left out and make the answer incomplete, as does a history that begins within the
 * window.
 *
 * An entry that is marked as never shown did not happen for customers: the price before it went on
 * until the next one that was shown.
 */
import type { PriceChange } from "./price_history.ts";
import type { PriceHistoryEntry } from "./price_mark.ts";

export const WINDOW_MS = 30 * 24 * 3_600_000;

export interface LowestPrice {
  readonly lowestCents: number | null;
  readonly currency: string | null;
  /** When that price took effect, for the first time in the window. */
  readonly since: string | null;
  readonly complete: boolean;
}

/** True for a price that customers may have seen. */
export function wasShown({ mark }: PriceHistoryEntry): boolean {
  return !mark?.neverShown;
}

/**
 * `changes` ascending, without those that were never shown: those of the window, and the last one at or before its start if there is
 * one.
 */
export function lowestPrice(changes: readonly PriceChange[], atMs: number): LowestPrice {
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

/**
 * True when the change made the price lower: what a reduction is made of. A new currency is a new
 * price.
 */
export function isReduction({ toCents, currency }: PriceChange, before: PriceChange): boolean {
  return before.toCents !== null && toCents !== null && currency === before.currency &&
    toCents < before.toCents;
}

/**
 * The gross price of a net one, rounded half up to the minor unit; `ratePct` has at most 4
 * decimals.
 */
export function grossCents(netCents: number, ratePct: number): number {
  const scale = 1_000_000n;
  const factor = scale + BigInt(Math.round(ratePct * 10_000));
  return Number((BigInt(netCents) * factor + scale / 2n) / scale);
}
