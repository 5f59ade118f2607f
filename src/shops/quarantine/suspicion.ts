/**
 * Reasons to suspect an observed price, and the time after which a suspicious price is accepted.
 */

/** Clients know these codes, so never remove a code. */
export const SUSPICIONS = [
  "unit",
  "currency",
  "fell",
  "rose",
  "below_market",
  "above_market",
  "below_cost",
  "shop_jump",
  "shop_same_price",
  "first_price_off",
] as const;

export type SuspicionCode = (typeof SUSPICIONS)[number];

export const SHOP_CODES = { down: "shop_jump", up: "shop_jump", same: "shop_same_price" } as const;

export function shopCodeOf(code: string): SuspicionCode | null {
  return Object.values(SHOP_CODES).find((one) => one === code) ?? null;
}

/**
 * If a page still shows the same suspicious price after this time, the price is accepted, unless an
 * alarm for the shop holds it.
 */
export const COUNTS_AFTER_HOURS = 6;
