/** Whom routes name in their `access`: a role that does not exist cannot be written here. */
import type { Role } from "./roles.ts";

/** Somebody who is signed in and has the role or one above it. */
const session = <R extends Role>(role: R) => ({ by: "session", role }) as const;

export const viewer = session("viewer");
export const manager = session("manager");
export const owner = session("owner");

/** Any member, or any valid key, on either interface. */
export const viewerOrKey = { by: "either", role: "viewer" satisfies Role } as const;
