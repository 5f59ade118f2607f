import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startTestApp, type TestApp } from "../harness.ts";
import { testWithOne } from "../opened.ts";
import { exchange } from "../raw_http.ts";
import { join } from "../zip.ts";
import { column, refusalOf, refusedField, refuses, statusOf } from "./answers.ts";
import { withNeighbour } from "./neighbour.ts";
import { callersOf, filled, listOperations, UNKNOWN_ID } from "./operations.ts";

const JSON_BYTES_MAX = 1024 * 1024;
const encoder = new TextEncoder();

const onApp = testWithOne(async () => {
  const app = await startTestApp();
  const { requireUntouched } = await withNeighbour(app);
  return { app, requireUntouched, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

/** A test of one app, which must answer afterwards and leave another workspace unchanged. */
function survives(name: string, check: (app: TestApp) => Promise<void>): void {
  onApp.test(`bad request: ${name}`, async ({ app, requireUntouched }) => {
    await check(app);
    await requireUntouched();
  });
}

/** Sends `POST /api/products` as the owner, with exactly this body and framing. */
function postBytes(app: TestApp, body: Uint8Array<ArrayBuffer>, framing?: string) {
  const head = "POST /api/products HTTP/1.1\r\nHost: kurant\r\nContent-Type: application/json\r\n" +
    `Cookie: ${app.ownerCookie}\r\n${framing ?? `Content-Length: ${body.length}`}\r\n\r\n`;
  return exchange(app.base, join([encoder.encode(head), body]));
}

/** Sends a request without a body. */
function ask({ base }: TestApp, request: string, ...headers: string[]) {
  const lines = [`${request} HTTP/1.1`, "Host: kurant", ...headers, "", ""];
  return exchange(base, lines.join("\r\n"));
}

function paddedTo(bytes: number): Uint8Array<ArrayBuffer> {
  const text = '{"sku":"A","title":"';
  return encoder.encode(text + "x".repeat(bytes - text.length - 2) + '"}');
}

survives("a body of 1 MiB is read, one byte more is 413", async (app) => {
  assertEquals(await refusedField(postBytes(app, paddedTo(JSON_BYTES_MAX))), "title");
  await refuses(postBytes(app, paddedTo(JSON_BYTES_MAX + 1)), "payload_too_large");
});

survives("a chunked body over 1 MiB is 413 without being read to its end", async (app) => {
  const body = encoder.encode(`10000\r\n${"x".repeat(0x10000)}\r\n`.repeat(64));
  await refuses(postBytes(app, body, "Transfer-Encoding: chunked"), "payload_too_large");
});

survives("a body declared too large is refused before it is sent", async (app) => {
  const answer = postBytes(app, encoder.encode("{"), "Content-Length: 1073741824");
  await refuses(answer, "payload_too_large");
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
      // Required parameters that are missing are refused, too.
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
