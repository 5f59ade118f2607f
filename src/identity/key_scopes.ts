/**
 * What a key may do beside reading products, observations and competitors, which every valid key
 * may (decisions §9). The names are public and only ever grow.
 */
export const KEY_SCOPES = [
  { name: "products:write", text: "Import products and see the jobs of imports" },
  { name: "observations:write", text: "Push observations of competitor prices" },
  { name: "rules:read", text: "Read the rules" },
  { name: "proposals:read", text: "Read price proposals" },
  { name: "proposals:write", text: "Approve and reject price proposals" },
  { name: "audit:read", text: "Read the audit log" },
] as const;

export type KeyScope = (typeof KEY_SCOPES)[number]["name"];

/** The names alone, in the order of the list. */
export const KEY_SCOPE_NAMES: readonly KeyScope[] = KEY_SCOPES.map(({ name }) => name);
