/** Every code of the error table, reached over real HTTP, in the one shape (docs/decisions/http.md). */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { FailureCode } from "../../src/base/failure.ts";
import { idBytes } from "../../src/base/id.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
import { exchange } from "../raw_http.ts";
import { errorOf } from "./answers.ts";

/** A product with a new SKU. */
const product = () => ({ sku: crypto.randomUUID(), title: "Kabel", ourPrice: 10 });

/** How to cause each error. */
const CASES: Record<FailureCode, (app: TestApp) => Response | Promise<Response>> = {
  validation_failed: (app) => app.owner.post("/api/products", { sku: "" }),
  invalid_json: (app) =>
    app.owner.send("POST", "/api/products", "{", { "Content-Type": "application/json" }),
  invalid_cursor: (app) => app.owner.get("/api/products?cursor=abc"),
  missing_credentials: (app) => app.anyone.get("/api/public/v1/products"),
  invalid_api_key: (app) =>
    app.anyone.get("/api/public/v1/products", { Authorization: "Bearer pk_live_x" }),
  not_authenticated: (app) => app.anyone.get("/api/products"),
  invalid_login: (app) =>
    app.anyone.post("/api/auth/login", { email: "nobody@shop.example", password: "long enough?" }),
  insufficient_scope: async (app) => (await app.key([])).get("/api/public/v1/audit-logs"),
  forbidden: (app) => app.viewer.post("/api/products", product()),
  csrf_refused: (app) =>
    app.owner.post("/api/products", product(), { Origin: "https://evil.example" }),
  second_factor_required: async (app) => {
    const session = await app.newSession("owner", { hasFactor: true });
    return await app.anyone.get("/api/products", { Cookie: session });
  },
  second_factor_missing: async (app) => {
    await app.owner.change("/api/settings", { secondFactorRoles: ["viewer"] });
    const answer = await app.viewer.get("/api/products");
    await app.owner.change("/api/settings", { secondFactorRoles: [] });
    return answer;
  },
  reauthentication_required: async (app) => {
    const session = await app.newSession("owner", {}, { provedAt: new Date(0) });
    return await app.anyone.post("/api/keys", { name: "ERP" }, { Cookie: session });
  },
  not_found: (app) => app.anyone.get("/api/nowhere"),
  method_not_allowed: (app) => app.anyone.send("PUT", "/api/products"),
  request_timeout: (app) => postHalfABody(app),
  sku_exists: async (app) => {
    const body = product();
    await app.owner.create("/api/products", body);
    return await app.owner.post("/api/products", body);
  },
  // This case has an app of its own, because another case adds owners, and only the last owner
  // cannot be deleted.
  conflict: async (app) => {
    const { id } = await app.owner.read("/api/auth/me");
    return await app.owner.delete(`/api/users/${id}`);
  },
  version_conflict: async (app) => {
    const { id } = await app.owner.create("/api/products", product());
    return await app.owner.patch(`/api/products/${id}`, { title: "B" }, { "If-Match": '"0"' });
  },
  payload_too_large: (app) =>
    app.owner.post("/api/products", { sku: "A", title: "x".repeat(1_100_000) }),
  unsupported_media_type: (app) =>
    app.owner.send("POST", "/api/products", "a=b", { "Content-Type": "text/plain" }),
  price_unit_suspicious: async (app) => {
    const { id } = await app.owner.create("/api/products", product());
    return await app.owner.patch(`/api/products/${id}`, { ourPrice: 1000 });
  },
  idempotency_key_reused: async (app) => {
    const key = { "Idempotency-Key": "night-1" };
    await app.owner.create("/api/products", product(), key);
    return await app.owner.post("/api/products", product(), key);
  },
  market_too_large: async (app) => {
    await app.owner.create("/api/products", product());
    return await app.owner.get("/api/products?sort=gapPct");
  },
  import_refused: (app) =>
    app.manager.post("/api/imports?strict=true", "<ITEMS>", { "Content-Type": "text/xml" }),
  rate_limited: async (app) => {
    const key = await app.key([]);
    await key.read("/api/public/v1/products");
    return await key.get("/api/public/v1/products");
  },
  internal_error: async (app) => {
    const { id } = await app.owner.create("/api/products", product());
    // Only a row that no version of the program writes can cause a defect.
    await app.store.kv.set(["p", idBytes(app.workspaceId), idBytes(id)], "torn");
    return await app.owner.patch(`/api/products/${id}`, { title: "B" });
  },
  unavailable: async (app) => {
    const { id } = await app.owner.create("/api/products", product());
    // The service may be writing, so the timeout waits for it.
    const other = new DatabaseSync(app.storePath, { timeout: 10_000 });
    // If a queue message ends while the file is locked, the engine delays commits until the unlock.
    const running = other.prepare("select id from queue union all select id from queue_running");
    await until("no queue message is being handled", () => running.all().length === 0);
    other.exec("begin immediate");
    try {
      return await app.owner.patch(`/api/products/${id}`, { title: "B" });
    } finally {
      other.exec("rollback");
      other.close();
    }
  },
};

/** Cases with an app of their own, often with shorter limits. */
const ENV: Partial<Record<FailureCode, Record<string, string>>> = {
  request_timeout: { REQUEST_BODY_TIMEOUT_MS: "300" },
  conflict: {},
  market_too_large: { MARKET_MEMORY_BYTES: "1" },
  rate_limited: { RATE_LIMIT_PER_MINUTE: "1" },
};

withApp.test("errors: every code is reached over HTTP, with its status and the one shape", async (shared) => {
  for (const [code, meet] of Object.entries(CASES)) {
    const env = Object.entries(ENV).find(([name]) => name === code)?.[1];
    await using own = env ? await startTestApp({ env }) : null;
    const answer = await meet(own ?? shared);
    const error = await errorOf(answer);
    assertEquals(error.code, code);
    const isBearer = answer.headers.get("WWW-Authenticate")?.startsWith("Bearer") ?? false;
    assertEquals(isBearer, ["missing_credentials", "invalid_api_key"].includes(code), code);
    assertEquals(Object.keys(error).filter((name) => !SHAPE.has(name)), [], code);
  }
});

const SHAPE = new Set(["code", "message", "requestId", "details"]);

/** Declares a longer body than it sends, and waits for the answer. */
async function postHalfABody(app: TestApp): Promise<Response> {
  const head = "POST /api/products HTTP/1.1\r\nHost: localhost\r\n" +
    `Cookie: ${app.ownerCookie}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
  const { body, status, headers } = await exchange(app.base, `${head}{"sku":`);
  return new Response(body, { status, headers });
}

withApp.test("errors: a filter with a fixed set of values names them", async (app) => {
  const key = await app.key(["proposals:read", "alerts:read"]);
  const statuses = "open, applied, rejected, expired, superseded, rolled_back";
  const severities = "info, low, medium, high, critical";
  const approved = await errorOf(key.get("/api/public/v1/proposals?status=approved"));
  assertEquals(approved.message, `status: Must be one of ${statuses}`);
  const bad = await errorOf(key.get("/api/public/v1/alerts?severity=bad"));
  assertEquals(bad.message, `severity: Must be one of ${severities}`);
  const { body, headers, status } = await key.get("/api/public/v1/proposals?status=");
  await body?.cancel();
  assertEquals(status, 200);
  match(headers.get("Access-Control-Expose-Headers") ?? "", /\bX-Prices-Include-Vat\b/);
});
