/** Roles, weakest first; each includes the ones before it. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** True if `held` is the required role or a higher one; false for unknown roles. */
export function hasRole(held: Role, required: string): boolean {
  const rank = ROLES.findIndex((role) => role === required);
  return rank >= 0 && ROLES.indexOf(held) >= rank;
}

/** Every valid key may also read products, observations and competitors. Only grows. */
export const KEY_SCOPE_NAMES = [
  "products:write",
  "observations:write",
  "rules:read",
  "proposals:read",
  "proposals:write",
  "audit:read",
  "matches:write",
  "webhooks:write",
  "rules:write",
  "competitors:write",
  "alerts:read",
  "events:read",
] as const;

export type KeyScope = (typeof KEY_SCOPE_NAMES)[number];
