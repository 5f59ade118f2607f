/** Who signs in may do what the role says, weakest first; each may do what the ones before it may. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** True for the role itself and those above it; a role that does not exist is nobody's. */
export function hasRole(held: Role, required: string): boolean {
  const rank = ROLES.findIndex((role) => role === required);
  return rank >= 0 && ROLES.indexOf(held) >= rank;
}
