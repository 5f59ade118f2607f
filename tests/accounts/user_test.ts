import { removeUser } from "../../src/accounts/users/change_user.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import { contextFor } from "../../src/platform/store/context.ts";
import { cookieOf } from "../caller.ts";
import { serveApp, type TestApp, withApp } from "../harness.ts";
import {
  addPerson,
  cookieBy,
  login,
  outcome,
  PASSWORD,
  SIGNED_OUT,
  tokenOf,
  toolsOf,
  visit,
} from "./people.ts";
import { deepStrictEqual as assertEquals, match, rejects } from "node:assert/strict";
import { Email } from "../../src/accounts/users/user.ts";
import { column, refuses, statusOf } from "../api/answers.ts";
import {
  addFirstUser,
  addKey,
  addUser,
  issueSetupToken,
  setPassword,
} from "../../src/accounts/set_up.ts";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { testWith } from "../opened.ts";

const BEN = "ben@shop.example";
const OTHER_PASSWORD = "regen-trommel-44";

const invite = (app: TestApp, email = BEN, role = "viewer") =>
  app.owner.create("/api/users", { email, role });
const accept = (app: TestApp, link: string, password = PASSWORD) =>
  app.anyone.post("/api/invitations/accept", { token: tokenOf(link), password });
const resetLink = async (app: TestApp, id: string): Promise<string> =>
  (await app.owner.act(`/api/users/${id}/reset-link`)).link;

withApp.test("a one-time link admits the invited person until it expires, and an easy password keeps the link", async (app) => {
  const { link, linkExpiresAt, ...user } = await invite(app, " Ben@Shop.Example", "manager");
  assertEquals({ ...user, id: "" }, {
    id: "",
    email: BEN,
    name: null,
    role: "manager",
    status: "invited",
    hasSecondFactor: false,
    createdAt: "2026-03-02T09:00:00.000Z",
  });
  assertEquals(linkExpiresAt, "2026-03-05T09:00:00.000Z");
  match(link, new RegExp(`^${app.base}/invitation#token=[\\w-]{43}$`));
  for (const password of ["kurz", BEN]) {
    await refuses(accept(app, link, password), "validation_failed", password);
  }
  const accepted = await accept(app, link);
  assertEquals(await accepted.json(), { ...user, status: "active" });
  assertEquals((await app.anyone.read("/api/auth/me", { Cookie: cookieOf(accepted) })).id, user.id);
  assertEquals(await statusOf(login(app, BEN)), 200);
  const late = await invite(app, "eva@shop.example");
  app.clock.advance(72 * HOUR_MS);
  for (const used of [link, late.link, "#token=", "#token=x", `#token=${"A".repeat(43)}`]) {
    await refuses(accept(app, used), "forbidden", used);
  }
});

withApp.test("of parallel requests, one chooses the password of an invitation, and one invites an address", async (app) => {
  const { link } = await invite(app);
  const answers = [accept(app, link), accept(app, link, OTHER_PASSWORD)];
  assertEquals((await Promise.all(answers.map(statusOf))).sort(), [200, 403]);
  const racers = [1, 2, 3].map(() =>
    app.owner.post("/api/users", { email: "eva@shop.example", role: "viewer" })
  );
  assertEquals((await Promise.all(racers.map(statusOf))).sort(), [201, 409, 409]);
});

withApp.test("a reset link replaces earlier links, and its use or the person's deletion ends sessions and links", async (app) => {
  const ben = await invite(app);
  const first = await resetLink(app, ben.id);
  await refuses(accept(app, ben.link), "forbidden");
  const old = await cookieBy(accept(app, first));
  const second = await resetLink(app, ben.id);
  assertEquals(await visit(app, old), [200, null]);
  const cookie = await cookieBy(accept(app, second, OTHER_PASSWORD));
  assertEquals(await visit(app, old), SIGNED_OUT);
  await refuses(login(app, BEN), "invalid_login");

  const third = await resetLink(app, ben.id);
  assertEquals(await app.owner.remove(`/api/users/${ben.id}`), { ok: true });
  assertEquals(await visit(app, cookie), SIGNED_OUT);
  await refuses(accept(app, third), "forbidden");
  await refuses(login(app, BEN, OTHER_PASSWORD), "invalid_login");
  await refuses(app.owner.delete(`/api/users/${ben.id}`), "not_found");
  await invite(app);
});

withApp.test("POST /api/users refuses an address in use anywhere in the store, in any spelling", async (app) => {
  await invite(app, "jürgen@shop.example");
  const again = { email: "JÜRGEN@shop.example".normalize("NFD"), role: "viewer" };
  for (const owner of [app.owner, await app.strangerOwner()]) {
    await refuses(owner.post("/api/users", again), "conflict");
  }
});

withApp.test("a role changes from the next request on; the last owner stays owner, invited ones do not count", async (app) => {
  const manager = await app.newCaller("manager");
  const { id } = await manager.read("/api/auth/me");
  await refuses(manager.get("/api/keys"), "forbidden");
  const { id: own } = await app.owner.read("/api/auth/me");
  await invite(app, BEN, "owner");
  const demote = { role: "manager" };
  await refuses(app.owner.patch(`/api/users/${own}`, demote), "conflict");
  await refuses(app.owner.delete(`/api/users/${own}`), "conflict");
  assertEquals((await app.owner.change(`/api/users/${id}`, { role: "owner" })).role, "owner");
  assertEquals(await statusOf(manager.get("/api/keys")), 200);
  await app.owner.change(`/api/users/${own}`, demote);
});

withApp.test("removeUser() leaves one of two owners who remove each other at once", async (app) => {
  const people = [await app.owner.read("/api/auth/me")];
  for (const name of ["anna", "eva"]) people.push(await addPerson(app, `${name}@shop.example`));
  const asker = { ...toolsOf(app), requestId: "req_test" };
  const actor = { type: "system", id: "test", name: "test" } as const;
  const ctx = contextFor(asker, app.workspaceId, actor);
  const outcomes = await Promise.allSettled(
    people.map(({ id }) =>
      removeUser(ctx, id, { forget: () => Promise.resolve(), expected: null })
    ),
  );
  assertEquals(outcomes.filter(({ status }) => status === "rejected").length, 1);
});

Deno.test("Email stores addresses of any script trimmed, composed and in lower case, and refuses other texts, quickly even if long", () => {
  const cases = [
    ["anna@shop.example", "anna@shop.example"],
    [" Anna.Müller+test@Shop.Example\n", "anna.müller+test@shop.example"],
    ["JÜRGEN@münchen.example".normalize("NFD"), "jürgen@münchen.example"],
    ["o'neil_2@sub.xn--mnchen-3ya.example", "o'neil_2@sub.xn--mnchen-3ya.example"],
  ] as const;
  for (const [text, expected] of cases) assertEquals(Email.parse(text), expected);
  const hosts = ["", "localhost", "b@shop.example", "-shop.example", "shop..example"]
    .concat([`${"a.".repeat(200)}example`, "a-".repeat(300_000)]);
  const names = ["", "a b", "a\u0000", '"a"', "a".repeat(65)];
  const refused = ["", "anna", ...hosts.map((host) => `a@${host}`)]
    .concat(names.map((name) => `${name}@shop.example`));
  assertEquals(refused.filter((text) => Email.safeParse(text).success), []);
});

withApp.test("people set their own names, owners set others', and log, history and marks show the name", async (app) => {
  const { owner, manager, viewer } = app;
  for (const name of ["", "   ", "x".repeat(201), "a\u0007", 5]) {
    await refuses(viewer.patch("/api/auth/me", { name }), "validation_failed", String(name));
  }
  await refuses(viewer.patch("/api/auth/me", { role: "owner" }), "validation_failed");
  assertEquals((await viewer.read("/api/auth/me")).name, null);
  const name = "Jana Petersen";
  assertEquals((await manager.change("/api/auth/me", { name: "  Jana Petersen " })).name, name);
  const body = { email: "marek@shop.example", role: "manager", name: "Marek Vogt" };
  const invited = await owner.create("/api/users", body);
  assertEquals(invited.name, "Marek Vogt");
  const renamed = await owner.change(`/api/users/${invited.id}`, { name: null });
  assertEquals([renamed.name, renamed.role], [null, "manager"]);
  const { items } = await viewer.read("/api/people");
  const names = column(items, "name");
  assertEquals([names.includes(name), names.includes(body.email)], [true, true]);
  const { items: people } = await owner.read("/api/users");
  assertEquals(people.flatMap(({ name }: { name: string | null }) => name ?? []), [name]);

  const { id } = await manager.create("/api/products", { sku: "A", title: "A", ourPrice: 5 });
  const history = `/api/products/${id}/price-history`;
  const { items: [entry] } = await viewer.read(history);
  assertEquals(entry.actor.name, name);
  const mark = { isError: true, neverShown: false };
  assertEquals((await manager.act(`${history}/${entry.at}/mark`, mark)).mark.by.name, name);
  const log = await viewer.read("/api/audit-logs?resource=product");
  assertEquals(column(column(log.items, "actor"), "name"), [name, name]);
});

const withEmptyStore = testWith(async () => {
  const served = await serveApp();
  return {
    ...served,
    tools: { store: served.store, clock: served.app.clock },
    setUp: (token: string, extra: Record<string, unknown> = {}) =>
      served.anyone.post("/api/setup", {
        token,
        workspace: "Müller Elektro",
        email: "anna@shop.example",
        password: PASSWORD,
        ...extra,
      }),
  };
});

withEmptyStore.test("POST /api/setup creates workspace and owner, signs in, and then is closed", async (empty) => {
  assertEquals(await (await empty.anyone.get("/api/setup")).json(), { open: true });
  const token = await issueSetupToken(empty.tools) ?? "";
  const hold = { movePct: 30, sharePct: 10 };
  const answer = await empty.setUp(token, { currency: "CHF", importHold: hold, vatRatePct: 8.1 });
  assertEquals(answer.status, 201);
  const { user, workspace } = await answer.json();
  assertEquals([user.email, user.role, user.status], ["anna@shop.example", "owner", "active"]);
  const { id: _id, createdAt: _createdAt, ...settings } = workspace;
  const given = { name: "Müller Elektro", currency: "CHF", vatRatePct: 8.1, importHold: hold };
  const german = { timeZone: "Europe/Berlin", locale: "de-DE" };
  const off = { pricesIncludeVat: false, compareDelivered: false, autoApply: false };
  const none = { ownShipping: null, ownShippingCents: null, budgetPerDay: null, approval: null };
  const imports = { importHoldUnconfirmed: false, importExpectedHours: null };
  const more = { automationStop: null, quarantine: {}, ownSellerNames: [], secondFactorRoles: [] };
  assertEquals(settings, { ...german, ...off, ...none, ...imports, ...more, ...given });
  const signedIn = { Cookie: cookieOf(answer) };
  assertEquals((await empty.anyone.read("/api/auth/me", signedIn)).id, user.id);
  const { items: [session] } = await empty.anyone.read("/api/auth/sessions", signedIn);
  assertEquals(session.address, "127.0.0.1");
  assertEquals(await (await empty.anyone.get("/api/setup")).json(), { open: false });
  assertEquals(await outcome(await empty.setUp(token)), [409, "conflict"]);
  assertEquals(await issueSetupToken(empty.tools), null);
});

withEmptyStore.test("POST /api/setup refuses a wrong token, one of 30 minutes ago, easy passwords and unknown fields", async (empty) => {
  const token = await issueSetupToken(empty.tools) ?? "";
  for (const wrong of ["", "x", "A".repeat(43)]) {
    assertEquals(await outcome(await empty.setUp(wrong)), [403, "forbidden"]);
  }
  const refusals = [{ password: "kurz" }, { password: "müllerelektro1" }, { autoApply: true }];
  for (const extra of refusals) {
    assertEquals(await outcome(await empty.setUp(token, extra)), [400, "validation_failed"]);
  }
  empty.clock.advance(30 * 60_000);
  assertEquals(await outcome(await empty.setUp(token)), [403, "forbidden"]);
  const fresh = await issueSetupToken(empty.tools) ?? "";
  assertEquals((await outcome(await empty.setUp(fresh)))[0], 201);
});

withEmptyStore.test("POST /api/setup lets one of several at once succeed, in the workspace for which a command has created a key", async (empty) => {
  const { key } = await addKey(empty.tools, { name: "ERP", scopes: ["products:write"] });
  const token = await issueSetupToken(empty.tools) ?? "";
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) => empty.setUp(token, { email: `${name}@shop.example` })),
  );
  const statuses = answers.map(({ status }) => status);
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  const made = bodies.flatMap(({ workspace }) => workspace ?? []);
  assertEquals(made.map(({ id, name }) => [id, name]), [[key.workspaceId, "Müller Elektro"]]);
  assertEquals(statuses.filter((status) => status === 201).length, 1);
  // A set-up token is valid once, so all requests except one fail with 403 or 409.
  assertEquals(statuses.filter((status) => ![201, 403, 409].includes(status)), []);
  assertEquals((await listWorkspaces(empty.tools.store)).length, 1);
});

withEmptyStore.test("addFirstUser() creates an owner only in a store that has never had a user", async (empty) => {
  const add = (email: string, password = PASSWORD) =>
    addFirstUser(empty.tools, { email, password });
  await rejects(add("a@shop.example", "passwort12"), { message: /^ADMIN_PASSWORD: Is a common/ });
  await rejects(add("a@b"), { message: /^ADMIN_EMAIL: / });
  assertEquals((await add("a@shop.example"))?.role, "owner");
  assertEquals(await add("b@shop.example"), null);
});

withEmptyStore.test("addUser() and addKey() use the oldest workspace, or the named one, which they create if it is new", async ({ tools }) => {
  const add = (email: string, workspace?: string) =>
    addUser(tools, { email, role: "owner", password: PASSWORD, workspace });
  const first = await add("a@shop.example");
  const other = await add("b@shop.example", "Other");
  const unnamed = await addKey(tools, { name: "k", scopes: [] });
  const named = await addKey(tools, { name: "k", scopes: [], workspace: " Other " });
  assertEquals(unnamed.key.workspaceId, first.workspaceId);
  assertEquals(named.key.workspaceId, other.workspaceId);
  const racers = await Promise.all(
    [1, 2, 3].map((n) => addKey(tools, { name: `k${n}`, scopes: [], workspace: "Third" })),
  );
  assertEquals(new Set(racers.map(({ key }) => key.workspaceId)).size, 1);
  const names = (await listWorkspaces(tools.store)).map(({ name }) => name);
  assertEquals(names, ["Workspace", "Other", "Third"]);
});

withEmptyStore.test("addUser() and setPassword() refuse a known and an unknown address, and a new password ends sessions", async ({ tools, anyone }) => {
  const person = { email: "a@shop.example", role: "owner", password: PASSWORD } as const;
  await addUser(tools, person);
  await rejects(addUser(tools, person), { code: "conflict" });
  const unknown = { email: "b@shop.example", password: PASSWORD };
  await rejects(setPassword(tools, unknown), { code: "not_found" });
  const { email, password } = person;
  const cookie = await cookieBy(anyone.post("/api/auth/login", { email, password }));
  await setPassword(tools, { email: "A@shop.example", password: "regen-trommel-44" });
  assertEquals(await visit({ anyone }, cookie), SIGNED_OUT);
});
