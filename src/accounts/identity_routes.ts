import type { IdentityDeps } from "./identity_deps.ts";
import { keyRoutes } from "./key_routes.ts";
import { createPasswordTurns } from "./passwords/password.ts";
import { sessionRoutes } from "./session_routes.ts";
import { setUpRoutes } from "./set_up_routes.ts";
import { settingsRoutes } from "./settings_routes.ts";
import { userRoutes } from "./user_routes.ts";

/**
 * Everything about who may do what: set-up, sessions, settings, users and keys
 * (docs/decisions/identity.md).
 */
export function identityRoutes(deps: IdentityDeps) {
  const turns = createPasswordTurns();
  return [
    ...setUpRoutes(deps, turns),
    ...sessionRoutes(deps, turns),
    ...settingsRoutes(),
    ...userRoutes(deps, turns),
    ...keyRoutes(deps.keyRing),
  ];
}
