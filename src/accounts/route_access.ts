/** Values of `access` in route declarations. */

import type { KeyScope, Role } from "./roles.ts";

const session = <R extends Role>(role: R) => ({ by: "session", role }) as const;

export const viewer = session("viewer");
export const manager = session("manager");
export const owner = session("owner");

/** Admits people even if they have not given their second factor yet. */
export const anyStep = { ...session("viewer"), from: "first_step" } as const;
/** Admits people even if they have not set up the second factor that their role requires. */
export const settingUp = { ...session("viewer"), from: "set_up" } as const;

export const anyKey = { by: "key", scopes: [] } as const;

export const keyWith = (scope: KeyScope) => ({ by: "key", scopes: [scope] }) as const;

export const viewerOrKey = { by: "either", role: "viewer" satisfies Role } as const;
