/** Codes for suspicious prices and for discovery, which server and web client share. */

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

/**
 * A suspicious price is accepted if the page still shows it after this time, unless many prices of
 * the shop changed alike.
 */
export const COUNTS_AFTER_HOURS = 6;

/**
 * With `suggest`, a person must accept each link. With `automatic`, links with clearly matching
 * product numbers are created without a person.
 */
export const DISCOVERY_MODES = ["off", "suggest", "automatic"] as const;
export type DiscoveryMode = (typeof DISCOVERY_MODES)[number];

export const DISCOVERY_PHASES = [
  "off",
  "paused",
  "idle",
  "reading",
  "ordering",
  "visiting",
] as const;

export type DiscoveryPhase = (typeof DISCOVERY_PHASES)[number];

export function shopCodeOf(code: string): SuspicionCode | null {
  return Object.values(SHOP_CODES).find((one) => one === code) ?? null;
}
