/**
 * Tests the HTTP server with broken requests, errors, interrupted downloads, and at shutdown.
 * Deno's HTTP engine refuses broken requests before the application sees them (docs/errors.md).
 */
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import {
  BodyMemory,
  DEFAULT_BODY_PACE,
  readBlocks,
  readJsonBytes,
} from "../../src/platform/http/body.ts";
import {
  type Authentication,
  jsonAnswer,
  Ok,
  refusedFieldsOf,
} from "../../src/platform/http/http.ts";
import { createHttpApp, DrainGate } from "../../src/platform/http/http_app.ts";
import { StoreTrouble } from "../../src/platform/store/store_trouble.ts";
import { route } from "../../src/platform/http/route.ts";
import { serveHere } from "../local_server.ts";
import { withStore } from "../memory_store.ts";
import { nextTurn, PATIENCE_MS, pause, until } from "../patience.ts";
import { exchange } from "../raw_http.ts";
import { FairQueue } from "../../src/platform/event_loop.ts";
import { contextOf, createTestClock } from "./jobs/counting.ts";
import fc from "fast-check";
import { extent } from "../proof.ts";
import { z } from "zod";
import { textOf, Title } from "../../src/catalogue/products/product_fields.ts";
import { Name } from "../../src/engine/pricing/field.ts";

const HOST = "Host: kurant\r\n";
const headersOf = (count: number) =>
  HOST + Array.from({ length: count - 1 }, (_, n) => `X-${n}: 1\r\n`).join("");
const headOf = (bytes: number) => {
  const start = `GET / HTTP/1.1\r\n${HOST}X-Long: `;
  return `${start}${"a".repeat(bytes - start.length - 4)}\r\n\r\n`;
};

const get = (headers: string, target = "/") => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body = "hello", target = "/") =>
  `POST ${target} HTTP/1.1\r\n${HOST}${headers}\r\n\r\n${body}`;
const CHUNKED = "Transfer-Encoding: chunked";

/**
 * Requests as bytes, each with the response's status. Null means a 400 of Deno's engine, which the
 * application never sees.
 */
const CASES: readonly (readonly [name: string, bytes: string, status: number | null])[] = [
  ["no HTTP at all", "hello world\r\n\r\n", null],
  ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00", null],
  ["an unknown version", `GET / HTTP/9.9\r\n${HOST}\r\n`, null],
  ["two Host headers", get(HOST + HOST), null],
  ["a blank in the target", get(HOST, "/a b"), null],
  ["a blank in a header name", get(`${HOST}X A: 1\r\n`), null],
  ["a folded header", get(`${HOST}X-A: 1\r\n folded\r\n`), null],
  ["NUL in a header", get(`${HOST}X-A: a\0b\r\n`), null],
  ["128 headers", get(headersOf(128)), 404],
  ["129 headers", get(headersOf(129)), null],
  ["a head of 64 KiB", headOf(65_536), 404],
  ["a head above 64 KiB", headOf(65_600), null],
  ["two lengths", post("Content-Length: 5\r\nContent-Length: 6"), null],
  ["a length that is no number", post("Content-Length: a"), null],
  ["a length and chunks", post(`Content-Length: 5\r\n${CHUNKED}`, "0\r\n\r\n"), null],
  ["an unknown transfer coding", post("Transfer-Encoding: gzip"), null],
  ["an unknown method", `BREW / HTTP/1.1\r\n${HOST}\r\n`, 404],
  ["TRACE", `TRACE / HTTP/1.1\r\n${HOST}\r\n`, 404],
];

const GATE: Authentication = {
  admit: () => Promise.reject(new Error("no guarded route here")),
  dispatch: () => Promise.reject(new Error("no idempotent route here")),
  timeZoneOf: () => Promise.resolve("UTC"),
  bodyPace: { windowMs: PATIENCE_MS, bytesPerWindowMin: 1, totalMs: PATIENCE_MS },
  requests: new FairQueue(16),
  bodyMemory: { strangers: new BodyMemory(1e6), admitted: new BodyMemory(1e6) },
};

function bareApp(drainGate = new DrainGate(), gate: Partial<Authentication> = {}) {
  const setup = { drainGate, newRequestId: () => "req_1", isHttps: false, metrics: null };
  return createHttpApp({ ...setup, gate: { ...GATE, ...gate } });
}

const CSV = { headers: { "Content-Type": "text/csv" } };

/** A body without end. `counts` has the numbers of chunks read and of cancellations. */
function countedBody() {
  const counts = { asked: 0, cancelled: 0 };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      counts.asked++;
      controller.enqueue(crypto.getRandomValues(new Uint8Array(1_000)));
    },
    cancel: () => void counts.cancelled++,
  }, { highWaterMark: 0 });
  return { body, counts };
}

Deno.test("the HTTP engine refuses broken requests with a bare 400, and the application answers all others", async () => {
  const app = bareApp();
  app.post("/read", async (c) => c.text(await c.req.text()));
  await using server = serveHere((request) => app.fetch(request));
  for (const [name, bytes, status] of CASES) {
    const answer = await exchange(server.url, bytes);
    const hasRequestId = answer.headers.has("X-Request-Id");
    assertEquals([name, answer.status, hasRequestId], [name, status ?? 400, status !== null]);
  }
  // The chunk size `zz` is invalid, so reading the body fails, and no response is sent.
  const broken = await exchange(server.url, post(CHUNKED, "zz\r\nhello\r\n0\r\n\r\n", "/read"));
  assertEquals([broken.status || null, broken.headers.has("X-Request-Id")], [null, false]);
});

Deno.test("an error is a 500 whatever its message, and only StoreTrouble is a 503", async () => {
  const app = bareApp();
  const errors = [
    new Error("cannot fetch the disk of the network"),
    new Error("database is locked"),
    new StoreTrouble("busy", new Error("database is locked")),
  ];
  app.get("/broken/:n", (c) => {
    throw errors[Number(c.req.param("n"))];
  });
  const statuses = await Promise.all(
    errors.map(async (_, n) => (await app.request(`/broken/${n}`)).status),
  );
  assertEquals(statuses, [500, 500, 503]);
});

Deno.test("a HEAD request does not generate the body, and cancels it", async () => {
  const app = bareApp();
  const { body, counts } = countedBody();
  app.get("/file", () => new Response(body, CSV));
  await using server = serveHere((request) => app.fetch(request));
  const answer = await exchange(server.url, `HEAD /file HTTP/1.1\r\n${HOST}\r\n`);
  assertEquals([answer.status, answer.headers.get("Content-Type")], [200, "text/csv"]);
  assertEquals(counts, { asked: 0, cancelled: 1 });
});

Deno.test("a compressed download stops when its client leaves, and one that fails at once is an error", async () => {
  const app = bareApp();
  const { body, counts } = countedBody();
  app.get("/file", () => new Response(body, CSV));
  app.get("/broken", () => {
    const pull = () => Promise.reject(new Error("no rows"));
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), CSV);
  });
  await using server = serveHere((request) => app.fetch(request));
  const headers = { "Accept-Encoding": "gzip" };
  const answer = await fetch(`${server.url}/file`, { headers });
  assertEquals(answer.headers.get("Content-Encoding"), "gzip");
  await answer.body!.cancel();
  await until("it is let go", () => counts.cancelled === 1);
  const taken = counts.asked;
  await (await fetch(`${server.url}/broken`, { headers })).body?.cancel();
  assertEquals(counts.asked, taken);
  const broken = await fetch(`${server.url}/broken`, { headers });
  assertEquals([broken.status, (await broken.json()).error.code], [500, "internal_error"]);
});

Deno.test("a stop breaks off files that are being sent, and lets other requests end", async () => {
  const drainGate = new DrainGate();
  const app = bareApp(drainGate);
  let cancelled = 0;
  app.get("/file/:type", (c) => {
    const body = new ReadableStream({
      async pull(controller) {
        await pause(1);
        controller.enqueue(new Uint8Array(100_000));
      },
      cancel: () => void cancelled++,
    });
    const headers = { "Content-Disposition": "attachment", "Content-Type": c.req.param("type") };
    return c.body(body, 200, headers);
  });
  const stopped = Promise.withResolvers<void>();
  app.post("/change", async (c) => {
    await stopped.promise;
    return c.text("done");
  });
  await using server = serveHere((request, { completed }) =>
    drainGate.pass(async () => await app.fetch(request), completed)
  );
  const change = fetch(`${server.url}/change`, { method: "POST" });
  const types = ["text/csv", "application/x-ndjson", "application/octet-stream"];
  const files = await Promise.all(
    types.flatMap((type) =>
      ["gzip", "identity"].map(async (coding) => {
        const url = `${server.url}/file/${encodeURIComponent(type)}`;
        const { body } = await fetch(url, { headers: { "Accept-Encoding": coding } });
        const reader = body?.getReader();
        ok((await reader?.read())?.value);
        return reader;
      })
    ),
  );
  const closed = drainGate.close();
  for (const reader of files) {
    await rejects(async () => {
      while (!(await reader?.read())?.done);
    });
  }
  assertEquals(cancelled, files.length);
  stopped.resolve();
  assertEquals(await (await change).text(), "done");
  await closed;
});

Deno.test("a closed gate waits until all responses are sent or have failed", async () => {
  for (const isWorkLast of [true, false]) {
    const drainGate = new DrainGate();
    const [work, sent] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const broken = drainGate.pass(() => work.promise);
    const answer = drainGate.pass(() => Promise.resolve("answer"), sent.promise);
    let isEmpty = false;
    const emptied = drainGate.close().then(() => isEmpty = true);
    assertEquals([drainGate.isClosed, await answer], [true, "answer"]);
    const endings = [
      () => work.reject(new Error("broken")),
      () => sent.reject(new Error("the client went away")),
    ];
    const [early, late] = isWorkLast ? endings.toReversed() : endings;
    early!();
    await nextTurn();
    assertEquals(isEmpty, false);
    late!();
    await rejects(broken, /broken/);
    await emptied;
  }
});

withStore.test("a flood of one workspace leaves slots, and is refused beyond the queue limit", async (store) => {
  const app = bareApp(new DrainGate(), {
    requests: new FairQueue(4, { keepsSlotsFree: true }),
    admit: (c) => {
      const workspaceId = c.req.header("X-Workspace");
      return Promise.resolve(contextOf(store, createTestClock(), workspaceId));
    },
  });
  const begun: string[] = [];
  const release = Promise.withResolvers<void>();
  route({
    method: "post",
    path: "/slow",
    access: { by: "key", scopes: [] },
    responses: () => ({ 200: jsonAnswer(Ok, "Answered") }),
  }, async (c) => {
    begun.push(c.req.header("X-Workspace") ?? "");
    await release.promise;
    return c.json({ ok: true });
  }).addTo(app);
  const ask = async (workspaceId = "", more = {}) => {
    const headers = { "X-Workspace": workspaceId, ...more };
    return (await app.request("/slow", { method: "POST", headers })).status;
  };
  const [a, b] = ["a".repeat(24), "b".repeat(24)];
  // One workspace may use two of the four slots, and 500 places in the queue.
  const flood = Array.from({ length: 502 }, () => ask(a));
  await nextTurn();
  const key = { "Idempotency-Key": "1" };
  assertEquals(await ask(a, key), 429);
  const other = ask(b);
  await nextTurn();
  assertEquals(begun, [a, a, b]);
  release.resolve();
  assertEquals(new Set(await Promise.all([...flood, other])), new Set([200]));
  assertEquals(await ask(a, key), 200);
});

function requestOf(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://kurant.example/", { method: "POST", body });
}

const inPieces = (pieces: readonly Uint8Array[]) =>
  requestOf(ReadableStream.from(pieces.map((piece) => piece.slice())));

function openBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    request: requestOf(readable),
    send: (bytes: number) => writer.write(new Uint8Array(bytes).fill(32)),
    end: () => writer.close(),
  };
}

const plenty = () => new BodyMemory(10_000_000);

Deno.test("a body is the same bytes, in whatever pieces it came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 30_000 }), { maxLength: 12 }),
      async (pieces) => {
        const whole = pieces.flatMap((piece) => [...piece]);
        const pace = DEFAULT_BODY_PACE;
        assertEquals([...await readJsonBytes(inPieces(pieces), pace, plenty())], whole);
        const blocks = await Array.fromAsync(readBlocks(inPieces(pieces), 1_000_000, pace));
        assertEquals(blocks.flatMap((block) => [...block]), whole);
        ok(blocks.slice(0, -1).every(({ length }) => length === 65_536));
      },
    ),
    { numRuns: extent(30, 15) },
  );
});

Deno.test("a body takes as much memory as it has bytes, without the buffers of its pieces", async () => {
  const pieces = Array.from({ length: 1_000 }, () => new Uint8Array(65_536).subarray(0, 1));
  const stream = requestOf(ReadableStream.from(pieces));
  const bytes = await readJsonBytes(stream, DEFAULT_BODY_PACE, plenty());
  assertEquals([bytes.length, bytes.buffer.byteLength], [1_000, 1_000]);
  // The buffers are freed at once, without waiting for garbage collection.
  assertEquals(pieces.filter(({ buffer }) => buffer.byteLength > 0).length, 0);
});

Deno.test("when all bodies together are too large, the largest one is refused", async () => {
  const memory = new BodyMemory(600_000);
  const [large, small, late] = [openBody(), openBody(), openBody()];
  const read = (body: { request: Request }) =>
    readJsonBytes(body.request, DEFAULT_BODY_PACE, memory).then(
      ({ length }) => length,
      (error: unknown) => error instanceof Error && "code" in error ? error.code : error,
    );
  const [ofLarge, ofSmall] = [read(large), read(small)];
  await large.send(500_000);
  await small.send(10_000);
  const ofLate = read(late);
  await late.send(200_000);
  assertEquals(await ofLarge, "unavailable");
  await Promise.all([small.end(), late.end()]);
  assertEquals([await ofSmall, await ofLate], [10_000, 200_000]);
});

Deno.test("a body larger than the total limit is itself refused, and its memory is freed", async () => {
  const memory = new BodyMemory(100_000);
  const pieces = [new Uint8Array(90_000), new Uint8Array(90_000)];
  const first = readJsonBytes(inPieces(pieces), DEFAULT_BODY_PACE, memory);
  await rejects(first, { code: "unavailable" });
  const next = await readJsonBytes(inPieces([new Uint8Array(90_000)]), DEFAULT_BODY_PACE, memory);
  assertEquals(next.length, 90_000);
});

Deno.test("a body that stalls is refused", async () => {
  const pace = { windowMs: 50, bytesPerWindowMin: 10, totalMs: 600_000 };
  const stalled = openBody();
  const given = readJsonBytes(stalled.request, pace, plenty());
  await stalled.send(9);
  await rejects(given, { code: "request_timeout" });
});

const Shape = z.strictObject({
  name: z.string().min(1, "Must not be empty").max(3),
  count: z.int().min(1).max(9),
  rows: z.array(z.object({ kind: z.enum(["a", "b"]) })).min(1).max(2),
});

function refused(value: unknown, shape: z.ZodType = Shape): Record<string, string> {
  const fields = refusedFieldsOf(shape.safeParse(value).error?.issues ?? []);
  return Object.fromEntries(
    fields.map(({ path, kind, limit = "" }) => [path, `${kind} ${limit}`.trim()]),
  );
}

Deno.test("refusedFieldsOf() gives the kind of each error, and the violated limit", () => {
  const [one, other] = [{ kind: "a" }, { kind: "c" }];
  const tooSmall = { name: "too_short 1", count: "too_small 1", rows: "too_few 1" };
  assertEquals(refused({ name: "", count: 0, rows: [] }), tooSmall);
  const tooLarge = { name: "too_long 3", count: "too_large 9", rows: "too_many 2" };
  assertEquals(refused({ name: "long", count: 10, rows: [one, one, one] }), tooLarge);
  assertEquals(refused({ name: "A", count: 1, rows: [other] }), { "rows.0.kind": "not_an_option" });
  const wrong = { name: "missing", count: "wrong_type", typo: "unknown" };
  assertEquals(refused({ count: "1", typo: 1, rows: [one] }), wrong);
});

Deno.test("refusedFieldsOf() gives the limit of a text in characters, not in UTF-16 units", () => {
  const shape = z.object({ title: Title, name: Name, brand: textOf(60) });
  const text = (length: number) => "🛠".repeat(length);
  const texts = (more: number) => ({
    title: text(500 + more),
    name: text(200 + more),
    brand: text(60 + more),
  });
  assertEquals(refused(texts(0), shape), {});
  const limits = { title: "too_long 500", name: "too_long 200", brand: "too_long 60" };
  assertEquals(refused(texts(1), shape), limits);
});
