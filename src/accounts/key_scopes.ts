/**
 * What a key may do beside reading products, observations and competitors, which every valid key
 * may. The names are public and only ever grow.
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
