import { ErrorBody, jsonAnswer, jsonBody, room, route } from "../platform/http/http.ts";
import { anonymous, type IdentityDeps, setSession, turnOf } from "./identity_deps.ts";
import type { PasswordTurns } from "./passwords/password.ts";
import { refuseForeignOrigin } from "./sessions/origin_check.ts";
import { carriesSession } from "./sessions/session.ts";
import { SetUp, setUp } from "./set_up.ts";
import { shownUser, User } from "./users/user.ts";
import { hasHadUsers } from "./users/user_store.ts";
import { WorkspaceAnswer, workspaceAnswer } from "./workspace.ts";
import { z } from "@hono/zod-openapi";

const state = route({
  method: "get",
  path: "/api/setup",
  access: { by: "anyone" },
  responses: {
    200: jsonAnswer(
      z.object({
        open: z.boolean().meta({ description: "True while there is no user yet" }),
      }).meta({ id: "SetUpState" }),
      "Whether the service waits for its first user",
    ),
  },
});

const run = route({
  method: "post",
  path: "/api/setup",
  access: { by: "anyone" },
  request: { body: jsonBody(SetUp) },
  responses: {
    201: jsonAnswer(
      z.object({ user: User, workspace: WorkspaceAnswer }).meta({ id: "SetUpDone" }),
      "The first owner, signed in; 409 once there is a user",
    ),
    403: jsonAnswer(ErrorBody, "The token is wrong or too old"),
  },
});

/** The first run (docs/decisions/identity.md). */
export function setUpRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  return room()
    .openapi(state, async (c) => c.json({ open: !await hasHadUsers(deps.store) }, 200))
    .openapi(run, async (c) => {
      if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
      const turn = turnOf(deps, turns, c);
      const done = await setUp(anonymous(deps, c), c.req.valid("json"), turn);
      await setSession(c, deps, done);
      return c.json(
        { user: shownUser(done.user), workspace: workspaceAnswer(done.workspace) },
        201,
      );
    });
}
