/** Lists all routes for set-up, sessions, users, keys and settings (docs/decisions/identity.md). */
import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import { done, one, page, versioned } from "../platform/http/answer.ts";
import { pageById, pageQuery } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import { changeSettings, confirmHold } from "./change_settings.ts";
import { SetUp, setUp } from "./set_up.ts";
import {
  type IdentityDeps,
  myRoutes,
  ownStranger,
  pageLink,
  providerRoutes,
  setSession,
  signInRoutes,
  strangerOf,
} from "./session_routes.ts";
import type { KeyRing } from "./admission.ts";
import {
  ApiKey,
  createKey,
  findShownKey,
  KeyRotation,
  listKeys,
  NewApiKey,
  revokeKey,
  rotateKey,
  serialiseKey,
} from "./keys/api_key.ts";
import { factorRoutes } from "./factor_routes.ts";
import { anyKey, manager, owner, viewer } from "./roles.ts";
import { acceptLink, refusePassword } from "./sessions/sign_in.ts";
import { changeUser, createResetLink, inviteUser, removeUser } from "./users/change_user.ts";
import {
  Email,
  hasHadUsers,
  listUsers,
  PersonName,
  personName,
  requireUser,
  serialiseUser,
  User,
  USER_READ_ONLY,
  UserRole,
} from "./users/user.ts";
import {
  PriceTerms,
  requireWorkspace,
  SETTINGS_READ_ONLY,
  WorkspaceAnswer,
  workspaceAnswer,
  WorkspaceSettings,
} from "./workspace.ts";

export function identityRoutes(deps: IdentityDeps) {
  return [
    ...setUpRoutes(deps),
    ...signInRoutes(deps),
    ...myRoutes(deps),
    ...factorRoutes(deps),
    ...providerRoutes(deps),
    ...settingsRoutes(),
    ...peopleRoutes(deps),
    ...linkRoutes(deps),
    ...keyRoutes(deps.keyRing),
    ...callerRoutes(),
  ];
}

const SetUpState = z.object({
  open: z.boolean().describe("True if there is no user yet"),
}).meta({ id: "SetUpState" });

const SetUpDone = z.object({ user: User, workspace: WorkspaceAnswer }).meta({ id: "SetUpDone" });

function setUpRoutes(deps: IdentityDeps) {
  const anyone = { people: { by: "anyone" } } as const;
  return resource("/setup", { read: anyone, change: anyone })
    .get("", {
      answer: one(SetUpState, "Whether the service waits for its first user"),
    }, async () => ({ open: !await hasHadUsers(deps.store) }))
    .post("", {
      body: SetUp,
      answer: one(SetUpDone, "The first owner, signed in; 409 if there is a user"),
      status: 201,
      refusals: { 403: "The token is wrong or too old" },
    }, async ({ c, body }) => {
      const done = await setUp(ownStranger(deps, c), body);
      const user = await setSession(c, deps, done);
      return { user, workspace: workspaceAnswer(done.workspace) };
    }).routes;
}

/** A person can change the settings in `NEED_PROOF` only after a recent proof of identity. */
const NEED_PROOF: readonly (keyof WorkspaceSettings)[] = [
  "autoApply",
  "budgetPerDay",
  "approval",
  "secondFactorRoles",
];

const readOnly = SETTINGS_READ_ONLY;

function settingsRoutes() {
  return [
    ...resource("/settings", { read: { people: viewer }, change: { people: owner }, readOnly })
      .get("", {
        answer: versioned(WorkspaceAnswer, "The workspace and its settings"),
      }, async ({ ctx }) => workspaceAnswer(await requireWorkspace(ctx)))
      .get("", {
        callers: { keys: anyKey },
        answer: one(PriceTerms, "The workspace's settings for prices and days"),
      }, async ({ ctx }) => PriceTerms.parse(await requireWorkspace(ctx)))
      .patch("", {
        versioned: true,
        sensitive: (body) => NEED_PROOF.some((name) => Object.hasOwn(Object(body), name)),
        isDocument: true,
        body: WorkspaceSettings,
        answer: versioned(WorkspaceAnswer, "The changed settings"),
      }, async ({ ctx, body, expected }) => {
        return workspaceAnswer(await changeSettings(ctx, body, expected));
      }).routes,
    ...resource("/import-hold", { read: {}, change: { people: manager }, readOnly })
      .post("/confirm", {
        answer: versioned(
          WorkspaceAnswer,
          "The settings; the hold that an upgrade switched on is confirmed",
        ),
      }, async ({ ctx }) => workspaceAnswer(await confirmHold(ctx))).routes,
  ];
}

const CreatedApiKey = ApiKey.extend({ key: z.string().describe("The key itself, shown only once") })
  .meta({ id: "CreatedApiKey" });

function createdKey({ key, text }: Awaited<ReturnType<typeof createKey>>) {
  return { ...serialiseKey(key, null), key: text };
}

function keyRoutes(keyRing: KeyRing) {
  return resource("/keys", { read: { people: owner }, change: { people: owner } })
    .list({
      query: z.strictObject(pageQuery(50, 200)),
      answer: page(ApiKey, "The keys, without revoked ones", { inApp: "ApiKeyPage" }),
    }, ({ ctx, query }) => pageById(ctx, query, (range) => listKeys(ctx, range)))
    .post("", {
      sensitive: true,
      keepsAnswers: false,
      body: NewApiKey,
      answer: one(CreatedApiKey, "The new key"),
      status: 201,
    }, async ({ ctx, body }) => createdKey(await createKey(ctx, body)))
    .post("/{id}/rotate", {
      sensitive: true,
      keepsAnswers: false,
      optionalBody: KeyRotation,
      answer: one(CreatedApiKey, "The new key; the old one ends after the overlap"),
      status: 201,
    }, async ({ ctx, id, body }) => createdKey(await rotateKey(ctx, id, body, keyRing)))
    .delete("/{id}", {
      sensitive: true,
      answer: done("The key was revoked, at once in this process and within 5 s in others"),
    }, ({ ctx, id }) => revokeKey(ctx, id, keyRing)).routes;
}

const CallerDocument = z.object({ key: ApiKey, workspace: WorkspaceAnswer }).meta({ id: "Caller" });

function callerRoutes() {
  const keys = { keys: anyKey };
  return resource("/me", { read: keys, change: keys })
    .get("", {
      answer: one(CallerDocument, "The calling key and its workspace", { external: "CallerData" }),
    }, async ({ ctx }) => {
      const key = await findShownKey(ctx, ctx.actor.id);
      if (!key) throw new Failure("invalid_api_key", "The API key is revoked");
      return { key, workspace: workspaceAnswer(await requireWorkspace(ctx)) };
    }).routes;
}

const LinkedUser = User.extend({
  link: z.string().describe("One-time link for choosing a password, shown only once"),
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

function peopleRoutes(deps: IdentityDeps) {
  return resource("/users", {
    read: { people: owner },
    change: { people: owner },
    readOnly: USER_READ_ONLY,
  })
    .list({
      query: z.strictObject(pageQuery(50, 200)),
      answer: page(User, "The people of the workspace, oldest first", { inApp: "UserPage" }),
    }, async ({ ctx, query }) => {
      const page = await pageById(ctx, query, (range) => listUsers(ctx, range));
      return { ...page, items: page.items.map(serialiseUser) };
    })
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
      return serialiseUser((await requireUser(ctx, id)).row);
    })
    .remove({
      sensitive: true,
      answer: done("The user and their sessions were removed; 409 for the last owner"),
    }, ({ ctx, id, expected }) => removeUser(ctx, id, { forget: deps.onRemoval, expected })).routes;
}

function linkRoutes(deps: IdentityDeps) {
  return resource("", { read: { people: viewer }, change: { people: owner } })
    .get("/people", {
      answer: one(People, "The names of the people of the workspace, oldest first"),
    }, async ({ ctx }) => {
      const all = await listUsers(ctx, { after: null, limit: null });
      return { items: all.map((user) => ({ id: user.id, name: personName(user) })) };
    })
    .post("/users/{id}/reset-link", {
      sensitive: true,
      answer: one(LinkedUser, "A link for choosing a new password, valid for 72 h"),
    }, async ({ c, ctx, id }) => {
      refusePassword(strangerOf(deps, c).mustUse((await requireUser(ctx, id)).row));
      return linkedUser(deps, await createResetLink(ctx, id));
    })
    .post("/invitations/accept", {
      callers: { people: { by: "anyone" } },
      body: Acceptance,
      answer: one(User, "The password is set and the user is signed in"),
      refusals: { 403: "The link is unknown, expired or used" },
    }, async ({ c, body }) => {
      return await setSession(c, deps, await acceptLink(ownStranger(deps, c), body));
    }).routes;
}

function linkedUser(
  deps: IdentityDeps,
  { user, link: { token, expiresAt } }: Awaited<ReturnType<typeof inviteUser>>,
) {
  const link = pageLink(deps, "/invitation", token);
  return { ...serialiseUser(user), link, linkExpiresAt: expiresAt };
}
