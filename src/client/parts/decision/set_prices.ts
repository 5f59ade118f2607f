/** Sets the prices of many products; each contains the price that it replaces. */

import type { BulkPrices } from "../../../catalogue/changes/change_products.ts";
import type { Call } from "../../api/call.ts";

/** Maximum number per request of the service. */
const AT_ONCE = 200;

export type SeenPrice = BulkPrices["prices"][number];

export interface SetPrices {
  readonly prices: readonly SeenPrice[];
  /** The reason; empty for none. */
  readonly reason: string;
}

export interface SetPricesOutcome {
  readonly done: readonly SeenPrice[];
  /** Number of products whose price has changed meanwhile, or that were deleted. */
  readonly left: number;
  /** The error that ended it early, or null. */
  readonly error: unknown;
}

/** Returns the change that restores the earlier price if the new one is still set. */
export function reversed({ seenCents, ourPriceCents, ...price }: SeenPrice): SeenPrice {
  return { ...price, seenCents: ourPriceCents, ourPriceCents: seenCents };
}

/**
 * Sets prices in batches. Prices set before an error stay and can be undone; `onSent` is called
 * with the number of sent prices.
 */
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
          // The person was already asked here, with more specific reasons.
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
