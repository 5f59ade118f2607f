/** Roles from the weakest to the strongest. Each role has all rights of the roles before it. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(held: Role, required: string): boolean {
  const rank = ROLES.findIndex((role) => role === required);
  return rank >= 0 && ROLES.indexOf(held) >= rank;
}

/** Stored API keys contain the names of their scopes, so a scope must not be renamed. */
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

const session = <R extends Role>(role: R) => ({ by: "session", role }) as const;

export const viewer = session("viewer");
export const manager = session("manager");
export const owner = session("owner");

/** Admits people who still have to enter their second factor. */
export const anyStep = { ...session("viewer"), from: "first_step" } as const;
/** Admits people even if they have not set up the second factor that their role requires. */
export const settingUp = { ...session("viewer"), from: "set_up" } as const;

export const anyKey = { by: "key", scopes: [] } as const;

export const keyWith = (scope: KeyScope) => ({ by: "key", scopes: [scope] }) as const;

export const viewerOrKey = { by: "either", role: "viewer" satisfies Role } as const;
