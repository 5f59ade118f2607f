/**
 * Codes of bounds and scopes. The module contains no schemas, because the web client imports it.
 */

/** Codes in order of precedence: of several equally tight bounds, the first is named. */
export const BOUND_CODES = [
  "margin_floor",
  "markup_floor",
  "min_price",
  "max_price",
  "below_target",
  "above_target",
] as const;

export type BoundCode = (typeof BOUND_CODES)[number];

/** Codes of notes that are shown as the binding guard if no guard forbids the price. */
export const BINDING_CODES: readonly string[] = [...BOUND_CODES, "max_move", "ending_dropped"];

/** Product fields that a rule's scope can test, in the order of the forms. */
export const SCOPE_FIELDS = ["brand", "category", "tier", "currency"] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** A field is compared as a whole or by a part. Case is ignored. */
export const SCOPE_OPS = ["eq", "contains"] as const;

export type ScopeOp = (typeof SCOPE_OPS)[number];
