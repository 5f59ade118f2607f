import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addUser } from "../../../src/accounts/set_up.ts";
import type { AuditRow } from "../../../src/accounts/audit/audit.ts";
import { statusOf } from "../../api/answers.ts";
import { withApp } from "../../harness.ts";
import { cookieBy, login, PASSWORD, tokenOf, toolsOf } from "../people.ts";

withApp.test("every change of people, keys and settings leaves a row that names actor and object, but no secret", async (app) => {
  const person = { email: "anna@shop.example", role: "owner", password: PASSWORD } as const;
  const anna = await addUser(toolsOf(app), person);
  const cookie = { Cookie: await cookieBy(login(app, "anna@shop.example")) };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.anyone.send(method, path, body, cookie);
    assertEquals([path, answer.ok], [path, true]);
    return await answer.json();
  };
  await call("PATCH", "/api/settings", { vatRatePct: 19 });
  const ben = await call("POST", "/api/users", { email: "ben@shop.example", role: "viewer" });
  const join = { token: tokenOf(ben.link), password: "regen-trommel-44" };
  await call("POST", "/api/invitations/accept", join);
  await call("PATCH", `/api/users/${ben.id}`, { role: "manager" });
  const reset = await call("POST", `/api/users/${ben.id}/reset-link`);
  const { id: keyId, key } = await call("POST", "/api/keys", { name: "ERP", scopes: [] });
  await call("DELETE", `/api/keys/${keyId}`);
  await call("DELETE", `/api/users/${ben.id}`);
  const change = { currentPassword: PASSWORD, newPassword: "wolken-pinsel-58" };
  await call("POST", "/api/auth/password", change);

  const text = await (await app.owner.get("/api/audit-logs?limit=200")).text();
  const rows: AuditRow[] = JSON.parse(text).items;
  const user = `user:${anna.id}`;
  const [aboutAnna, aboutBen] = [`${user}:anna@shop.example`, `user:${ben.id}:ben@shop.example`];
  const workspace = `workspace:${app.workspaceId}:Test`;
  const aboutKey = `api_key:${keyId}:ERP`;
  const made = { name: "ERP", scopes: [], expiresAt: null };
  const benAs = (role: string) => ({ email: "ben@shop.example", role });
  assertEquals(
    rows.map(({ action, actor, resource, before, after }) => [
      action,
      `${actor.type}:${actor.id}`,
      `${resource.type}:${resource.id}:${resource.label}`,
      before,
      action === "user.reset_link" ? null : after,
    ]),
    [
      ["user.create", "system:command", aboutAnna, null, { email: anna.email, role: "owner" }],
      ["workspace.update", user, workspace, { vatRatePct: null }, { vatRatePct: 19 }],
      ["user.create", user, aboutBen, null, benAs("viewer")],
      ["user.join", `user:${ben.id}`, aboutBen, null, null],
      ["user.update", user, aboutBen, { role: "viewer" }, { role: "manager" }],
      ["user.reset_link", user, aboutBen, null, null],
      ["api_key.create", user, aboutKey, null, made],
      ["api_key.revoke", user, aboutKey, made, null],
      ["user.delete", user, aboutBen, benAs("manager"), null],
      ["user.password", user, aboutAnna, null, null],
    ],
  );
  const session = cookie.Cookie.slice("pr_session=".length);
  const tokens = [tokenOf(ben.link), tokenOf(reset.link), session, key];
  const secrets = [PASSWORD, join.password, change.newPassword, ...tokens, "scrypt"];
  assertEquals(secrets.filter((secret) => text.includes(secret)), []);
  assertEquals(rows.every(({ requestId }) => /^(req|cmd)_/.test(requestId)), true);
});

withApp.test("a request that is refused or changes nothing leaves no row", async (app) => {
  const calls = [
    app.owner.patch("/api/settings", {}),
    app.owner.patch("/api/settings", { currency: "EUR" }),
    app.owner.patch("/api/settings", { currency: "EURO" }),
    app.viewer.patch("/api/settings", { currency: "CHF" }),
    app.owner.post("/api/keys", { name: "x", scopes: ["nope"] }),
    app.owner.delete(`/api/keys/${"0".repeat(24)}`),
    app.anyone.post("/api/auth/login", { email: "x@shop.example", password: "falsches-wort-77" }),
  ];
  await Promise.all(calls.map(statusOf));
  assertEquals((await app.owner.read("/api/audit-logs")).items, []);
});
