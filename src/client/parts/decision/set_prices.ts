/** Sets prices of many products; each names the price that it replaces. */

import type { BulkPrices } from "../../../catalogue/changes/change_products.ts";
import type { Call } from "../../api/call.ts";

/** As many as the service takes at once. */
const AT_ONCE = 200;

export type SeenPrice = BulkPrices["prices"][number];

export interface SetPrices {
  readonly prices: readonly SeenPrice[];
  /** Empty is none. */
  readonly reason: string;
}

export interface SetPricesOutcome {
  readonly done: readonly SeenPrice[];
  /** Products whose price has changed meanwhile, or that were deleted. */
  readonly left: number;
  /** The error that ended it early; `null` without one. */
  readonly error: unknown;
}

/** The change that restores the earlier price, if the new one is still set. */
export function reversed({ seenCents, ourPriceCents, ...price }: SeenPrice): SeenPrice {
  return { ...price, seenCents: ourPriceCents, ourPriceCents: seenCents };
}

/** Prices set before an error stay set and can be undone; `onSent` gets the number of sent ones. */
export async function setPrices(
  call: Call,
  { prices, reason }: SetPrices,
  onSent?: (count: number) => void,
): Promise<SetPricesOutcome> {
  const done: SeenPrice[] = [];
  let left = 0;
  for (let at = 0; at < prices.length; at += AT_ONCE) {
    onSent?.(at);
    const part = prices.slice(at, at + AT_ONCE);
    const body: BulkPrices = { prices: part, ...(reason !== "" && { reason }) };
    try {
      const { results } = await call((api) =>
        api.POST("/api/products/bulk/prices", {
          // The person was asked here, and with more reasons.
          params: {
            query: { allowLargeChange: true },
          },
          body,
        })
      );
      done.push(...part.filter((_, n) => results[n]?.ok));
      left += results.filter(({ ok }) => !ok).length;
    } catch (error) {
      return { done, left, error };
    }
  }
  return { done, left, error: null };
}
