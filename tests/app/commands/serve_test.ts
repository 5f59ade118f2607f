import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { LAYOUT, PRE_RELEASE_LAYOUT, storeFile } from "../../../src/platform/store/open_store.ts";
import { statusOf } from "../../api/answers.ts";
import { callerWithKey, createCaller, signIn } from "../../caller.ts";
import { nextTurn, PATIENCE_MS, until } from "../../patience.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { BY_TASK, kurant, startServer } from "../../program.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { connectTo, readSome, readToEnd, sendOn } from "../../raw_http.ts";
import { inFolder, namesIn, temporaryFolder } from "../../temporary_folder.ts";
import { type HttpServer, Listener } from "../../../src/app/commands/serve.ts";
import { serveHere } from "../../local_server.ts";
import { withDenokv } from "../../stores.ts";
import { openStoreIn } from "../../closing_store.ts";

inFolder.test("serve answers, prints a set-up link that works once, starts again after a kill, refuses a second server even without its lock file, and ends with 0 on SIGTERM", async (folder) => {
  const first = await startServer({ DATA_DIR: folder.path });
  await untilReady(first.url);

  const token = /\/setup#token=(\S+)/.exec(await first.printed(/token=\S+/))?.[1];
  const setUp = (url: string) =>
    createCaller(url).post("/api/setup", {
      token,
      workspace: "Muster GmbH",
      email: "owner@example.com",
      password: "vier lange deutsche Wörter",
    });
  const statuses = [await statusOf(setUp(first.url)), await statusOf(setUp(first.url))];
  assertEquals(statuses, [201, 409]);
  const killed = await first.crash();
  await using second = await startServer({ DATA_DIR: folder.path });
  await untilReady(second.url);
  assertEquals(await statusOf(setUp(second.url)), 409);
  await requireRefused(folder.path, second.url);
  const { code, out, err } = await second.stop("SIGTERM");
  assertEquals(code, 0);
  const log = killed.err + err;
  ok(token && !log.includes(token), "the link is in the log");
  for (const line of log.trim().split("\n")) ok(JSON.parse(line).event, line);
  match(out, /Kurant listens on http:\/\/127\.0\.0\.1:\d+/);
});

const SIGN_IN = JSON.stringify({ email: "nobody@example.com", password: "x".repeat(12) });

async function beginSignIn(connection: Deno.TcpConn): Promise<void> {
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: kurant\r\nConnection: close\r\n` +
    `Content-Type: application/json\r\nExpect: 100-continue\r\n` +
    `Content-Length: ${SIGN_IN.length}\r\n\r\n`;
  await sendOn(connection, head);
  // The server sends `100 Continue` once it begins to read the body.
  match(await readSome(connection), /^HTTP\/1\.1 100 Continue/);
}

inFolder.test("serve finishes a request in flight after a signal that comes twice, does not wait for idle connections, and has its first user from ADMIN_EMAIL and a password file, without a link", async (folder) => {
  const password = "vier lange deutsche Wörter";
  await Deno.writeTextFile(`${folder.path}/password`, `${password}\n`);
  await using server = await startServer({
    DATA_DIR: folder.path,
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD_FILE: `${folder.path}/password`,
  });
  await signIn(server.url, { email: "ADMIN@example.com", password });
  using idle = await connectTo(server.url);
  await sendOn(idle, "GET / HT");
  using busy = await connectTo(server.url);
  await beginSignIn(busy);
  server.tell("SIGINT");
  await server.logged(/"event":"stopping"/);
  server.tell("SIGINT");
  await sendOn(busy, SIGN_IN);
  match(await readToEnd(busy), /^HTTP\/1\.1 401 /);
  const { code, out } = await server.ended;
  assertEquals([code, /setup/.test(out)], [0, false]);
});

// Short runs test only SIGTERM: the task takes two seconds to start, and SIGINT is tested above.
for (const signal of IS_LONG ? ["SIGTERM", "SIGINT"] as const : ["SIGTERM"] as const) {
  Deno.test(`the task ends with 0 when ${signal} goes to all of its processes at once`, async () => {
    for (let n = 0; n < extent(3, 1); n++) {
      await using folder = await temporaryFolder();
      await using server = await startServer({ DATA_DIR: folder.path }, BY_TASK);
      assertEquals((await server.stopGroup(signal)).code, 0);
    }
  });
}

/** Requires that a second server is refused, even after the lock file was deleted. */
async function requireRefused(dataDir: string, url: string): Promise<void> {
  const settings = { DATA_DIR: dataDir, PORT: "0" };
  const named = /^error: The store is in use by process \d+, since .+, at http:/;
  await fails(kurant(["serve"], settings), 1, named, new RegExp(RegExp.escape(url)));
  await Deno.remove(storeFile(dataDir).lockPath);
  await fails(kurantHere(["serve"], settings), 1, /^error: The store is in use/);
}

inFolder.test("serve registers one cron entry before it opens its store and listens", async (folder) => {
  const entry = "tests/app/commands/start_order_entry.ts";
  await using server = await startServer({ DATA_DIR: folder.path }, { program: { entry } });
  await server.logged(/starts Deno\.serve/);
  const steps = [...server.log().matchAll(/^starts (\S+)/gm)].map(([, name]) => name);
  assertEquals(steps.filter((step) => step !== "Deno.openKv"), ["Deno.cron", "Deno.serve"]);
  assertEquals([steps[0], steps[1]], ["Deno.cron", "Deno.openKv"]);
});

async function untilReady(url: string): Promise<void> {
  await until("it is ready", async () => {
    return await statusOf(createCaller(url).get("/readyz")) === 200;
  });
}

inFolder.test("serve ends with 2 for wrong variables, which it names, and with 1 when its port, address or store cannot be used", async (folder) => {
  const serve = (settings: Record<string, string>) =>
    kurantHere(["serve"], { DATA_DIR: folder.path, ...settings });
  const wrong = serve({ PORT: "eighty", LOG_LEVEL: "loud" });
  await fails(wrong, 2, /error: PORT must be a whole number/, /error: LOG_LEVEL /);
  const both = /^error: ADMIN_EMAIL and ADMIN_PASSWORD must be set together\n$/;
  await fails(serve({ ADMIN_EMAIL: "admin@example.com" }), 2, both);
  using holder = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await fails(serve({ PORT: String(holder.addr.port) }), 1, /choose another PORT/);
  const unusable = /^error: Port 0 of 192\.0\.2\.1 cannot be used \(.+\): see HOST and PORT$/m;
  await fails(serve({ PORT: "0", HOST: "192.0.2.1" }), 1, unusable);
  const away = { PORT: "0", KV_URL: "http://127.0.0.1:9", DENO_KV_ACCESS_TOKEN: "any" };
  await fails(serve(away), 1, /^error: The store "http:\/\/127\.0\.0\.1:9" /m);
});

const ADDRESS: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 4711 };
const PATIENCE = { pauseMs: 1, giveUpMs: PATIENCE_MS };

/** Replaces Deno's HTTP server; a test can make its listeners fail. */
function createEngine() {
  const ports: number[] = [];
  const fails: ((error: Error) => void)[] = [];
  const ends: (() => void)[] = [];
  const state = { refusals: 0, left: 0 };
  const serve = (port: number): HttpServer => {
    if (ports.length > 0 && state.refusals-- > 0) throw new Error("Too many open files");
    ports.push(port);
    const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
    fails.push(reject);
    ends.push(resolve);
    const shutdown = () => {
      state.left++;
      resolve();
      return finished.catch(() => {});
    };
    return { addr: ADDRESS, finished, shutdown };
  };
  return { serve, ports, fails, ends, state };
}

Deno.test("a failed listener listens again on its port, unless it was told to stop, and closes its idle connections", async () => {
  const engine = createEngine();
  const listener = new Listener(engine.serve, 0, PATIENCE);
  engine.state.refusals = 2;
  engine.fails[0]!(new Error("Too many open files"));
  await until("it listens again", () => engine.ports.length === 2);
  engine.ends[1]!();
  await until("it listens again", () => engine.ports.length === 3);
  assertEquals([engine.ports, engine.state.left], [[0, 4711, 4711], 2]);
  await listener.shutdown();
  await nextTurn();
  assertEquals([engine.ports.length, engine.state.left], [3, 3]);
});

Deno.test("a listener that cannot listen again is gone, and reports it", async () => {
  const engine = createEngine();
  const listener = new Listener(engine.serve, 0, { ...PATIENCE, giveUpMs: 20 });
  engine.state.refusals = Infinity;
  engine.fails[0]!(new Error("Too many open files"));
  const failure = await listener.gone;
  assertEquals(failure.code, "unavailable");
  match(failure.message, /^The server can no longer listen on port 4711 of 127\.0\.0\.1$/);
});

Deno.test("with OTEL_DENO a server sends spans and metrics of requests to the collector, without credentials", async () => {
  const received = new Map<string, string>();
  await using collector = serveHere(async (request) => {
    const { pathname } = new URL(request.url);
    const sent = JSON.stringify(await request.json());
    received.set(pathname, (received.get(pathname) ?? "") + sent);
    return Response.json({});
  });
  await using folder = await temporaryFolder();
  const server = await startServer({
    DATA_DIR: folder.path,
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "kurant",
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const headers = { Authorization: "Bearer pk_live_of-nobody", Cookie: "pr_session=of-nobody" };
  const answer = await fetch(`${server.url}/api/products?q=waschen`, { headers });
  assertEquals((await answer.json()).error.code, "not_authenticated");
  const spans = () => received.get("/v1/traces") ?? "";
  await until("the span has come", () => spans().includes("/api/products"));
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0);

  match(spans(), /"service\.name","value":\{"stringValue":"kurant"\}/);
  match(spans(), /"url\.path","value":\{"stringValue":"\/api\/products"\}/);
  match(spans(), /"http\.response\.status_code","value":\{"stringValue":"401"\}/);
  ok(received.get("/v1/metrics")?.includes("http.server.request.duration"));
  match(err, /"event":"listening"/);
  ok(!received.has("/v1/logs"));
  for (const text of received.values()) ok(!text.includes("of-nobody"));
});

withDenokv.test("a server and a tool share a KV Connect store, whose token may come as a file", async (kv) => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/token`, `${kv.token}\n`);
  const settings = {
    DATA_DIR: folder.path,
    KV_URL: kv.url,
    DENO_KV_ACCESS_TOKEN_FILE: `${folder.path}/token`,
  };
  await using server = await startServer(settings);
  const key = await succeeds(kurant(["key", "add", "--name", "k"], settings));
  const list = await callerWithKey(server.url, key.trim()).read("/api/public/v1/products");
  assertEquals(list.count, 0);
});

withDenokv.test("SIGTERM ends a server whose KV Connect store has gone away", async (kv) => {
  await using folder = await temporaryFolder();
  const settings = { DATA_DIR: folder.path, KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
  await using server = await startServer(settings);
  await kv[Symbol.asyncDispose]();
  // The server must not wait for work that needs the lost store.
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0);
  match(err, /"event":"stopped"/);
});

/** Creates a store with the last layout before version 1.0.0. */
async function olderStore(dataDir: string): Promise<void> {
  await succeeds(kurantHere(["key", "add", "--name", "old"], { DATA_DIR: dataDir }));
  using store = await openStoreIn(dataDir);
  await store.kv.set(["schema"], PRE_RELEASE_LAYOUT);
}

inFolder.test("a server migrates an older store, keeps one copy, and logs what it did", async (folder) => {
  await olderStore(folder.path);
  const server = await startServer({ DATA_DIR: folder.path });
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0, err);
  match(err, new RegExp(`The store gets layout ${LAYOUT}: `));
  const copy = `kurant.db.before-layout-${LAYOUT}`;
  assertEquals(err.match(/The store as it was is kept as .*/g)?.length, 1);
  ok(err.includes(copy), err);
  const copies = namesIn(folder.path).filter((name) => name.includes("before-layout"));
  assertEquals(copies, [copy]);
  await succeeds(kurantHere(["check-store"], { DATA_DIR: folder.path }));
});

inFolder.test("a backup of an older store names its layout; a tool migrates the store, but not while a server holds it", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await olderStore(folder.path);
  const backup = kurantHere(["backup", `${folder.path}/b.db`], settings);
  await succeeds(backup, /layout 9, which the next start migrates/);
  {
    using file = await Deno.open(storeFile(folder.path).lockPath, { write: true, create: true });
    ok(await file.tryLock(true));
    const add = kurantHere(["key", "add", "--name", "k"], settings);
    await fails(add, 1, /^error: The store is in use/);
  }
  const { code, err } = await kurant(["check-store"], settings);
  assertEquals(code, 0, err);
  match(err, new RegExp(`The store gets layout ${LAYOUT}: `));
});
