import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";
import { MINUTE_MS } from "../../src/base/time.ts";
import { cookieOf } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addPerson, cookieBy, login, outcome, PASSWORD, SIGNED_OUT, visit } from "./people.ts";
import { column } from "../api/answers.ts";

const EMAIL = "anna@shop.example";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const RULE = { name: "Rule", when: { trigger: "competitor_undercut" }, scope: { mode: "all" } };

const signedIn = (app: TestApp, agent = WINDOWS) =>
  cookieBy(login(app, EMAIL, PASSWORD, { "User-Agent": agent }));

withApp.test("sensitive actions need a proof of the last 10 minutes, which the session can renew", async (app) => {
  await addPerson(app, EMAIL);
  const { id } = await addPerson(app, "ben@shop.example", "viewer");
  let cookie = await signedIn(app);
  const ask = async (method: string, path: string, body?: unknown) =>
    await outcome(app.anyone.send(method, path, body, { Cookie: cookie }));
  const automatic = { ...RULE, actions: [{ type: "auto_apply_if_safe", maxChangePct: 5 }] };
  const acts: [string, string, unknown][] = [
    ["POST", "/api/keys", { name: "ERP", scopes: [] }],
    ["POST", "/api/users", { email: "cleo@shop.example", role: "viewer" }],
    ["PATCH", `/api/users/${id}`, { role: "owner" }],
    ["POST", `/api/users/${id}/reset-link`, {}],
    ["DELETE", `/api/users/${id}/factors`, undefined],
    ["DELETE", `/api/users/${id}`, undefined],
    ["PATCH", "/api/settings", { approval: { beyondPct: 5, people: 2 } }],
    ["PATCH", "/api/settings", { autoApply: true }],
    ["PATCH", "/api/settings", { secondFactorRoles: ["owner"] }],
    ["POST", "/api/rules", automatic],
    ["POST", "/api/automation/resume", {}],
    ["POST", "/api/webhooks", { url: "https://example.com/", events: ["price.changed"] }],
    ["POST", "/api/auth/factors/totp", {}],
    ["POST", "/api/auth/factors/recovery-codes", {}],
    ["POST", "/api/auth/passkeys/challenge", {}],
    ["POST", "/api/auth/sessions/end-others", {}],
  ];
  app.clock.advance(10 * MINUTE_MS);
  for (const [method, path, body] of acts) {
    const answer = await ask(method, path, body);
    assertEquals(answer, [403, "reauthentication_required"], `${method} ${path}`);
  }
  const free = [
    ["GET", "/api/keys", undefined],
    ["PATCH", "/api/settings", { name: "Neu" }],
    ["POST", "/api/automation/stop", { reason: "Test" }],
    ["POST", "/api/rules", { ...RULE, actions: [{ type: "alert_inapp" }] }],
  ] as const;
  for (const [method, path, body] of free) {
    const [status] = await ask(method, path, body);
    assertEquals(status < 300, true, `${method} ${path}: ${status}`);
  }
  for (const password of ["falsch-falsch-1", ""]) {
    assertEquals(await ask("POST", "/api/auth/prove", { password }), [400, "validation_failed"]);
  }
  const { items } = await app.owner.read("/api/audit-logs?action=user.factor_fail");
  const failed = { factor: "password" };
  assertEquals(column(items, "after"), [failed, failed]);
  const old = cookie;
  const proof = { password: PASSWORD };
  cookie = await cookieBy(app.anyone.post("/api/auth/prove", proof, { Cookie: cookie }));
  notStrictEqual(cookie, old);
  assertEquals(await visit(app, old), SIGNED_OUT);
  app.clock.advance(10 * MINUTE_MS - 1);
  assertEquals(await ask("POST", "/api/keys", { name: "ERP", scopes: [] }), [201, null]);
  app.clock.advance(1);
  const late = await ask("POST", "/api/keys", { name: "PIM", scopes: [] });
  assertEquals(late, [403, "reauthentication_required"]);
});

withApp.test("an action that was refused for its old proof can be repeated with its Idempotency-Key", async (app) => {
  await addPerson(app, EMAIL);
  let cookie = await signedIn(app);
  app.clock.advance(11 * MINUTE_MS);
  const cleo = { email: "cleo@shop.example", role: "viewer" };
  const invite = (Cookie: string) =>
    app.anyone.post("/api/users", cleo, { Cookie, "Idempotency-Key": "one" });
  assertEquals(await outcome(await invite(cookie)), [403, "reauthentication_required"]);
  const proof = { password: PASSWORD };
  cookie = cookieOf(await app.anyone.post("/api/auth/prove", proof, { Cookie: cookie }));
  assertEquals(await outcome(await invite(cookie)), [201, null]);
});

withApp.test("an owner ends all sessions of a person, whose password stays", async (app) => {
  const { id } = await addPerson(app, EMAIL);
  const cookies = [await signedIn(app), await signedIn(app)];
  await app.owner.remove(`/api/users/${id}/sessions`);
  for (const cookie of cookies) assertEquals(await visit(app, cookie), SIGNED_OUT);
  assertEquals(await visit(app, await signedIn(app)), [200, null]);
  const { items } = await app.owner.read("/api/audit-logs?action=user.session_end");
  assertEquals(column(column(items, "resource"), "id"), [id]);
});

withApp.test("a key needs no proof, however old the key is", async (app) => {
  const erp = await app.key(["webhooks:write"]);
  app.clock.advance(60 * MINUTE_MS);
  const hook = { url: "https://example.com/", events: ["price.changed"] };
  assertEquals((await outcome(await erp.post("/api/public/v1/webhooks", hook)))[0], 201);
});

withApp.test("people see descriptions of their sessions, and end one or all others", async (app) => {
  await addPerson(app, EMAIL);
  const phone = await signedIn(
    app,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  );
  app.clock.advance(MINUTE_MS);
  const desk = await signedIn(app);
  const list = async (Cookie: string): Promise<Record<string, unknown>[]> =>
    (await app.anyone.read("/api/auth/sessions", { Cookie })).items;
  const [here, there] = await list(desk);
  assertEquals([here?.browser, here?.system, here?.isCurrent], ["firefox", "windows", true]);
  assertEquals([there?.browser, there?.system, there?.isCurrent], ["safari", "ios", false]);
  assertEquals([here?.address, there?.createdAt], ["127.0.0.1", "2026-03-02T09:00:00.000Z"]);
  const end = (id: unknown) =>
    app.anyone.delete(`/api/auth/sessions/${id}`, { Cookie: desk }).then(outcome);
  const { items: [stranger] } = await app.owner.read("/api/auth/sessions");
  assertEquals(await end(stranger.id), [404, "not_found"]);
  assertEquals(await end("x"), [404, "not_found"]);
  assertEquals(await end(there?.id), [200, null]);
  assertEquals(await visit(app, phone), SIGNED_OUT);

  const third = await signedIn(app);
  const others = await app.anyone.post("/api/auth/sessions/end-others", {}, { Cookie: desk });
  assertEquals(await outcome(others), [200, null]);
  assertEquals([await visit(app, third), await visit(app, desk)], [SIGNED_OUT, [200, null]]);
  assertEquals((await list(desk)).length, 1);
});

withApp.test("the list of sessions shows the last use, up to a minute too early", async (app) => {
  await addPerson(app, EMAIL);
  const cookie = await signedIn(app);
  app.clock.advance(30 * MINUTE_MS);
  const read = async () =>
    (await app.anyone.read("/api/auth/sessions", { Cookie: cookie })).items[0].lastUsedAt;
  await read();
  await app.app.close();
  assertEquals(await read(), "2026-03-02T09:30:00.000Z");
});
