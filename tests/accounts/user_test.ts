import { removeUser } from "../../src/accounts/users/change_user.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import { contextFor } from "../../src/platform/store/context.ts";
import { cookieOf } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addPerson, cookieBy, login, outcome, PASSWORD, tokenOf, toolsOf } from "./people.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { Email } from "../../src/accounts/users/user.ts";
import { bodyOf, refusalOf } from "../api/answers.ts";

async function invite(app: TestApp, email: string, role = "viewer") {
  const answer = await app.owner.post("/api/users", { email, role });
  assertEquals(answer.status, 201);
  return await answer.json();
}

function accept(app: TestApp, link: string, password = PASSWORD) {
  return app.anyone.post("/api/invitations/accept", { token: tokenOf(link), password });
}

withApp.test("POST /api/users returns a one-time link with which the person signs in", async (app) => {
  const { link, linkExpiresAt, ...user } = await invite(app, " Ben@Shop.Example", "manager");
  assertEquals({ ...user, id: "" }, {
    id: "",
    email: "ben@shop.example",
    name: null,
    role: "manager",
    status: "invited",
    hasSecondFactor: false,
    createdAt: "2026-03-02T09:00:00.000Z",
  });
  assertEquals(linkExpiresAt, "2026-03-05T09:00:00.000Z");
  match(link, new RegExp(`^${app.base}/invitation#token=[\\w-]{43}$`));
  const accepted = await accept(app, link);
  assertEquals(await accepted.json(), { ...user, status: "active" });
  const me = await app.anyone.get("/api/auth/me", { Cookie: cookieOf(accepted) });
  assertEquals((await me.json()).id, user.id);
  assertEquals((await outcome(login(app, "ben@shop.example")))[0], 200);
  assertEquals(await outcome(await accept(app, link)), [403, "forbidden"]);
});

withApp.test("POST /api/invitations/accept refuses unknown and expired links, and an easy password keeps the link", async (app) => {
  const { link } = await invite(app, "ben@shop.example");
  for (const token of ["", "x", "A".repeat(43)]) {
    assertEquals(await outcome(await accept(app, `#token=${token}`)), [403, "forbidden"]);
  }
  assertEquals(await outcome(await accept(app, link, "kurz")), [400, "validation_failed"]);
  assertEquals(await outcome(await accept(app, link, "ben@shop.example")), [
    400,
    "validation_failed",
  ]);
  app.clock.advance(72 * HOUR_MS);
  assertEquals(await outcome(await accept(app, link)), [403, "forbidden"]);
});

withApp.test("POST /api/invitations/accept lets one of two parallel requests choose the password", async (app) => {
  const { link } = await invite(app, "ben@shop.example");
  const answers = await Promise.all([accept(app, link), accept(app, link, "regen-trommel-44")]);
  const outcomes = await Promise.all(answers.map(outcome));
  assertEquals(outcomes.map(([status]) => status).sort(), [200, 403]);
});

withApp.test("POST /api/users/{id}/reset-link replaces earlier links, and its use ends the sessions", async (app) => {
  const ben = await invite(app, "ben@shop.example");
  const reset = async () => {
    const answer = await app.owner.post(`/api/users/${ben.id}/reset-link`);
    assertEquals(answer.status, 200);
    return (await answer.json()).link;
  };
  const first = await reset();
  assertEquals(await outcome(await accept(app, ben.link)), [403, "forbidden"]);
  const cookie = await cookieBy(accept(app, first));
  const second = await reset();
  const me = () => app.anyone.get("/api/auth/me", { Cookie: cookie }).then(outcome);
  assertEquals((await me())[0], 200);
  assertEquals((await outcome(await accept(app, second, "regen-trommel-44")))[0], 200);
  assertEquals(await me(), [401, "not_authenticated"]);
  assertEquals(await outcome(login(app, "ben@shop.example")), [401, "invalid_login"]);
});

withApp.test("POST /api/users refuses an address in use anywhere in the store, in any spelling", async (app) => {
  await invite(app, "jürgen@shop.example");
  const stranger = await app.strangerOwner();
  for (const owner of [app.owner, stranger]) {
    const again = { email: "JÜRGEN@shop.example".normalize("NFD"), role: "viewer" };
    assertEquals(await outcome(await owner.post("/api/users", again)), [409, "conflict"]);
  }
  const racers = await Promise.all(
    [1, 2, 3].map(() =>
      app.owner.post("/api/users", { email: "eva@shop.example", role: "viewer" })
    ),
  );
  const statuses = (await Promise.all(racers.map(outcome))).map(([status]) => status);
  assertEquals(statuses.sort(), [201, 409, 409]);
});

withApp.test("PATCH /api/users/{id} changes the role from the next request on", async (app) => {
  const cookie = await app.newSession("manager");
  const ask = () => app.anyone.get("/api/keys", { Cookie: cookie }).then(outcome);
  const { id } = await (await app.anyone.get("/api/auth/me", { Cookie: cookie })).json();
  assertEquals(await ask(), [403, "forbidden"]);
  const changed = await app.owner.patch(`/api/users/${id}`, { role: "owner" });
  assertEquals((await changed.json()).role, "owner");
  assertEquals((await ask())[0], 200);
});

withApp.test("the last owner can be neither removed nor demoted; invited owners do not count", async (app) => {
  const { id: own } = await (await app.owner.get("/api/auth/me")).json();
  await invite(app, "ben@shop.example", "owner");
  const demote = () => app.owner.patch(`/api/users/${own}`, { role: "manager" });
  assertEquals(await outcome(await demote()), [409, "conflict"]);
  assertEquals(await outcome(app.owner.delete(`/api/users/${own}`)), [409, "conflict"]);
  await addPerson(app, "anna@shop.example", "owner");
  assertEquals((await outcome(await demote()))[0], 200);
});

withApp.test("removeUser() leaves one of two owners who remove each other at once", async (app) => {
  const [anna, eva] = [
    await addPerson(app, "anna@shop.example"),
    await addPerson(app, "eva@shop.example"),
  ];
  const { id: first } = await (await app.owner.get("/api/auth/me")).json();
  const asker = { ...toolsOf(app), requestId: "req_test" };
  const actor = { type: "system", id: "test", name: "test" } as const;
  const ctx = contextFor(asker, app.workspaceId, actor);
  const outcomes = await Promise.allSettled(
    [anna.id, eva.id, first].map((id) =>
      removeUser(ctx, id, { forget: () => Promise.resolve(), expected: null })
    ),
  );
  assertEquals(outcomes.filter(({ status }) => status === "rejected").length, 1);
});

withApp.test("DELETE /api/users/{id} ends the user's sessions and links, and frees the address", async (app) => {
  const ben = await invite(app, "ben@shop.example");
  const cookie = await cookieBy(accept(app, ben.link));
  const { link } = await (await app.owner.post(`/api/users/${ben.id}/reset-link`)).json();
  assertEquals(await (await app.owner.delete(`/api/users/${ben.id}`)).json(), { ok: true });
  const me = await app.anyone.get("/api/auth/me", { Cookie: cookie });
  assertEquals(await outcome(me), [401, "not_authenticated"]);
  assertEquals(await outcome(await accept(app, link)), [403, "forbidden"]);
  assertEquals(await outcome(login(app, "ben@shop.example")), [401, "invalid_login"]);
  const again = await app.owner.delete(`/api/users/${ben.id}`);
  assertEquals(await outcome(again), [404, "not_found"]);
  await invite(app, "ben@shop.example");
});

Deno.test("Email accepts addresses of any script, and stores them trimmed, composed and in lower case", () => {
  const cases = [
    ["anna@shop.example", "anna@shop.example"],
    [" Anna.Müller+test@Shop.Example\n", "anna.müller+test@shop.example"],
    ["JÜRGEN@münchen.example".normalize("NFD"), "jürgen@münchen.example"],
    ["o'neil_2@sub.xn--mnchen-3ya.example", "o'neil_2@sub.xn--mnchen-3ya.example"],
  ] as const;
  for (const [text, expected] of cases) assertEquals(Email.parse(text), expected);
});

Deno.test("Email refuses texts that are no address, quickly even if long", () => {
  const refused = ["", "anna", "anna@", "@shop.example", "anna@localhost", "a b@shop.example"]
    .concat([
      "a@b@shop.example",
      "anna@-shop.example",
      "anna@shop..example",
      "a\u0000@shop.example",
    ])
    .concat(['"a"@shop.example', `${"a".repeat(65)}@shop.example`, `a@${"a.".repeat(200)}example`])
    .concat([`a@${"a-".repeat(300_000)}`]);
  assertEquals(refused.filter((text) => Email.safeParse(text).success), []);
});

withApp.test("people set their own names, owners set others', also in the invitation", async ({ owner, viewer }) => {
  assertEquals((await bodyOf(viewer.get("/api/auth/me"), 200)).name, null);
  const me = await bodyOf(viewer.patch("/api/auth/me", { name: "  Jana Petersen " }), 200);
  assertEquals(me.name, "Jana Petersen");
  const body = { email: "marek@shop.example", role: "manager", name: "Marek Vogt" };
  const invited = await bodyOf(owner.post("/api/users", body), 201);
  assertEquals(invited.name, "Marek Vogt");
  const renamed = await bodyOf(owner.patch(`/api/users/${invited.id}`, { name: null }), 200);
  assertEquals([renamed.name, renamed.role], [null, "manager"]);
  const { items } = await bodyOf(viewer.get("/api/people"), 200);
  const names = items.map(({ name }: { name: string }) => name);
  assertEquals([names.includes("Jana Petersen"), names.includes(body.email)], [true, true]);
  const { items: people } = await bodyOf(owner.get("/api/users"), 200);
  assertEquals(
    people.map(({ name }: { name: string | null }) => name).filter(Boolean),
    ["Jana Petersen"],
  );
});

withApp.test("an invalid name and a change of one's own role are refused", async (app) => {
  for (const name of ["", "   ", "x".repeat(201), "a\u0007", 5]) {
    const refused = await refusalOf(app.viewer.patch("/api/auth/me", { name }));
    assertEquals(refused.code, "validation_failed");
  }
  const forged = await refusalOf(app.viewer.patch("/api/auth/me", { role: "owner" }));
  assertEquals(forged.code, "validation_failed");
});

withApp.test("the audit log, the history and marks show the name", async (app) => {
  await bodyOf(app.manager.patch("/api/auth/me", { name: "Jana Petersen" }), 200);
  const product = { sku: "A", title: "A", ourPrice: 5 };
  const { id } = await bodyOf(app.manager.post("/api/products", product), 201);
  const { items: [entry] } = await bodyOf(app.viewer.get(`/api/products/${id}/price-history`), 200);
  assertEquals(entry.actor.name, "Jana Petersen");
  const mark = { isError: true, neverShown: false };
  const path = `/api/products/${id}/price-history/${entry.at}/mark`;
  assertEquals((await bodyOf(app.manager.post(path, mark), 200)).mark.by.name, "Jana Petersen");
  const { items } = await bodyOf(app.viewer.get("/api/audit-logs?resource=product"), 200);
  const names = items.map(({ actor }: { actor: { name: string } }) => actor.name);
  assertEquals(names, ["Jana Petersen", "Jana Petersen"]);
});
