/** What a shop says of its stock, from a page or by push (docs/decisions/competitors.md). */
export const AVAILABILITIES = [
  "in_stock",
  "limited",
  "out_of_stock",
  "pre_order",
  "back_order",
  "discontinued",
  "unknown",
] as const;

export type Availability = (typeof AVAILABILITIES)[number];

/**
 * True when it can be bought now, null when the shop does not say; null for what was never seen.
 */
export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null;
  return availability === "in_stock" || availability === "limited";
}
