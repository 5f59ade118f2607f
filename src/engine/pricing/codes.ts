/** Codes of bounds and scopes as constants without schemas, because the web client imports them. */

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

/** Fields of a product that the scope of a rule can ask for, in the order of the forms. */
export const SCOPE_FIELDS = ["brand", "category", "tier", "currency"] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** How: the whole text, or a part of it; upper and lower case are the same. */
export const SCOPE_OPS = ["eq", "contains"] as const;

export type ScopeOp = (typeof SCOPE_OPS)[number];
