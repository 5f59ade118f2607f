/** Codes of bounds and scopes as constants without schemas, because the web client imports them. */

/** The tightest bound is named; if two are equal, the first one. */
export const BOUND_CODES = [
  "margin_floor",
  "markup_floor",
  "min_price",
  "max_price",
  "below_target",
  "above_target",
] as const;

export type BoundCode = (typeof BOUND_CODES)[number];

/** Guards with these codes have changed the price; they did not forbid it. */
export const BINDING_CODES: readonly string[] = [...BOUND_CODES, "max_move", "ending_dropped"];

/** Product fields that a rule's scope can test, in the order of the forms. */
export const SCOPE_FIELDS = ["brand", "category", "tier", "currency"] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** How a field is compared: as a whole, or by a part of it. Case is ignored. */
export const SCOPE_OPS = ["eq", "contains"] as const;

export type ScopeOp = (typeof SCOPE_OPS)[number];
