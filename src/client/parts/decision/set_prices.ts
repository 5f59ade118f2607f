/**
 * Sets many prices. The price that the person saw is sent as well, so that no newer price is
 * overwritten.
 */

import type { BulkPrices } from "../../../catalogue/changes/change_products.ts";
import type { Call } from "../../api/call.ts";

/** Maximum number of prices in a request. */
const AT_ONCE = 200;

export type SeenPrice = BulkPrices["prices"][number];

export interface SetPrices {
  readonly prices: readonly SeenPrice[];
  readonly reason: string;
}

export interface SetPricesOutcome {
  readonly done: readonly SeenPrice[];
  /** Number of products that were deleted, or whose price has changed since the person saw it. */
  readonly left: number;
  readonly error: unknown;
}

/** The change that restores the former price if the product still has the new price. */
export function reversed({ seenCents, ourPriceCents, ...price }: SeenPrice): SeenPrice {
  return { ...price, seenCents: ourPriceCents, ourPriceCents: seenCents };
}

/** Prices set before an error stay and can be undone. `onSent` gets the number of sent prices. */
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
          // The person has already confirmed a large change.
          params: { query: { allowLargeChange: true } },
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
