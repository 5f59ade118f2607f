/** What of a product the scope of a rule can ask for, in the order in which forms offer it. */
export const SCOPE_FIELDS = ["brand", "category", "tier", "currency"] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** How: the whole text, or a part of it; upper and lower case are the same. */
export const SCOPE_OPS = ["eq", "contains"] as const;

export type ScopeOp = (typeof SCOPE_OPS)[number];
