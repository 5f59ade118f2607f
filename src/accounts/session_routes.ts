import type { AppContext } from "../platform/http/app_context.ts";
import {
  answerVersioned,
  ErrorBody,
  expectedVersions,
  jsonAnswer,
  jsonBody,
  Ok,
  room,
  route,
} from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import { clientAddress } from "./client_address.ts";
import { anonymous, type IdentityDeps, isHttps, setSession, turnOf } from "./identity_deps.ts";
import type { PasswordTurns } from "./passwords/password.ts";
import { viewer } from "./route_access.ts";
import { isKnownBrowser } from "./sessions/login_throttle.ts";
import { refuseForeignOrigin } from "./sessions/origin_check.ts";
import { carriesSession, endedCookie, sessionHash } from "./sessions/session.ts";
import { changePassword, signIn, signOut } from "./sessions/sign_in.ts";
import { changeUser, requireUser } from "./users/change_user.ts";
import { PersonName, shownUser, type StoredUser, User, USER_READ_ONLY } from "./users/user.ts";
import { z } from "@hono/zod-openapi";

const login = route({
  method: "post",
  path: "/api/auth/login",
  access: { by: "anyone" },
  request: {
    body: jsonBody(
      z.strictObject({ email: z.string(), password: z.string() }).meta({ id: "Login" }),
    ),
  },
  responses: {
    200: jsonAnswer(User, "Signed in; the session is in `Set-Cookie`"),
    401: jsonAnswer(ErrorBody, "Address or password are wrong"),
    403: jsonAnswer(ErrorBody, "Sent from another site, with a session"),
  },
});

const logout = route({
  method: "post",
  path: "/api/auth/logout",
  access: viewer,
  keepsAnswers: false,
  responses: { 200: jsonAnswer(Ok, "The session has ended") },
});

const Me = User.extend({
  lastVisitAt: z.iso.datetime().nullable().meta({
    description:
      "When the visit before this one ended, by a pause of 30 minutes; null for the first",
  }),
}).meta({ id: "Me" });

const ME_READ_ONLY = [...USER_READ_ONLY, "lastVisitAt"];

const me = route({
  method: "get",
  path: "/api/auth/me",
  access: viewer,
  responses: { 200: jsonAnswer(Me, "Who is signed in") },
});

const changeMe = route({
  method: "patch",
  path: "/api/auth/me",
  access: viewer,
  versioned: true,
  request: {
    body: jsonBody(
      z.strictObject({ name: PersonName.optional() }).meta({ id: "MyChange" }),
    ),
  },
  responses: { 200: jsonAnswer(Me, "Who is signed in, as they are now") },
});

const password = route({
  method: "post",
  path: "/api/auth/password",
  access: viewer,
  keepsAnswers: false,
  request: {
    body: jsonBody(
      z.strictObject({ currentPassword: z.string(), newPassword: z.string() })
        .meta({ id: "PasswordChange" }),
    ),
  },
  responses: {
    200: jsonAnswer(Ok, "Every session has ended; a new one is in `Set-Cookie`"),
  },
});

/** Sign-in, sign-out, who is signed in, and a new password (docs/decisions/identity.md). */
export function sessionRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  const comingFrom = (c: AppContext) => ({
    address: clientAddress(c, deps.trustedProxies),
    turn: turnOf(deps, turns, c),
  });
  return room()
    .openapi(login, async (c) => {
      if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
      const signedIn = await signIn(anonymous(deps, c), {
        ...c.req.valid("json"),
        ...comingFrom(c),
        formerSession: sessionHash(c),
        isKnownTo: (user) => isKnownBrowser(c, deps.store, user),
      });
      const { user } = signedIn;
      await setSession(c, deps, signedIn);
      deps.onArrival({ store: deps.store, workspaceId: user.workspaceId });
      return c.json(shownUser(user), 200);
    })
    .openapi(logout, async (c) => {
      const session = sessionHash(c);
      if (session) await signOut(deps.store, session);
      c.header("Set-Cookie", endedCookie(isHttps(deps)));
      return c.json({ ok: true as const }, 200);
    })
    .openapi(me, async (c) => {
      const { user } = await requireUser(c.var.ctx, c.var.ctx.actor.id);
      deps.onArrival(c.var.ctx);
      return answerVersioned(c, await meOf(deps, c.var.ctx, user), ME_READ_ONLY);
    })
    .openapi(changeMe, async (c) => {
      const { ctx } = c.var;
      const user = await changeUser(ctx, ctx.actor.id, c.req.valid("json"), expectedVersions(c));
      return answerVersioned(c, await meOf(deps, ctx, user), ME_READ_ONLY);
    })
    .openapi(password, async (c) => {
      const change = { ...c.req.valid("json"), ...comingFrom(c) };
      await setSession(c, deps, await changePassword(c.var.ctx, change));
      return c.json({ ok: true as const }, 200);
    });
}

async function meOf(
  { visits }: IdentityDeps,
  ctx: Context,
  user: StoredUser,
): Promise<z.infer<typeof Me>> {
  const last = await visits.lastVisit(ctx, user.id, ctx.now());
  return { ...shownUser(user), lastVisitAt: last?.toISOString() ?? null };
}
