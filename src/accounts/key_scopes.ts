/**
 * Scopes of a key. Every valid key may also read products, observations and competitors. The names
 * are public, so none is ever removed.
 */
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
