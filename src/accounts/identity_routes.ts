/** All routes of identity: set-up, sessions, users, keys and settings (docs/decisions/identity.md). */
import { one } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { anonymous, type IdentityDeps, setSession, turnOf } from "./identity_deps.ts";
import { factorRoutes } from "./factor_routes.ts";
import { callerRoutes, keyRoutes } from "./key_routes.ts";
import { createPasswordTurns, type PasswordTurns } from "./passwords/password.ts";
import { sessionRoutes } from "./session_routes.ts";
import { providerRoutes } from "./provider_routes.ts";
import { refuseForeignOrigin } from "./sessions/origin_check.ts";
import { carriesSession } from "./sessions/session.ts";
import { SetUp, setUp } from "./set_up.ts";
import { settingsRoutes } from "./settings_routes.ts";
import { userRoutes } from "./user_routes.ts";
import { serialiseUser, User } from "./users/user.ts";
import { hasHadUsers } from "./users/user_store.ts";
import { WorkspaceAnswer, workspaceAnswer } from "./workspace.ts";
import { z } from "@hono/zod-openapi";

export function identityRoutes(deps: IdentityDeps) {
  const turns = createPasswordTurns();
  return [
    ...setUpRoutes(deps, turns),
    ...sessionRoutes(deps, turns),
    ...factorRoutes(deps, turns),
    ...providerRoutes(deps),
    ...settingsRoutes(),
    ...userRoutes(deps, turns),
    ...keyRoutes(deps.keyRing),
    ...callerRoutes(),
  ];
}

const SetUpState = z.object({
  open: z.boolean().meta({ description: "True if there is no user yet" }),
}).meta({ id: "SetUpState" });

const SetUpDone = z.object({ user: User, workspace: WorkspaceAnswer }).meta({ id: "SetUpDone" });

/** The first run (docs/decisions/identity.md). */
function setUpRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  const anyone = { people: { by: "anyone" } } as const;
  return resource("/setup", { look: anyone, change: anyone })
    .get("", {
      answer: one(SetUpState, "Whether the service waits for its first user"),
    }, async () => ({ open: !await hasHadUsers(deps.store) }))
    .post("", {
      body: SetUp,
      answer: one(SetUpDone, "The first owner, signed in; 409 if there is a user"),
      status: 201,
      refusals: { 403: "The token is wrong or too old" },
    }, async ({ c, body }) => {
      if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
      const done = await setUp(anonymous(deps, c), body, turnOf(deps, turns, c));
      await setSession(c, deps, done);
      return { user: serialiseUser(done.user), workspace: workspaceAnswer(done.workspace) };
    }).routes;
}
