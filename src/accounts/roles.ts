/** Roles, weakest first; each includes the ones before it. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** True if `held` is the required role or a higher one; false for unknown roles. */
export function hasRole(held: Role, required: string): boolean {
  const rank = ROLES.findIndex((role) => role === required);
  return rank >= 0 && ROLES.indexOf(held) >= rank;
}
