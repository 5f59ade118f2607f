/**
 * Hostile values in every field are stored unchanged, or refused like other invalid values. No
 * request may change another workspace in the same store.
 */
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual, ok } from "node:assert/strict";
import { startTestApp, type TestApp } from "../harness.ts";
import { testWithOne } from "../opened.ts";
import { exchange } from "../raw_http.ts";
import { join } from "../zip.ts";
import { bodyOf, column, refusalOf, refusedField, refuses, statusOf } from "./answers.ts";
import { callersOf, filled, listOperations, UNKNOWN_ID } from "./operations.ts";
import type { Caller } from "../caller.ts";
import { csvCells } from "../read_table.ts";
import { dataTest, HOSTILE_INPUTS, type HostileInput, hostileInputs } from "../sample_data.ts";
import { HANG_MS } from "../patience.ts";
import { Buffer } from "node:buffer";
import { idBytes } from "../../src/base/id.ts";
import { listWorkspaces } from "../../src/accounts/workspace.ts";

const JSON_BYTES_MAX = 1024 * 1024;
const encoder = new TextEncoder();

const onApp = testWithOne(async () => {
  const app = await startTestApp();
  const { requireUntouched } = await withNeighbour(app);
  return { app, requireUntouched, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

function survives(name: string, check: (app: TestApp) => Promise<void>): void {
  onApp.test(`bad request: ${name}`, async ({ app, requireUntouched }) => {
    await check(app);
    await requireUntouched();
  });
}

/** Sends exactly these bytes as the body of `POST /api/products`. */
function postBytes(app: TestApp, body: Uint8Array<ArrayBuffer>, framing?: string) {
  const head = "POST /api/products HTTP/1.1\r\nHost: kurant\r\nContent-Type: application/json\r\n" +
    `Cookie: ${app.ownerCookie}\r\n${framing ?? `Content-Length: ${body.length}`}\r\n\r\n`;
  return exchange(app.base, join([encoder.encode(head), body]));
}

function ask({ base }: TestApp, request: string, ...headers: string[]) {
  const lines = [`${request} HTTP/1.1`, "Host: kurant", ...headers, "", ""];
  return exchange(base, lines.join("\r\n"));
}

function paddedTo(bytes: number): Uint8Array<ArrayBuffer> {
  const text = '{"sku":"A","title":"';
  return encoder.encode(text + "x".repeat(bytes - text.length - 2) + '"}');
}

survives("a body of 1 MiB is read; more is 413, sent, chunked or only declared", async (app) => {
  assertEquals(await refusedField(postBytes(app, paddedTo(JSON_BYTES_MAX))), "title");
  await refuses(postBytes(app, paddedTo(JSON_BYTES_MAX + 1)), "payload_too_large");
  const endless = encoder.encode(`10000\r\n${"x".repeat(0x10000)}\r\n`.repeat(64));
  await refuses(postBytes(app, endless, "Transfer-Encoding: chunked"), "payload_too_large");
  const declared = postBytes(app, encoder.encode("{"), "Content-Length: 1073741824");
  await refuses(declared, "payload_too_large");
});

survives("bytes that are not UTF-8 are invalid_json", async (app) => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
    const start = encoder.encode('{"sku":"U","title":"');
    const body = new Uint8Array([...start, ...bytes, ...encoder.encode('"}')]);
    await refuses(postBytes(app, body), "invalid_json");
  }
});

survives("every spelling of JSON's media type is accepted, and no other type", async (app) => {
  const types: Record<string, number> = {
    "application/json ; charset=utf-8": 201,
    "application/json;": 201,
    "application/json; ": 201,
    "application/json;charset=utf-8;": 201,
    'Application/JSON; charset="utf-8"': 201,
    "application/json; charset = utf-8": 201,
    "application/ld2+json": 201,
    "application/jsonx": 415,
    "text/json": 415,
  };
  for (const [index, [type, status]] of Object.entries(types).entries()) {
    const body = JSON.stringify({ sku: `T-${index}`, title: "t" });
    const headers = { "Content-Type": type };
    const answer = app.owner.send("POST", "/api/products", body, headers);
    assertEquals(await statusOf(answer), status, type);
  }
});

survives("a malformed id in a query is refused or finds nothing", async (app) => {
  const callerOf = await callersOf(app);
  let asked = 0;
  for (const operation of await listOperations(app)) {
    if (operation.method !== "GET") continue;
    for (const name of operation.queryNames.filter((one) => /id$/i.test(one))) {
      const path = `${filled(operation, UNKNOWN_ID)}?${name}=x`;
      const answer = await callerOf(operation).get(path);
      await answer.body?.cancel();
      ok(answer.status < 500, `${path}: ${answer.status}`);
      asked++;
    }
  }
  ok(asked > 20, `only ${asked} requests`);
});

survives("an empty body, a bare value, an array and truncated JSON are refused", async (app) => {
  const codes: Record<string, string> = {
    "": "invalid_json",
    "   ": "invalid_json",
    '{"sku":': "invalid_json",
    "{'sku':1}": "invalid_json",
    null: "validation_failed",
    "[]": "validation_failed",
    '"text"': "validation_failed",
    "1": "validation_failed",
  };
  for (const [body, code] of Object.entries(codes)) {
    await refuses(postBytes(app, encoder.encode(body)), code, body);
  }
});

survives("__proto__ is an unknown field at every depth and pollutes nothing", async (app) => {
  const bodies = [
    '{"sku":"P","title":"t","__proto__":{"polluted":1}}',
    '{"sku":"P","title":"t","attributes":{"__proto__":"polluted"}}',
    '{"sku":"P","title":"t","attributes":{"__proto__":{"polluted":1}}}',
    '{"__proto__":{"sku":"P","title":"t"}}',
  ];
  for (const body of bodies) {
    const { details } = await refusalOf(postBytes(app, encoder.encode(body)));
    match(JSON.stringify(details.fields), /__proto__/);
  }
  assertEquals(Reflect.get({}, "polluted"), undefined);
});

survives("attributes named like object members are plain text", async (app) => {
  const attributes = { constructor: "a", toString: "b", hasOwnProperty: "c", prototype: "d" };
  const { id } = await app.owner.create("/api/products", { sku: "O", title: "t", attributes });
  assertEquals((await app.owner.read(`/api/products/${id}`)).attributes, attributes);
});

survives("JSON nested deeper than any document is invalid_json", async (app) => {
  for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
    for (const depth of [65, 10_000, 100_000]) {
      const body = encoder.encode(open.repeat(depth) + "1" + close.repeat(depth));
      await refuses(postBytes(app, body), "invalid_json");
    }
    const shallow = encoder.encode(open.repeat(64) + "1" + close.repeat(64));
    await refuses(postBytes(app, shallow), "validation_failed");
  }
});

survives("a body of unknown fields only is refused with a bounded answer", async (app) => {
  const many = Array.from({ length: 60_000 }, (_, n) => `"f${n}":1`).join(",");
  const long = `"${"f".repeat(1_000_000)}":1`;
  for (const fields of [many, long]) {
    const answer = await postBytes(app, encoder.encode(`{${fields}}`));
    const { code, message } = await refusalOf(answer);
    assertEquals([code, message.length < 1_000], ["validation_failed", true]);
    ok(answer.body.length < 65_536, `${answer.body.length} bytes`);
  }
});

survives("headers of megabytes are refused, and the server keeps running", async (app) => {
  const long = [`X-Long: ${"a".repeat(10_000_000)}`];
  const many = Array.from({ length: 100 }, (_, n) => `X-${n}: ${"a".repeat(6_000)}`);
  for (const headers of [long, many]) {
    const { status } = await ask(app, "GET /healthz", ...headers);
    ok(status === 0 || (status >= 400 && status < 500), `${status}`);
  }
});

survives("NUL and broken percent-encoding in a path are 404", async (app) => {
  const { text } = await app.newKey([]);
  for (const odd of ["%00", "a%00b", "%E0%A4%A", "%", "%zz", "%C0%AF", "..%2f..%2f", "%0d%0aX:1"]) {
    const outside = ask(app, `GET /api/public/v1/products/${odd}`, `Authorization: Bearer ${text}`);
    await refuses(outside, "not_found", odd);
    const inside = ask(app, `GET /api/products/${odd}`, `Cookie: ${app.ownerCookie}`);
    await refuses(inside, "not_found", odd);
    await refuses(ask(app, `GET /${odd}`), "not_found", odd);
  }
});

survives("TRACE and unknown methods are 405 on existing paths, and echo nothing", async (app) => {
  for (const method of ["TRACE", "PROPFIND", "BREW"]) {
    const answer = await ask(app, `${method} /api/products`, "X-Echo: secret");
    await refuses(answer, "method_not_allowed", method);
    match(answer.headers.get("Allow") ?? "", /GET/);
    assertEquals(answer.body.includes("secret"), false);
  }
});

survives("a malformed Host is 400 on every kind of path", async (app) => {
  for (const path of ["/", "/healthz", "/api/products", "/api/public/v1/products", "/docs"]) {
    for (const host of ["a b", "a:b:c", "[::1", "kurant:99999"]) {
      const answer = exchange(app.base, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await refuses(answer, "validation_failed", `${path} ${host}`);
    }
  }
});

survives("every GET names and refuses a query parameter that is given twice", async (app) => {
  const callerOf = await callersOf(app);
  const reads = (await listOperations(app)).filter(({ method }) => method === "GET");
  ok(reads.length >= 8, "the documents list the routes");
  for (const operation of reads) {
    const caller = callerOf(operation);
    const path = filled(operation, UNKNOWN_ID);
    for (const name of operation.queryNames) {
      const twice = await refusalOf(caller.get(`${path}?${name}=1&${name}=1`));
      assertEquals(twice.code, "validation_failed", `${path} ${name}`);
      // The refusal may also name required parameters that are missing.
      const refused: string[] = column(twice.details.fields, "path");
      ok(refused.some((field) => field.split(".")[0] === name), `${path} ${name}`);
    }
  }
});

survives("a query parameter named like an object member is refused like any other", async (app) => {
  for (const name of ["__proto__", "constructor", "toString", "limit[]", "limit[0]", "a.b"]) {
    const answer = app.owner.get(`/api/products?${encodeURIComponent(name)}=1`);
    await refuses(answer, "validation_failed", name);
  }
  await app.owner.read("/api/products?");
});

/** Runs `check` once for each hostile input of this kind, always on the same app. */
function testEachInput(
  kind: string,
  guarantee: string,
  check: (app: TestApp, input: HostileInput, reader: Caller) => Promise<void>,
): void {
  dataTest(`bad input: ${kind}: ${guarantee}`, HOSTILE_INPUTS, async (data, t) => {
    const inputs = hostileInputs(data, kind);
    ok(inputs.length > 1);
    await using app = await startTestApp();
    const neighbour = await withNeighbour(app);
    const reader = await app.key([]);
    for (const input of inputs) {
      await t.step(`${input.expect}: ${JSON.stringify(input.value.slice(0, 60))}`, async () => {
        const startedAt = performance.now();
        await check(app, input, reader);
        ok(performance.now() - startedAt < HANG_MS, "too slow");
        await neighbour.requireUntouched();
      });
    }
  });
}

testEachInput("title", "is returned as sent, or refused by name", async (app, input, reader) => {
  const sku = crypto.randomUUID();
  const answer = await app.owner.post("/api/products", { sku, title: input.value });
  assertEquals(answer.headers.get("Set-Cookie"), null);
  if (input.expect === "reject") {
    assertEquals(await refusedField(answer), "title");
    assertEquals(await statusOf(reader.get(`/api/public/v1/products/${sku}`)), 404);
    return;
  }
  const title = input.expect === "verbatim" ? input.value : input.value.replace(/\r\n/, " ");
  const { id } = await bodyOf(answer, 201);
  assertEquals((await app.owner.read(`/api/products/${id}`)).title, title);
  const { data } = await reader.read(`/api/public/v1/products?sku=${sku}`);
  assertEquals(data[0].title, title);
  for (const [sent, kept] of [["x", "x"], [input.value, title]]) {
    const changed = await app.owner.change(`/api/products/${id}`, { title: sent });
    assertEquals(changed.title, kept);
  }
});

testEachInput("sku", "identifies exactly its product on every path", async (app, input, reader) => {
  const sku = input.value;
  const answer = await app.owner.post("/api/products", { sku, title: "Kabel" });
  if (input.expect === "reject") {
    assertEquals(await refusedField(answer), "sku");
    return;
  }
  if (input.expect === "normalise" || input.expect === "same_or_two") {
    // Normalisation makes this SKU equal to an earlier one, e.g. `A` with U+0308 becomes `Ä`.
    const { code, details } = await refusalOf(answer);
    assertEquals(code, "sku_exists");
    const found = await reader.read(pathOf(sku));
    assertEquals(found.data.id, details.productId);
    return;
  }
  const { id, sku: stored } = await bodyOf(answer, 201);
  assertEquals(stored, sku);
  for (const path of [pathOf(sku), pathOf(`sku:${sku}`), pathOf(id), pathOf(`id:${id}`)]) {
    assertEquals((await reader.read(path)).data.id, id, path);
  }
  const query = new URLSearchParams({ sku });
  const { items } = await app.owner.read(`/api/products?${query}`);
  assertEquals(column(items, "id"), [id]);
});

function pathOf(idOrSku: string): string {
  return `/api/public/v1/products/${encodeURIComponent(idOrSku)}`;
}

testEachInput(
  "money_json",
  "becomes exact minor units, or is refused by name",
  async (app, input) => {
    const literals = [JSON.stringify(input.value)];
    if (/^-?[\d.]+(e\d+)?$/.test(input.value) && !/\..*[.,]/.test(input.value)) {
      literals.push(input.value);
    }
    for (const field of ["ourPrice", "costPrice", "targetPrice"]) {
      for (const literal of literals) {
        const sku = crypto.randomUUID();
        const body = `{"sku":"${sku}","title":"t","${field}":${literal}}`;
        const answer = await postText(app.owner, body);
        if (input.expect === "reject") {
          assertEquals(await refusedField(answer), field, literal);
        } else assertEquals((await bodyOf(answer, 201))[field], 820);
      }
    }
    const bare = await postText(app.owner, `{"sku":"n","title":"t","ourPrice":${input.value}}`);
    if (input.expect === "reject") await refusalOf(bare);
    else await bodyOf(bare, 201);
  },
);

testEachInput("json_body", "adds no field that the schema lacks", async (app, input) => {
  const answer = await postText(app.owner, input.value);
  const isRefused = input.expect === "reject" ||
    (input.expect !== "normalise" && answer.status !== 201);
  if (isRefused) {
    ok(["validation_failed", "invalid_json"].includes((await refusalOf(answer)).code));
  } else {
    const { sku } = await bodyOf(answer, 201);
    ok(["P5", "P6"].includes(sku), sku);
  }
  assertEquals(Reflect.get({}, "role"), undefined);
  assertEquals(Reflect.get({}, "admin"), undefined);
  assertEquals((await app.viewer.read("/api/auth/me")).role, "viewer");
});

testEachInput("query", "is refused, or used as search text", async (app, input, reader) => {
  const isLenient = input.value === "brand=%E0%A4%A";
  for (const [caller, base] of [[app.owner, "/api"], [reader, "/api/public/v1"]] as const) {
    const answer = await caller.get(`${base}/products?${input.value}`);
    if (input.expect === "reject" && !(isLenient && answer.status === 200)) {
      const isCursor = input.value.startsWith("cursor");
      await refuses(answer, isCursor ? "invalid_cursor" : "validation_failed");
    } else assertEquals((await bodyOf(answer, 200)).count, 0);
  }
});

testEachInput("static_path", "leads to no file", async (app, input) => {
  const request = `GET ${input.value} HTTP/1.1\r\nHost: kurant\r\nConnection: close\r\n\r\n`;
  await refuses(exchange(app.base, request), "not_found");
});

testEachInput("header", "changes only the answer to its sender", async (app, input, reader) => {
  const host = input.value.startsWith("Host:") ? "" : "Host: kurant\r\n";
  const cookie = input.value.startsWith("Origin:") ? `Cookie: ${app.ownerCookie}\r\n` : "";
  const body = '{"sku":"FORGED","title":"t"}';
  const head = `${host}${cookie}${input.value}\r\nContent-Type: application/json\r\n`;
  const text =
    `POST /api/products HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await exchange(app.base, text);
  const { code, requestId } = await refusalOf(answer);
  assertEquals(code, HEADER_CODES[input.value.split(":")[0]!] ?? "not_authenticated");
  notDeepStrictEqual(requestId, "x");
  assertEquals(await statusOf(reader.get("/api/public/v1/products/FORGED")), 404);
});

const HEADER_CODES: Record<string, string> = { Host: "validation_failed", Origin: "csrf_refused" };

testEachInput(
  "password",
  "counts in full, or is refused without being hashed",
  async (app, input) => {
    const email = `${crypto.randomUUID()}@shop.example`;
    const invited = await app.owner.create("/api/users", { email, role: "viewer" });
    const token = /token=([\w-]+)/.exec(JSON.stringify(invited))?.[1];
    const body = { token, password: input.value };
    const accept = await app.anyone.post("/api/invitations/accept", body);
    const logIn = (password: string) => app.anyone.post("/api/auth/login", { email, password });
    if (input.expect === "reject") {
      assertEquals(await refusedField(accept), "password");
      await refuses(logIn(input.value), "invalid_login");
      return;
    }
    ok(accept.ok, `${accept.status}: ${await accept.text()}`);
    assertEquals((await bodyOf(logIn(input.value), 200)).email, email);
    await refuses(logIn(input.value.slice(0, -1)), "invalid_login");
  },
);

for (const kind of ["csv_cell", "title", "sku"]) {
  testEachInput(`${kind}`, "is one cell in an export, and no formula", async (app, input) => {
    const sku = kind === "sku" ? input.value : crypto.randomUUID();
    const text = kind === "sku" ? "t" : input.value;
    const body = { sku, title: text, mpn: text.slice(0, 90) };
    const made = await app.owner.post("/api/products", body);
    if (made.status !== 201) return void await refusalOf(made);
    const product = await bodyOf(made, 201);
    for (const [dialect, mark] of [["excel", ";"], ["rfc4180", ","]] as const) {
      const query = new URLSearchParams({ sku: product.sku, dialect });
      const answer = await app.owner.get(`/api/products.csv?${query}`);
      const [head = [], row = [], ...rest] = csvCells(await answer.text(), mark);
      assertEquals([answer.status, row.length, rest], [200, head.length, []]);
      for (const name of ["sku", "title", "mpn"]) {
        const cell = row[head.indexOf(name)] ?? "";
        // Exports write an apostrophe before a formula.
        assertEquals(cell === product[name] ? cell : cell.replace(/^'/, ""), product[name]);
        ok(!/^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(cell), cell);
      }
    }
  });
}

function postText(caller: Caller, body: string): Promise<Response> {
  return caller.send("POST", "/api/products", body, { "Content-Type": "application/json" });
}

async function withNeighbour(app: TestApp) {
  const owner = await app.strangerOwner();
  const product = { sku: "NEIGHBOUR", title: "Nachbar", ourPrice: 1, attributes: { a: "b" } };
  const { id: productId } = await owner.create("/api/products", product);
  const others = (await listWorkspaces(app.store)).map(({ id }) => id)
    .filter((id) => id !== app.workspaceId);
  const before = await rowsOf(app, others);
  return {
    productId,
    /** Fails if the server does not answer, or if a row of another workspace has changed. */
    async requireUntouched() {
      assertEquals(await statusOf(app.anyone.get("/healthz")), 200);
      assertEquals(await rowsOf(app, others), before);
    },
  };
}

const BESIDE = new Set<Deno.KvKeyPart | undefined>(["nw", "tq", "uv", "ev", "evv"]);

/** Returns the rows of the workspaces as `key version`, to notice every write. */
async function rowsOf({ store }: TestApp, workspaceIds: readonly string[]): Promise<string[]> {
  const marks = workspaceIds.map((id) => Buffer.from(idBytes(id)));
  const rows: string[] = [];
  for await (const { key, versionstamp } of store.kv.list({ prefix: [] })) {
    // Background work may still change rows of these tables.
    if (BESIDE.has(key[0])) continue;
    const belongs = key.some((part) =>
      part instanceof Uint8Array ? marks.some((mark) => mark.equals(part)) : false
    );
    if (belongs) rows.push(`${Deno.inspect(key)} ${versionstamp}`);
  }
  if (rows.length < 3) throw new Error("The neighbour's rows are not found by their workspace");
  return rows;
}
