import { z } from "@hono/zod-openapi";
import type { Context } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { done, one, page, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import {
  anonymous,
  browserOf,
  type IdentityDeps,
  pageLink,
  setSession,
  turnOf,
} from "./identity_deps.ts";
import { refuseForeignOrigin } from "./client_address.ts";
import { carriesSession } from "./sessions/session.ts";
import { acceptLink } from "./sessions/sign_in.ts";
import { createResetLink, inviteUser, type NewLink } from "./users/invite_user.ts";
import { changeUser, removeUser, requireUser } from "./users/change_user.ts";
import {
  Email,
  listUsers,
  PersonName,
  personName,
  serialiseUser,
  type StoredUser,
  User,
  USER_READ_ONLY,
  UserRole,
} from "./users/user.ts";
import type { PasswordTurns } from "./passwords/password.ts";
import { owner, viewer } from "./route_access.ts";

const LinkedUser = User.extend({
  link: z.string().meta({ description: "One-time link for choosing a password, shown only once" }),
  linkExpiresAt: z.iso.datetime(),
}).meta({ id: "LinkedUser" });

const NewUser = z.strictObject({ email: Email, role: UserRole, name: PersonName.optional() })
  .meta({ id: "NewUser" });

const People = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: "People" });

const UserChange = z.strictObject({ role: UserRole.optional(), name: PersonName.optional() })
  .meta({ id: "UserChange" });

const Acceptance = z.strictObject({ token: z.string(), password: z.string() })
  .meta({ id: "Acceptance" });

/** People, and the links for choosing their passwords (docs/decisions/identity.md). */
export function userRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  return [...peopleRoutes(deps), ...linkRoutes(deps, turns)];
}

/** The people, who are managed by an owner. */
function peopleRoutes(deps: IdentityDeps) {
  return resource("/users", {
    look: { people: owner },
    change: { people: owner },
    readOnly: USER_READ_ONLY,
  })
    .list({
      query: z.strictObject(pageQuery(50, 200)),
      answer: page(User, "The people of the workspace, oldest first", {
        inApp: "UserPage",
      }),
    }, ({ ctx, query }) => listPage(ctx, query))
    .post("", {
      sensitive: true,
      body: NewUser,
      answer: one(LinkedUser, "The new user and the link for them, valid for 72 h"),
      status: 201,
    }, async ({ ctx, body }) => linkedUser(deps, await inviteUser(ctx, body)))
    .change({
      sensitive: true,
      body: UserChange,
      answer: versioned(User, "The changed user; 409 for the last owner"),
    }, async ({ ctx, id, body, expected }) => {
      return serialiseUser(await changeUser(ctx, id, body, expected));
    })
    .read({ answer: versioned(User, "The person") }, async ({ ctx, id }) => {
      return serialiseUser((await requireUser(ctx, id)).user);
    })
    .remove({
      sensitive: true,
      answer: done("The user and their sessions were removed; 409 for the last owner"),
    }, async ({ ctx, id, expected }) => {
      await removeUser(ctx, id, { forget: deps.onRemoval, expected });
    }).routes;
}

/** Their names for everybody, and the links for choosing passwords. */
function linkRoutes(deps: IdentityDeps, turns: PasswordTurns) {
  return resource("", { look: { people: viewer }, change: { people: owner } })
    .get("/people", {
      answer: one(People, "The names of the people of the workspace, oldest first"),
    }, async ({ ctx }) => {
      const all = await listUsers(ctx, { after: null, limit: null });
      return { items: all.map((user) => ({ id: user.id, name: personName(user) })) };
    })
    .post("/users/{id}/reset-link", {
      sensitive: true,
      answer: one(LinkedUser, "A link for choosing a new password, valid for 72 h"),
    }, async ({ ctx, id }) => linkedUser(deps, await createResetLink(ctx, id)))
    .post("/invitations/accept", {
      callers: { people: { by: "anyone" } },
      body: Acceptance,
      answer: one(User, "The password is set and the user is signed in"),
      refusals: { 403: "The link is unknown, expired or used" },
    }, async ({ c, body }) => {
      if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
      const accepted = await acceptLink(anonymous(deps, c), body, {
        turn: turnOf(deps, turns, c),
        browser: browserOf(deps, c),
      });
      await setSession(c, deps, accepted);
      return serialiseUser(accepted.user);
    }).routes;
}

const LIST = "users";

async function listPage(ctx: Context, { limit, cursor }: { limit: number; cursor?: string }) {
  const position = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = await listUsers(ctx, { after: position, limit: limit + 1 });
  const page = toPage(ctx, { list: LIST, rows, limit, positionOf: ({ id }) => id });
  return { ...page, items: page.items.map(serialiseUser) };
}

function linkedUser(
  deps: IdentityDeps,
  { user, link }: { user: StoredUser; link: NewLink },
) {
  const { token, expiresAt } = link;
  return {
    ...serialiseUser(user),
    link: pageLink(deps, "/invitation", token),
    linkExpiresAt: expiresAt,
  };
}
