import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { storeFile } from "../../../src/platform/store/open_store.ts";
import { statusOf } from "../../api/answers.ts";
import { createCaller, signIn } from "../../caller.ts";
import { until } from "../../patience.ts";
import { fails, kurantHere } from "../../kurant_here.ts";
import { BY_TASK, kurant, startServer } from "../../program.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { connectTo, readSome, readToEnd, sendOn } from "../../raw_http.ts";
import { inFolder, temporaryFolder } from "../../temporary_folder.ts";

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

/** Sends the head of a sign-in, and waits until the server asks for the body. */
async function beginSignIn(connection: Deno.TcpConn): Promise<void> {
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: kurant\r\nConnection: close\r\n` +
    `Content-Type: application/json\r\nExpect: 100-continue\r\n` +
    `Content-Length: ${SIGN_IN.length}\r\n\r\n`;
  await sendOn(connection, head);
  // The engine sends 100 when the handler begins to read.
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

// Starting the task takes two seconds, so only the long tests also send SIGINT to the task. The
// test above sends SIGINT to the server.
for (const signal of IS_LONG ? ["SIGTERM", "SIGINT"] as const : ["SIGTERM"] as const) {
  Deno.test(`the task ends with 0 when ${signal} goes to all of its processes at once`, async () => {
    for (let n = 0; n < extent(3, 1); n++) {
      await using folder = await temporaryFolder();
      await using server = await startServer({ DATA_DIR: folder.path }, BY_TASK);
      assertEquals((await server.stopGroup(signal)).code, 0);
    }
  });
}

/** Requires that no second server starts in the folder, even if the lock file is gone. */
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

/** Retries, because a slow disk may delay the first successful check. */
async function untilReady(url: string): Promise<void> {
  await until("it is ready", async () => {
    return await statusOf(createCaller(url).get("/readyz")) === 200;
  });
}

inFolder.test("serve ends with 2 for wrong variables, which it names, and with 1 when its port is taken", async (folder) => {
  const serve = (settings: Record<string, string>) =>
    kurantHere(["serve"], { DATA_DIR: folder.path, ...settings });
  const wrong = serve({ PORT: "eighty", LOG_LEVEL: "loud" });
  await fails(wrong, 2, /error: PORT must be a whole number/, /error: LOG_LEVEL /);
  await fails(
    serve({ ADMIN_EMAIL: "admin@example.com" }),
    2,
    /^error: ADMIN_PASSWORD is missing: the first user needs both, or none of them\n$/,
  );
  using holder = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await fails(serve({ PORT: String(holder.addr.port) }), 1, /choose another PORT/);
});
