import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addUser } from "../../../src/accounts/account_commands.ts";
import type { AuditRow } from "../../../src/accounts/audit/audit.ts";
import { withApp } from "../../harness.ts";
import { cookieBy, login, PASSWORD, tokenOf, toolsOf } from "../people.ts";

withApp.test("every change of people, keys and settings leaves a row that names actor and object, but no secret", async (app) => {
  const anna = await addUser(toolsOf(app), {
    email: "anna@shop.example",
    role: "owner",
    password: PASSWORD,
  });
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
  assertEquals(
    rows.map(({ action, actor, resource, before, after }) => [
      action,
      `${actor.type}:${actor.id}`,
      `${resource.type}:${resource.id}:${resource.label}`,
      before,
      action === "user.reset_link" ? null : after,
    ]),
    [
      ["user.create", "system:command", `user:${anna.id}:anna@shop.example`, null, {
        email: "anna@shop.example",
        role: "owner",
      }],
      ["workspace.update", user, `workspace:${app.workspaceId}:Test`, { vatRatePct: null }, {
        vatRatePct: 19,
      }],
      ["user.create", user, `user:${ben.id}:ben@shop.example`, null, {
        email: "ben@shop.example",
        role: "viewer",
      }],
      ["user.join", `user:${ben.id}`, `user:${ben.id}:ben@shop.example`, null, null],
      ["user.update", user, `user:${ben.id}:ben@shop.example`, { role: "viewer" }, {
        role: "manager",
      }],
      ["user.reset_link", user, `user:${ben.id}:ben@shop.example`, null, null],
      ["api_key.create", user, `api_key:${keyId}:ERP`, null, {
        name: "ERP",
        scopes: [],
        expiresAt: null,
      }],
      ["api_key.revoke", user, `api_key:${keyId}:ERP`, {
        name: "ERP",
        scopes: [],
        expiresAt: null,
      }, null],
      ["user.delete", user, `user:${ben.id}:ben@shop.example`, {
        email: "ben@shop.example",
        role: "manager",
      }, null],
      ["user.password", user, `user:${anna.id}:anna@shop.example`, null, null],
    ],
  );
  const secrets = [
    PASSWORD,
    join.password,
    change.newPassword,
    key,
    tokenOf(ben.link),
    tokenOf(reset.link),
    cookie.Cookie.slice("pr_session=".length),
    "scrypt",
  ];
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
  for (const call of calls) await (await call).body?.cancel();
  assertEquals((await (await app.owner.get("/api/audit-logs")).json()).items, []);
});
