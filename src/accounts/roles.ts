/** Roles, weakest first; each includes the ones before it. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** True for the role itself and those above it; false for unknown roles. */
export function hasRole(held: Role, required: string): boolean {
  const rank = ROLES.findIndex((role) => role === required);
  return rank >= 0 && ROLES.indexOf(held) >= rank;
}
