import {
  answerVersioned,
  ErrorBody,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { anonymous, type IdentityDeps, pageLink, setSession, turnOf } from "./identity_deps.ts";
import type { PasswordTurns } from "./passwords/password.ts";
import { owner, viewer } from "./route_access.ts";
import { refuseForeignOrigin } from "./sessions/origin_check.ts";
import { carriesSession } from "./sessions/session.ts";
import { acceptLink } from "./sessions/sign_in.ts";
import { changeUser, removeUser, requireUser } from "./users/change_user.ts";
import { createResetLink, inviteUser, type NewLink } from "./users/invite_user.ts";
import {
  Email,
  PersonName,
  personName,
  shownUser,
  type StoredUser,
  User,
  USER_READ_ONLY,
  UserRole,
} from "./users/user.ts";
import { listUsers } from "./users/user_store.ts";
import { z } from "@hono/zod-openapi";

const access = owner;
const UserId = z.object({ id: z.string() });
const PAGE = "/invitation";

const UserPage = pageOf(User).meta({ id: "UserPage" });
const LinkedUser = User.extend({
  link: z.string().meta({ description: "One-time link to choose a password, shown this once" }),
  linkExpiresAt: z.iso.datetime(),
}).meta({ id: "LinkedUser" });

const list = route({
  method: "get",
  path: "/api/users",
  access,
  request: { query: z.strictObject(pageQuery(50, 200)) },
  responses: { 200: jsonAnswer(UserPage, "The people of the workspace, in the order they came") },
});

const invite = route({
  method: "post",
  path: "/api/users",
  access,
  request: {
    body: jsonBody(
      z.strictObject({ email: Email, role: UserRole, name: PersonName.optional() })
        .meta({ id: "NewUser" }),
    ),
  },
  responses: { 201: jsonAnswer(LinkedUser, "The new user and the link to hand on, good for 72 h") },
});

const read = route({
  method: "get",
  path: "/api/users/{id}",
  access,
  request: { params: UserId },
  responses: { 200: jsonAnswer(User, "The person") },
});

const people = route({
  method: "get",
  path: "/api/people",
  access: viewer,
  responses: {
    200: jsonAnswer(
      z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) })
        .meta({ id: "People" }),
      "What the people of the workspace are called, in the order they came",
    ),
  },
});

const change = route({
  method: "patch",
  path: "/api/users/{id}",
  versioned: true,
  access,
  request: {
    params: UserId,
    body: jsonBody(ignoring(
      USER_READ_ONLY,
      z.strictObject({ role: UserRole.optional(), name: PersonName.optional() })
        .meta({ id: "UserChange" }),
    )),
  },
  responses: { 200: jsonAnswer(User, "The user as they are now; 409 for the last owner") },
});

const remove = route({
  method: "delete",
  path: "/api/users/{id}",
  versioned: true,
  access,
  request: { params: UserId },
  responses: { 200: jsonAnswer(Ok, "Removed, with all sessions; 409 for the last owner") },
});

const resetLink = route({
  method: "post",
  path: "/api/users/{id}/reset-link",
  access,
  request: { params: UserId },
  responses: { 200: jsonAnswer(LinkedUser, "A link to choose a new password, good for 72 h") },
});

const accept = route({
  method: "post",
  path: "/api/invitations/accept",
  access: { by: "anyone" },
  request: {
    body: jsonBody(
      z.strictObject({ token: z.string(), password: z.string() }).meta({ id: "Acceptance" }),
    ),
  },
  responses: {
    200: jsonAnswer(User, "The password is set and the user signed in"),
    403: jsonAnswer(ErrorBody, "The link is unknown, expired or used"),
  },
});

/**
 * The people of a workspace, and the links with which they choose their passwords
 * (docs/decisions/identity.md).
 */
export function userRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  return room()
    .openapi(list, async (c) => c.json(await listPage(c.var.ctx, c.req.valid("query")), 200))
    .openapi(
      invite,
      async (c) => c.json(linkedUser(deps, await inviteUser(c.var.ctx, c.req.valid("json"))), 201),
    )
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const user = await changeUser(c.var.ctx, id, c.req.valid("json"), expectedVersions(c));
      return answerVersioned(c, shownUser(user), USER_READ_ONLY);
    })
    .openapi(read, async (c) => {
      const { user } = await requireUser(c.var.ctx, c.req.valid("param").id);
      return answerVersioned(c, shownUser(user), USER_READ_ONLY);
    })
    .openapi(people, async (c) => {
      const users = await listUsers(c.var.ctx, { after: null, limit: null });
      return c.json({ items: users.map((user) => ({ id: user.id, name: personName(user) })) }, 200);
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await removeUser(c.var.ctx, id, { forget: deps.onRemoval, expected: expectedVersions(c) });
      return c.json({ ok: true as const }, 200);
    })
    .openapi(
      resetLink,
      async (c) =>
        c.json(linkedUser(deps, await createResetLink(c.var.ctx, c.req.valid("param").id)), 200),
    )
    .openapi(accept, async (c) => {
      if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
      const turn = turnOf(deps, turns, c);
      const done = await acceptLink(anonymous(deps, c), c.req.valid("json"), turn);
      await setSession(c, deps, done);
      return c.json(shownUser(done.user), 200);
    });
}

const LIST = "users";

async function listPage(ctx: Context, { limit, cursor }: { limit: number; cursor?: string }) {
  const position = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = await listUsers(ctx, { after: position, limit: limit + 1 });
  const page = toPage(ctx, { list: LIST, rows, limit, positionOf: ({ id }) => id });
  return { ...page, items: page.items.map(shownUser) };
}

function linkedUser(
  deps: IdentityDeps,
  { user, link }: { user: StoredUser; link: NewLink },
) {
  const { token, expiresAt } = link;
  return { ...shownUser(user), link: pageLink(deps, PAGE, token), linkExpiresAt: expiresAt };
}
