/** Who signs in may do what the role says, weakest first; each may do what the ones before it may. */
export const ROLES = ["viewer", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];
