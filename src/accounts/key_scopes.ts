/**
 * Scopes of a key, in addition to reading products, observations and competitors, which every valid
 * key may do. The names are public; none is ever removed.
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
] as const;

export type KeyScope = (typeof KEY_SCOPE_NAMES)[number];
