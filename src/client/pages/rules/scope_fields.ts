import type { ScopeField } from "../../../pricing/scope.ts";

/** The attributes that a scope can ask for, in the order in which they are offered. */
export const SCOPE_FIELD_NAMES: readonly ScopeField[] = ["brand", "category", "tier", "currency"];
