/**
 * Rules for the responses of all routes (docs/decisions/http.md): headers, methods, request ids,
 * error codes, problem documents (RFC 9457), and bodies that may be omitted.
 */
import { deepStrictEqual as assertEquals, doesNotMatch, match, ok } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { until } from "../patience.ts";
import { bodyOf, errorOf, etagOf, refusalOf, refusedField, refuses, statusOf } from "./answers.ts";
import { callersOf, filled, listOperations, UNKNOWN_ID } from "./operations.ts";
import { DatabaseSync } from "node:sqlite";
import type { FailureCode } from "../../src/base/failure.ts";
import { exchange } from "../raw_http.ts";
import { addProduct, addRule, push } from "../rules/evaluation/market.ts";
import { documentedOperations, jsonBodyOf, resolved } from "./contract/document.ts";
import { errorsOf } from "./contract/errors.ts";
import { testWith } from "../opened.ts";

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const SENT = { "Sec-Fetch-Site": "same-origin", "X-Request-Id": "req_MINE" };

/** Responses to permitted and forbidden requests, for unknown paths, and one error 500. */
async function* answersOf(app: TestApp) {
  const callerOf = await callersOf(app);
  const ask = async (caller: Caller, method: string, path: string, isProtected = false) => ({
    what: `${method} ${path} ${caller === app.anyone ? "by nobody" : "by one who may"}`,
    path,
    isProtected,
    answer: await caller.send(method, path, undefined, SENT),
  });
  for (const [n, operation] of (await listOperations(app)).entries()) {
    const { method, credentials } = operation;
    const path = filled(operation, UNKNOWN_ID);
    const isLogout = path === "/api/auth/logout";
    const isProtected = credentials.length > 0 && !isLogout;
    yield await ask(app.anyone, method, path, isProtected);
    if (!isLogout) yield await ask(callerOf(operation), method, path, isProtected);
    // Most paths have neither PUT nor OPTIONS, so short test runs try only every eighth path.
    if (n % extent(1, 8) > 0) continue;
    yield await ask(app.anyone, "PUT", path);
    yield await ask(app.anyone, "OPTIONS", path);
  }
  const missing = ["/nowhere", "/api/nowhere", "/api/public/v1/nowhere", "/docs/nowhere"];
  for (const path of [...missing, "/", "/docs", "/docs/page.js"]) {
    yield await ask(app.anyone, "GET", path);
  }
  const { id } = await app.owner.create("/api/products", { sku: "T", title: "t" });
  await app.store.kv.set(["p", idBytes(app.workspaceId), idBytes(id)], "torn");
  const torn = await ask(app.owner, "DELETE", `/api/products/${id}`);
  assertEquals(torn.answer.status, 500);
  yield torn;
}

Deno.test("conventions: every answer has security headers and a request id of the service, which a refusal repeats, and no refusal or protected answer is cached", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "https://kurant.example" } });
  const seen = new Set<string>();
  for await (const { what, path, isProtected, answer } of answersOf(app)) {
    const { headers } = answer;
    const id = headers.get("X-Request-Id") ?? "";
    match(id, REQUEST_ID, what);
    ok(!seen.has(id), `${what}: ${id} again`);
    seen.add(id);
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff", what);
    ok(headers.get("Referrer-Policy"), what);
    const policy = headers.get("Content-Security-Policy") ?? "";
    match(policy, /default-src '(self|none)'/, what);
    match(policy, /frame-ancestors 'none'/, what);
    doesNotMatch(policy, /unsafe/, what);
    ok(headers.has("Strict-Transport-Security"), what);
    assertEquals([headers.get("Server"), headers.get("X-Powered-By")], [null, null], what);
    const isOutside = path.startsWith("/api/public/v1/");
    assertEquals(headers.get("Access-Control-Allow-Origin"), isOutside ? "*" : null, what);
    assertEquals(headers.get("Access-Control-Allow-Credentials"), null, what);
    const isUncached = isProtected || answer.status >= 400;
    if (isUncached) assertEquals(headers.get("Cache-Control"), "no-store", what);
    const text = await answer.text();
    if (answer.status < 400) continue;
    match(headers.get("Content-Type") ?? "", /^application\/json/, what);
    assertEquals(JSON.parse(text).error.requestId, id, what);
  }
  ok(seen.size > 100, "all operations were asked");
});

withApp.test("conventions: without https no browser is told to insist on it", async (app) => {
  const { headers } = await app.anyone.get("/healthz");
  assertEquals(headers.has("Strict-Transport-Security"), false);
});

withApp.test("conventions: HEAD answers every GET with its status and headers, without a body", async (app) => {
  const { id } = await app.owner.create("/api/products", { sku: "H", title: "t" });
  const callerOf = await callersOf(app);
  const same = ["Content-Type", "Cache-Control", "Access-Control-Allow-Origin", "Allow"];
  const summary = ({ status, headers }: Response) => [
    status,
    same.map((name) => headers.get(name)),
    // HEAD does not create the file of a download, so it cannot return the file's ETag.
    /^application\/json/.test(headers.get("Content-Type") ?? "") &&
    !headers.has("Content-Disposition") && headers.get("ETag"),
  ];
  const reads = (await listOperations(app)).filter(({ method }) => method === "GET");
  const [me] = reads.filter(({ path }) => path === "/api/public/v1/me");
  const isNoted = async () => (await callerOf(me!).read(me!.path)).data.key.lastUsedAt !== null;
  await until("the use of the key is noted, which its document shows", isNoted);
  for (const operation of reads) {
    for (const path of new Set([id, UNKNOWN_ID].map((value) => filled(operation, value)))) {
      const get = await callerOf(operation).get(path);
      const head = await callerOf(operation).send("HEAD", path);
      assertEquals(summary(head), summary(get), path);
      assertEquals(await head.text(), "", path);
      await get.body?.cancel();
    }
  }
});

withApp.test("conventions: a preflight is granted on external paths for every method, in-app never", async (app) => {
  for (const operation of await listOperations(app)) {
    const answer = await app.anyone.send("OPTIONS", filled(operation, UNKNOWN_ID), undefined, {
      Origin: "https://tool.example",
      "Access-Control-Request-Method": operation.method,
      "Access-Control-Request-Headers": "authorization",
    });
    const what = `${operation.method} ${operation.path}`;
    assertEquals([answer.status, await answer.text()], [204, ""], what);
    const methods = answer.headers.get("Access-Control-Allow-Methods");
    assertEquals(methods?.includes(operation.method) ?? false, operation.isExternal, what);
    const names = answer.headers.get("Access-Control-Allow-Headers")?.toLowerCase();
    assertEquals(names?.includes("authorization") ?? false, operation.isExternal, what);
  }
});

withApp.test("conventions: a path with an extra slash, in capitals or without its start is 404", async (app) => {
  const wrong = [
    "/api/products/",
    "/API/products",
    "//api/products",
    "/api//products",
    "/v1/products",
  ];
  for (const path of wrong) {
    await refuses(app.owner.get(path), "not_found", path);
  }
});

withApp.test("conventions: every list clamps its limit and refuses one that is no whole number", async (app) => {
  const callerOf = await callersOf(app);
  const operations = await listOperations(app);
  const lists = operations.filter(({ queryNames }) => queryNames.includes("limit"));
  ok(lists.length >= 4, "the documents list the lists");
  for (const operation of lists) {
    const caller = callerOf(operation);
    const path = filled(operation, UNKNOWN_ID);
    for (const limit of ["0", "-1", "1.5", "abc", "1e3", "", "%20", "0x10", "+5", "٣"]) {
      const refused = caller.get(`${path}?limit=${limit}`);
      assertEquals(await refusedField(refused), "limit", `${path} ${limit}`);
    }
    for (const limit of ["1", "200", "501", "999999999", "10000000000", "9".repeat(400)]) {
      const answer = await caller.get(`${path}?limit=${limit}`);
      const text = await answer.text();
      ok([200, 404].includes(answer.status), `${path} ${limit}: ${text}`);
    }
  }
});

withApp.test("conventions: an empty filter counts as absent if its document accepts an empty text, else it is refused", async (app) => {
  const documented = await documentedOperations(app);
  const callerOf = await callersOf(app);
  const asked = new Set<string>();
  const wrong: string[] = [];
  for (const [n, operation] of (await listOperations(app)).entries()) {
    if (operation.method !== "GET") continue;
    const { parameters, schemas } = documented[n]!;
    const path = filled(operation, UNKNOWN_ID);
    for (const { name, in: place, required, schema } of parameters) {
      const filter = JSON.stringify([name, schema]);
      if (place !== "query" || required || NO_FILTERS.includes(name) || asked.has(filter)) continue;
      asked.add(filter);
      const status = await statusOf(callerOf(operation).get(`${path}?${name}=`));
      const isAccepted = errorsOf(schema, schemas, "").length === 0;
      if (isAccepted ? ![200, 404].includes(status) : status !== 400) {
        wrong.push(`${path}?${name}=: ${status}`);
      }
    }
  }
  assertEquals(wrong, []);
  ok(asked.size > 100, `only ${asked.size} filters`);
});

const NO_FILTERS = ["columns", "cursor", "days", "verbose"];

withApp.test("conventions: a cursor is invalid with one character changed or added, or if the list did not issue it", async (app) => {
  for (const sku of ["A", "B", "C"]) {
    await app.owner.create("/api/products", { sku, title: "t", brand: "Bosch" });
  }
  const list = "/api/products?limit=1&brand=bosch";
  const { nextCursor } = await app.owner.read(list);
  await app.viewer.read(`${list}&cursor=${nextCursor}`);
  for (let at = 0; at < nextCursor.length; at++) {
    const other = nextCursor[at] === "A" ? "B" : "A";
    const changed = nextCursor.slice(0, at) + other + nextCursor.slice(at + 1);
    await refuses(app.owner.get(`${list}&cursor=${changed}`), "invalid_cursor", `${at}`);
  }
  const foreign = ["AAAA", "x".repeat(30_000), "%00", "null", "1", "bm90aGluZw", "..%2f"];
  for (const cursor of [`${nextCursor}=`, `${nextCursor}%0a`, ...foreign]) {
    await refuses(app.owner.get(`${list}&cursor=${cursor}`), "invalid_cursor");
  }
  assertEquals((await app.owner.read(`${list}&cursor=`)).nextCursor, nextCursor);
});

const product = () => ({ sku: crypto.randomUUID(), title: "Kabel", ourPrice: 10 });

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
  // In a new app (`ENV`), the caller is the only owner, who cannot be deleted.
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
    // Only a damaged row gives this error.
    await app.store.kv.set(["p", idBytes(app.workspaceId), idBytes(id)], "torn");
    return await app.owner.patch(`/api/products/${id}`, { title: "B" });
  },
  unavailable: async (app) => {
    const { id } = await app.owner.create("/api/products", product());
    const other = new DatabaseSync(app.storePath, { timeout: 10_000 });
    // A queue message that finishes while the file is locked would delay later commits.
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

/** Some error codes need a separate app with these environment variables. */
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

async function postHalfABody(app: TestApp): Promise<Response> {
  const head = "POST /api/products HTTP/1.1\r\nHost: localhost\r\n" +
    `Cookie: ${app.ownerCookie}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
  const { body, status, headers } = await exchange(app.base, `${head}{"sku":`);
  // Deno keeps the connection open; this header makes the proxy close it (docs/operations.md).
  assertEquals(headers.get("Connection"), "close");
  return new Response(body, { status, headers });
}

withApp.test("errors: a filter with a fixed set of values names them", async (app) => {
  const key = await app.key(["proposals:read"]);
  const statuses = "open, applied, rejected, expired, superseded, rolled_back";
  const answer = await key.get("/api/public/v1/proposals?status=approved");
  assertEquals((await errorOf(answer)).message, `status: Must be one of ${statuses}`);
  match(answer.headers.get("Access-Control-Expose-Headers") ?? "", /\bX-Prices-Include-Vat\b/);
});

const ACCEPT = { Accept: "application/problem+json, application/json" };

withApp.test("an error is a problem document if the caller accepts it, with the same code and status", async (app) => {
  const key = await app.key(["products:write"]);
  for (
    const [path, status, code] of [
      ["/api/public/v1/products/none", 404, "not_found"],
      ["/api/public/v1/products?limit=x", 400, "validation_failed"],
      ["/api/public/v1/nothing", 404, "not_found"],
      ["/api/public/v1/audit-logs", 403, "insufficient_scope"],
    ] as const
  ) {
    const [plain, problem] = [await key.get(path), await key.get(path, ACCEPT)];
    const error = await refusalOf(plain);
    assertEquals([plain.status, error.code], [status, code]);
    assertEquals(plain.headers.get("Content-Type"), "application/json");
    assertEquals(problem.headers.get("Content-Type"), "application/problem+json");
    const { requestId, ...told } = await bodyOf(problem, status);
    match(requestId, /^req_/);
    assertEquals(told, {
      type: `urn:kurant:error:${code}`,
      title: told.title,
      status,
      detail: error.message,
      code,
      ...(error.details && { details: error.details }),
    });
  }
  const strange = await bodyOf(app.anyone.get("/api/public/v1/products", ACCEPT), 401);
  assertEquals(strange.title, "Missing credentials");
});

withApp.test("the refusal of an unknown query parameter names the likely one", async (app) => {
  const key = await app.key(["products:write"]);
  const likely = { limt: "limit", Brand: "brand", cusror: "cursor", cursors: "cursor" };
  const unlike = ["nonsense", "curxyz", "x", "l".repeat(1_000)].map((name) => [name, ""] as const);
  for (const [name, meant] of [...Object.entries(likely), ...unlike]) {
    const { details } = await refusalOf(key.get(`/api/public/v1/products?${name}=5`));
    const hint = meant === "" ? "" : `: did you mean "${meant}"?`;
    assertEquals(details.fields[0].message, `Unknown field${hint}`, name);
  }
});

/** Requests whose body has no fields. They are raw text, because `fetch` would add headers. */
const NOTHING: readonly (readonly [what: string, rest: string])[] = [
  ["no body and no type", "Content-Length: 0\r\n\r\n"],
  ["not even a length", "\r\n"],
  ["a type and no body", "Content-Type: application/json\r\nContent-Length: 0\r\n\r\n"],
  ["curl -d ''", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n"],
  ["no chunk", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["an empty object", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"],
];

function postRaw(app: TestApp, path: string, rest: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: kurant\r\nCookie: ${app.ownerCookie}\r\n`;
  return exchange(app.base, head + rest);
}

withApp.test("POST /api/rules/{id}/simulate needs neither a body nor a Content-Type, also for an Idempotency-Key, but validates a body", async (app) => {
  await addProduct(app.owner, "A");
  const path = `/api/rules/${await addRule(app.owner)}/simulate`;
  await push(app, [["A", "acme", 90]]);
  for (const [what, rest] of NOTHING) {
    const { status, body } = await postRaw(app, path, rest);
    assertEquals([status, status === 200 ? JSON.parse(body).evaluated : body], [200, 1], what);
  }
  const cases = [
    ["Content-Type: application/x-www-form-urlencoded\r\n", "a=b", "unsupported_media_type"],
    ["", "{}", "unsupported_media_type"],
    ["Content-Type: application/json\r\n", " ", "invalid_json"],
    ["Content-Type: application/json\r\n", "null", "validation_failed"],
  ] as const;
  for (const [type, body, code] of cases) {
    const rest = `${type}Content-Length: ${body.length}\r\n\r\n${body}`;
    await refuses(postRaw(app, path, rest), code, body);
  }
  const keyed = (rest: string) => postRaw(app, path, `Idempotency-Key: empty-1\r\n${rest}`);
  assertEquals((await keyed("\r\n")).headers.get("Idempotent-Replayed"), null);
  for (const [what, rest] of NOTHING.slice(0, -1)) {
    assertEquals((await keyed(rest)).headers.get("Idempotent-Replayed"), "true", what);
  }
  await refuses(keyed(NOTHING.at(-1)![1]), "idempotency_key_reused");
});

withApp.test("every POST whose fields are all optional is documented with an optional body", async (app) => {
  const operations = await documentedOperations(app);
  const optional = operations.filter((one) => {
    // This body needs exactly one of several fields, which the schema's `required` cannot express.
    if (one.path === "/api/auth/prove") return false;
    const { schemas } = one;
    const schema = jsonBodyOf(one);
    const body = schema ? resolved(schema, schemas) : {};
    // A body with alternative schemas is optional only if no alternative requires a field.
    const shapes = (body.oneOf ?? body.anyOf ?? [body]).map((one) => resolved(one, schemas));
    const isOptional = shapes.every(({ required = [] }) => required.length === 0);
    return one.method === "POST" && schema !== null && isOptional;
  });
  ok(optional.length >= 2, "simulate and backtest are among them");
  assertEquals(optional.filter(({ needsBody }) => needsBody).map(({ path }) => path), []);
});

const FLOOD = extent(300, 200);

withApp.test("a flood of lists of one workspace does not delay another workspace's request", async (app) => {
  const key = await app.key(["products:write"]);
  const items = Array.from({ length: 200 }, (_, n) => ({ sku: `S-${n}`, title: "Kessel" }));
  await key.act("/api/public/v1/products/batch", { items });
  const other = await app.strangerOwner();
  let answered = 0;
  const begun = Promise.withResolvers<void>();
  const flood = Array.from({ length: FLOOD }, async () => {
    await app.owner.read("/api/products?limit=200");
    answered++;
    begun.resolve();
  });
  await begun.promise;
  const atFirst = answered;
  await other.read("/api/products");
  const before = answered - atFirst;
  await Promise.all(flood);
  ok(before < FLOOD / 2, `${before} of ${FLOOD} were answered before it`);
});

const GZIP = { "Accept-Encoding": "gzip" };
const PLAIN = { "Accept-Encoding": "identity" };

const withProducts = testWith(async () => {
  const app = await startTestApp();
  const key = await app.key(["products:read", "products:write"]);
  const items = Array.from({ length: 40 }, (_, n) => ({ sku: `SKU-${n}`, title: "Kühlschrank" }));
  await key.act("/api/public/v1/products/batch", { items });
  return { app, key, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

const largeOnes = (owner: Caller, anyone: Caller, key: Caller): [Caller, string][] => [
  [key, "/api/public/v1/products"],
  [key, "/api/public/v1/products.csv"],
  [key, "/api/public/v1/products.ndjson"],
  [owner, "/api/import-profiles"],
  [owner, "/api/products.csv"],
  [anyone, "/api/openapi.json"],
  [anyone, "/api/public/v1/openapi.json"],
];

withProducts.test("JSON, CSV and documents are compressed for callers that accept gzip, small or already compressed answers never", async ({ app: { owner, anyone }, key }) => {
  for (const [caller, path] of largeOnes(owner, anyone, key)) {
    const packed = await caller.get(path, GZIP);
    const plain = await caller.get(path, PLAIN);
    assertEquals([path, packed.status, plain.status], [path, 200, 200]);
    assertEquals([path, packed.headers.get("Content-Encoding")], [path, "gzip"]);
    assertEquals([path, plain.headers.get("Content-Encoding")], [path, null]);
    for (const answer of [packed, plain]) match(answer.headers.get("Vary") ?? "", /accept-enc/i);
    assertEquals(await packed.text(), await plain.text(), path);
  }
  const refused = await key.get("/api/public/v1/products", { "Accept-Encoding": "gzip;q=0" });
  assertEquals(refused.headers.get("Content-Encoding"), null);
  await refused.body?.cancel();
  const unchanged: readonly [Caller, string][] = [
    [key, "/api/public/v1/products?limit=1"],
    [key, "/api/public/v1/products.csv?sku=none"],
    [owner, "/api/products.xlsx"],
    [key, "/api/public/v1/none"],
  ];
  for (const [caller, path] of unchanged) {
    const answer = await caller.get(path, GZIP);
    ok((await answer.bytes()).length > 0);
    assertEquals([path, answer.headers.get("Content-Encoding")], [path, null]);
  }
});

withProducts.test("JSON and files that the caller already has are answered with 304, compressed or not", async ({ app: { anyone, owner }, key }) => {
  const asked: readonly [Caller, string][] = [
    ...largeOnes(owner, anyone, key),
    [key, "/api/public/v1/products?limit=1"],
    [key, "/api/public/v1/products/SKU-1"],
  ];
  for (const [caller, path] of asked) {
    for (const coding of [GZIP, PLAIN]) {
      const etag = await etagOf(caller.get(path, coding));
      match(etag, /^(?:W\/)?"[0-9a-f-]{16,}"$/, path);
      const again = await caller.get(path, { ...coding, "If-None-Match": `"other", ${etag}` });
      assertEquals([path, again.status, await again.text()], [path, 304, ""]);
      ok(etag.endsWith(again.headers.get("ETag") ?? "none"));
      const other = caller.get(path, { ...coding, "If-None-Match": '"other"' });
      assertEquals(await statusOf(other), 200);
    }
  }
  const before = await etagOf(key.get("/api/public/v1/products"));
  await owner.create("/api/products", { sku: "NEW", title: "Neu" });
  const after = key.get("/api/public/v1/products", { "If-None-Match": before });
  assertEquals(await statusOf(after), 200);
});

withProducts.test("a page has at most 200 products, a file all of them; one above 256 KiB is streamed, without an ETag", async ({ key }) => {
  const items = Array.from({ length: 700 }, (_, n) => ({ sku: `L-${n}`, title: "x".repeat(500) }));
  await key.act("/api/public/v1/products/batch", { items });
  const sizes = { "": 50, "?limit=7": 7, "?limit=200": 200, "?limit=5000": 200 };
  for (const [query, size] of Object.entries(sizes)) {
    const { count, data, nextCursor } = await key.read(`/api/public/v1/products${query}`);
    assertEquals([count, data.length, nextCursor !== null], [size, size, true]);
  }
  for (const coding of [GZIP, PLAIN]) {
    const answer = await key.get("/api/public/v1/products.csv", coding);
    assertEquals([answer.status, answer.headers.get("ETag")], [200, null]);
    assertEquals((await answer.text()).trimEnd().split("\n").length, 741);
  }
});

withProducts.test("the ETag of a compressed document is accepted by If-Match", async ({ app: { owner } }) => {
  const long = Array.from({ length: 30 }, (_, n) => [`a${n}`, "lang ".repeat(20)]);
  const attributes = Object.fromEntries(long);
  const { id } = await owner.create("/api/products", { sku: "LONG", title: "Lang", attributes });
  const path = `/api/products/${id}`;
  const read = await owner.get(path, GZIP);
  await read.body?.cancel();
  const etag = read.headers.get("ETag") ?? "";
  assertEquals([read.headers.get("Content-Encoding"), etag[0]], ["gzip", '"']);
  await owner.change(path, { title: "Länger" }, { "If-Match": etag });
  assertEquals(await statusOf(owner.patch(path, { title: "Spät" }, { "If-Match": etag })), 412);
});
