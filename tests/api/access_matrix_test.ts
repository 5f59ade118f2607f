/** Calls every route as every kind of caller (roles and rights: docs/decisions/identity.md). */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { hasRole, KEY_SCOPE_NAMES, ROLES } from "../../src/accounts/roles.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { extent, IS_LONG } from "../proof.ts";
import { refusalOf, refuses, statusOf } from "./answers.ts";
import { filled, listOperations, type Operation, UNKNOWN_ID } from "./operations.ts";

type Policy = "anyone" | "either" | (typeof ROLES)[number] | readonly string[];

const OPEN =
  /^\/(healthz|readyz|metrics|api\/(public\/v1\/)?openapi\.json|api\/(setup|auth\/(login|passkey-login(\/challenge)?|ways|forgotten|provider\/(begin|finish))|invitations\/accept))$/;
const OWNERS = /^\/api\/(users|keys)(\/|$)/;
/**
 * Every role may call these routes with any method. They change only the person's own account,
 * views, mails or snoozed alerts, or store nothing.
 */
const ANY_ROLE_CHANGE =
  /^\/api\/(auth\/(logout|password|me|provider\/prove|(prove|factors|passkeys|sessions)(\/.*)?)|rules\/(\{id\}\/)?simulate|rules\/counts|import-profiles\/preview|views(\/\{id\})?|overview\/mail(\/test)?|alerts\/(causes\/snooze|mail-choices))$/;

/** External routes that need a scope of the API key; all others are open to every valid key. */
const SCOPES: readonly (readonly [RegExp, string])[] = [
  [/^\w+ \/api\/public\/v1\/(products\/import|imports|import-sources)(\/|$)/, "products:write"],
  [/^POST \/api\/public\/v1\/(products\/(batch|\{idOrSku\}\/restore)|sales)$/, "products:write"],
  [/^(PATCH|DELETE) \/api\/public\/v1\/products\/\{idOrSku\}$/, "products:write"],
  [/^POST \/api\/public\/v1\/competitors$/, "competitors:write"],
  [/^(PATCH|DELETE) \/api\/public\/v1\/competitors\/\{id\}$/, "competitors:write"],
  [/^POST \/api\/public\/v1\/observations$/, "observations:write"],
  [/^POST \/api\/public\/v1\/(competitor-products|link-checks)(\/|$)/, "matches:write"],
  [/^(PUT|POST) \/api\/public\/v1\/competitors\/\{id\}\/discovery(\/|$)/, "matches:write"],
  [/^POST \/api\/public\/v1\/match-suggestions\//, "matches:write"],
  [/^\w+ \/api\/public\/v1\/import-profiles(\/|$)/, "products:write"],
  [/^\w+ \/api\/public\/v1\/webhooks(\/|$)/, "webhooks:write"],
  [/^GET \/api\/public\/v1\/(rules$|rules\/\{id\}(\/outcome)?$|simulations\/)/, "rules:read"],
  [/^GET \/api\/public\/v1\/products\/\{id\}\/decisions$/, "rules:read"],
  [/^(POST|PATCH|DELETE) \/api\/public\/v1\/(rules|simulations)(\/|$)/, "rules:write"],
  [/^GET \/api\/public\/v1\/proposals\/\{id\}$/, "proposals:read"],
  [/^GET \/api\/public\/v1\/alerts$/, "alerts:read"],
  [/^GET \/api\/public\/v1\/events$/, "events:read"],
  [/^GET \/api\/public\/v1\/(proposals|price-changes|price-arrivals)$/, "proposals:read"],
  [/^POST \/api\/public\/v1\/proposals\//, "proposals:write"],
  [/^GET \/api\/public\/v1\/audit-logs$/, "audit:read"],
];

/** The policy of docs/decisions/identity.md, without regard to the code of the routes. */
function policyOf({ method, path, isExternal }: Operation): Policy {
  if (OPEN.test(path)) return "anyone";
  if (/\/rules\/(triggers|actions)$/.test(path)) return "either";
  if (isExternal) {
    return SCOPES.filter(([pattern]) => pattern.test(`${method} ${path}`)).map(([, name]) => name);
  }
  if (OWNERS.test(path)) return "owner";
  if (path.startsWith("/api/settings") && method !== "GET") return "owner";
  return method === "GET" || ANY_ROLE_CHANGE.test(path) ? "viewer" : "manager";
}

function declaredPolicyOf({ credentials, needs }: Operation): Policy {
  if (credentials.length === 0) return "anyone";
  if (credentials.length === 2) return "either";
  return needs.key ?? ROLES.find((role) => needs.session?.includes(role)) ?? "undeclared" as never;
}

withApp.test("access: every operation declares the policy that it must have", async (app) => {
  const operations = await listOperations(app);
  ok(operations.length > 20, "the documents list the routes");
  assertEquals(ROLES.filter((role) => hasRole(role, "nobody")), [], "an unknown role");
  const named = (policy: (operation: Operation) => Policy) =>
    operations.map((operation) => [`${operation.method} ${operation.path}`, policy(operation)]);
  assertEquals(named(declaredPolicyOf), named(policyOf));
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

withApp.test("access: each path has exactly the methods of the documents, and any other is 405", async (app) => {
  const operations = await listOperations(app);
  for (const path of new Set(operations.map(({ path }) => path))) {
    const address = filled({ path }, UNKNOWN_ID);
    const answer = await app.anyone.send("OPTIONS", address);
    await answer.body?.cancel();
    const methods = operations.filter((one) => fits(one.path, path)).map(({ method }) => method);
    const allow = new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
    const named = [...allow].sort().join(", ");
    assertEquals(answer.headers.get("Allow"), named, path);
    const others = METHODS.filter((one) => !methods.includes(one));
    for (const method of others.slice(0, extent(METHODS.length, 1))) {
      const refused = await app.owner.send(method, address);
      assertEquals(refused.headers.get("Allow"), named, path);
      await refuses(refused, "method_not_allowed", `${method} ${path}`);
    }
  }
});

function fits(pattern: string, path: string): boolean {
  const source = pattern.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+");
  return new RegExp(`^${source}$`).test(filled({ path }, UNKNOWN_ID));
}

async function everybody(app: TestApp): Promise<Map<string, Caller>> {
  const { anyone, viewer, manager, owner } = app;
  const callers = new Map(Object.entries({ nobody: anyone, viewer, manager, owner }));
  callers.set("key", await app.key([]));
  for (const scope of KEY_SCOPE_NAMES) callers.set(`key with ${scope}`, await app.key([scope]));
  return callers.set("key with all scopes", await app.key(KEY_SCOPE_NAMES));
}

/** The error code of the refusal; null if the caller is admitted. */
function expectedCode(operation: Operation, name: string): string | null {
  const policy = policyOf(operation);
  if (policy === "anyone") return null;
  const isKey = name.startsWith("key");
  const stranger = operation.isExternal ? "missing_credentials" : "not_authenticated";
  if (name === "nobody") return stranger;
  if (policy === "either") return null;
  if (isKey !== operation.isExternal) return stranger;
  if (typeof policy === "string") {
    const isEnough = ROLES.findIndex((role) => role === name) >= ROLES.indexOf(policy);
    return isEnough ? null : "forbidden";
  }
  const held = name === "key with all scopes" ? policy : [name.slice("key with ".length)];
  return policy.every((scope) => held.includes(scope)) ? null : "insufficient_scope";
}

withApp.test("access: each caller is admitted to or refused by each operation, with the right code", async (app) => {
  const callers = await everybody(app);
  // A sign-out would end the session that the other calls need.
  const operations = (await listOperations(app)).filter(({ path }) => path !== "/api/auth/logout");
  for (const [n, operation] of operations.entries()) {
    const path = filled(operation, UNKNOWN_ID);
    const policy = policyOf(operation);
    // Short test runs skip most keys that have one unneeded scope.
    const beside = KEY_SCOPE_NAMES[n % KEY_SCOPE_NAMES.length];
    for (const [name, caller] of callers) {
      const held = KEY_SCOPE_NAMES.find((scope) => name === `key with ${scope}`);
      // No scope opens in-app routes, so keys with a single scope are skipped there.
      if (!operation.isExternal && held) continue;
      if (!IS_LONG && held && held !== beside && !policy.includes(held)) continue;
      const answer = await caller.send(operation.method, path);
      const what = `${operation.method} ${path} by ${name}`;
      const expected = expectedCode(operation, name);
      if (expected !== null) await refuses(answer, expected, what);
      else {
        // `/metrics` answers 404, because this app has no METRICS_TOKEN.
        const status = await statusOf(answer);
        ok(status < 500 && ![401, 403].includes(status), `${what}: ${status}`);
      }
    }
  }
});

withApp.test("access: a refused caller's body is not read, and the refusal names what is missing", async (app) => {
  const { code, details } = await refusalOf(app.viewer.post("/api/products", { sku: "" }));
  assertEquals([code, details.required], ["forbidden", "manager"]);
  const key = await app.key(["rules:read"]);
  for (const operation of (await listOperations(app)).filter(({ needs }) => needs.key?.length)) {
    if (operation.needs.key?.includes("rules:read")) continue;
    const path = filled(operation, UNKNOWN_ID);
    const refused = await refusalOf(key.send(operation.method, path));
    assertEquals(refused.details.required, operation.needs.key, path);
  }
});

withApp.test("access: every change with a cookie is refused to other sites", async (app) => {
  const foreign = { Origin: "https://evil.example" };
  for (const operation of await listOperations(app)) {
    if (operation.method === "GET" || !operation.credentials.includes("session")) continue;
    const path = filled(operation, UNKNOWN_ID);
    const answer = app.owner.send(operation.method, path, {}, foreign);
    await refuses(answer, "csrf_refused", `${operation.method} ${path}`);
  }
});

withApp.test("access: a key that is malformed, unknown, expired or revoked is invalid_api_key everywhere, and a forged session is none", async (app) => {
  const soon = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const expiring = { name: "soon over", scopes: [...KEY_SCOPE_NAMES], expiresAt: soon };
  const { key: expired } = await app.owner.create("/api/keys", expiring);
  const revoked = await app.newKey(KEY_SCOPE_NAMES);
  const used = { Authorization: `Bearer ${revoked.text}` };
  await app.anyone.read("/api/public/v1/products", used);
  await app.owner.remove(`/api/keys/${revoked.id}`);
  await refuses(app.anyone.get("/api/public/v1/products", used), "invalid_api_key");
  app.clock.advance(61_000);
  const texts = [expired, revoked.text, `pk_live_${"a".repeat(32)}`, "pk_live_", "x", "a b c"];
  for (const operation of (await listOperations(app)).filter(({ needs }) => needs.key)) {
    for (const text of texts) {
      const headers = { Authorization: `Bearer ${text}` };
      const path = filled(operation, UNKNOWN_ID);
      const answer = app.anyone.send(operation.method, path, undefined, headers);
      await refuses(answer, "invalid_api_key", `${path} ${text}`);
    }
  }
  for (const token of ["x", "A".repeat(43)]) {
    const forged = app.anyone.get("/api/products", { Cookie: `pr_session=${token}` });
    await refuses(forged, "not_authenticated");
  }
  const Authorization = `bearer ${(await app.newKey([])).text}`;
  await app.anyone.read("/api/public/v1/products", { Authorization });
  await app.anyone.read("/api/public/v1/products", { Authorization, Cookie: app.ownerCookie });
  for (const wrong of ["Basic YTpi", "Bearer"]) {
    const answer = app.anyone.get("/api/public/v1/products", { Authorization: wrong });
    await refuses(answer, "missing_credentials");
  }
});
