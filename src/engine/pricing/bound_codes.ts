/** The codes of what holds a price back: bounds of a rule or a product. Constants, for the web client, too. */

/** Of bounds that a price keeps to; the tighter one is named, of equal ones the first. */
export const BOUND_CODES = [
  "margin_floor",
  "markup_floor",
  "min_price",
  "max_price",
  "below_target",
  "above_target",
] as const;

export type BoundCode = (typeof BOUND_CODES)[number];

/** A guard of one of these names has changed the price, not held it back. */
export const BINDING_CODES: readonly string[] = [...BOUND_CODES, "max_move", "ending_dropped"];
