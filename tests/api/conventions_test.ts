/** Rules for every answer of every route (docs/decisions/http.md): headers, methods, request ids. */
import {
  deepStrictEqual as assertEquals,
  doesNotMatch,
  match,
  notDeepStrictEqual,
  ok,
} from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { until } from "../patience.ts";
import { refusedField, refuses } from "./answers.ts";
import { callersOf, filled, listOperations, type Operation, UNKNOWN_ID } from "./operations.ts";

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const SENT = { "Sec-Fetch-Site": "same-origin", "X-Request-Id": "req_MINE" };

/** Answers of operations, without and with permission, and of paths outside the documents. */
async function* answersOf(app: TestApp, operations: readonly Operation[]) {
  const callerOf = await callersOf(app);
  /** `isProtected` is true for the documented answers of an operation that needs a credential. */
  const ask = async (caller: Caller, method: string, path: string, isProtected = false) => ({
    what: `${method} ${path} ${caller === app.anyone ? "by nobody" : "by one who may"}`,
    path,
    isProtected,
    answer: await caller.send(method, path, undefined, SENT),
  });
  for (const [n, operation] of operations.entries()) {
    const { method, credentials } = operation;
    const path = filled(operation, UNKNOWN_ID);
    const isLogout = path === "/api/auth/logout";
    const isProtected = credentials.length > 0 && !isLogout;
    yield await ask(app.anyone, method, path, isProtected);
    if (!isLogout) yield await ask(callerOf(operation), method, path, isProtected);
    // Most paths have neither PUT nor OPTIONS, so the short form tries every eighth path.
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

for (const isHttps of [false, true]) {
  const publicUrl = `${isHttps ? "https" : "http"}://kurant.example`;
  Deno.test(`conventions: every answer has security headers and a request id of the service, which a refusal repeats, and no refusal or protected answer is cached, with PUBLIC_URL ${publicUrl}`, async () => {
    await using app = await startTestApp({ env: { PUBLIC_URL: publicUrl } });
    const seen = new Set<string>();
    // Without HTTPS, only one header differs, so the short form asks only every eighth operation.
    const every = isHttps ? 1 : extent(1, 8);
    const operations = (await listOperations(app)).filter((_, n) => n % every === 0);
    for await (const { what, path, isProtected, answer } of answersOf(app, operations)) {
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
      assertEquals(headers.has("Strict-Transport-Security"), isHttps, what);
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
}

withApp.test("conventions: HEAD answers every GET with its status and headers, without a body", async (app) => {
  const { id } = await app.owner.create("/api/products", { sku: "H", title: "t" });
  const callerOf = await callersOf(app);
  const same = ["Content-Type", "Cache-Control", "Access-Control-Allow-Origin", "Allow"];
  const summary = ({ status, headers }: Response) => [
    status,
    same.map((name) => headers.get(name)),
    // HEAD does not create a file, so its answer lacks the file's ETag.
    /^application\/json/.test(headers.get("Content-Type") ?? "") &&
    !headers.has("Content-Disposition") && headers.get("ETag"),
  ];
  const reads = (await listOperations(app)).filter(({ method }) => method === "GET");
  const ofKey = reads.filter(({ path }) => path === "/api/public/v1/me");
  for (const operation of ofKey) {
    await until("the use of the key is noted, which its document shows", async () => {
      const { data } = await callerOf(operation).read(operation.path);
      return data.key.lastUsedAt !== null;
    });
  }
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
  for (const operation of await listsOf(app)) {
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

const FOREIGN_CURSORS = [
  "AAAA",
  "x".repeat(2_000),
  "x".repeat(30_000),
  "%00",
  "null",
  "1",
  "bm90aGluZw",
  "..%2f",
];

withApp.test("conventions: every list refuses a cursor that it did not issue", async (app) => {
  const callerOf = await callersOf(app);
  for (const operation of await listsOf(app)) {
    // Lists of only the largest market moves have no pages, and so no cursor.
    if (!operation.queryNames.includes("cursor")) continue;
    const path = filled(operation, UNKNOWN_ID);
    if (path.includes(UNKNOWN_ID)) continue;
    for (const cursor of FOREIGN_CURSORS) {
      const answer = callerOf(operation).get(`${path}?cursor=${cursor}`);
      await refuses(answer, "invalid_cursor", `${path} ${cursor}`);
    }
    const first = await callerOf(operation).read(`${path}?cursor=`);
    assertEquals(first.nextCursor, null, `${path}: an empty cursor is none`);
  }
});

async function listsOf(app: TestApp): Promise<Operation[]> {
  const lists = (await listOperations(app)).filter(({ queryNames }) =>
    queryNames.includes("limit")
  );
  ok(lists.length >= 4, "the documents list the lists");
  return lists;
}

withApp.test("conventions: a limit above the maximum gives a page of the maximum", async (app) => {
  const key = await app.key(["products:write"]);
  const items = Array.from({ length: 201 }, (_, n) => ({ sku: `S${n}`, title: "t" }));
  await key.act("/api/public/v1/products/batch", { items });
  const sizes: number[] = [];
  for (const query of ["", "?limit=7", "?limit=200", "?limit=5000"]) {
    const page = await key.read(`/api/public/v1/products${query}`);
    assertEquals(page.count, page.data.length);
    notDeepStrictEqual(page.nextCursor, null);
    sizes.push(page.count);
  }
  assertEquals(sizes, [50, 7, 200, 200]);
});

withApp.test("conventions: a cursor is invalid with one character changed or added", async (app) => {
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
  for (const more of ["=", "%0a"]) {
    await refuses(app.owner.get(`${list}&cursor=${nextCursor}${more}`), "invalid_cursor");
  }
});
