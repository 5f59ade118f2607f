/**
 * Codes of price bounds, rule scopes and proposals. The module imports nothing, so that the web
 * client loads no other module with it.
 */

/** The order matters: if several bounds set the same limit, a decision names the first of them. */
export const BOUND_CODES = [
  "margin_floor",
  "markup_floor",
  "min_price",
  "max_price",
  "below_target",
  "above_target",
] as const;

export type BoundCode = (typeof BOUND_CODES)[number];

export const BINDING_CODES: readonly string[] = [...BOUND_CODES, "max_move", "ending_dropped"];

export const SCOPE_FIELDS = ["brand", "category", "tier", "currency"] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** Operators that compare texts in a rule's scope, ignoring case. */
export const SCOPE_OPS = ["eq", "contains"] as const;

export type ScopeOp = (typeof SCOPE_OPS)[number];

/**
 * An open proposal can get any status except `rolled_back`; an applied proposal can only get
 * `rolled_back`.
 */
export const PROPOSAL_STATUSES = [
  "open",
  "applied",
  "rejected",
  "expired",
  "superseded",
  "rolled_back",
] as const;
