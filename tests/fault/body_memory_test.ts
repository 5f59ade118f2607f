import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { connect } from "node:http2";
import { stdout } from "node:process";
import { testWithOne } from "../opened.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { memoryMib } from "../processor_time.ts";
import { type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { connectTo, readToEnd, sendOn } from "../raw_http.ts";
import { nextTurn, until } from "../patience.ts";
import { extent } from "../proof.ts";

const CHUNKS = extent(60_000, 15_000);
const CONNECTIONS = 8;
/** Maximum growth of the server's memory in MiB, for many chunks and for many waiting bodies. */
const CHUNKS_MEBIBYTES_MAX = extent(150, 40);
const HELD_MEBIBYTES_MAX = 150;
const CHUNKS_PER_WRITE = 500;

const encoder = new TextEncoder();

/** The tests share the server's peak memory, so a later test must allow at least as much. */
const onServer = testWithOne(async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const settings = { MALLOC_ARENA_MAX: "2", REQUEST_BODY_TIMEOUT_MS: "600000" };
  const server = stack.use(await startLiveServer(folder.path, settings, { program: {} }));
  const pid = await serverPid(folder.path);
  const idle = await memoryMib(pid, "VmRSS");
  const ends = stack.move();
  return {
    server,
    /** Requires that the server's peak memory was at most `mebibytesMax` above its idle memory. */
    async requireMemory(mebibytesMax: number) {
      const most = await memoryMib(pid, "VmHWM");
      // Systems without `/proc` do not report the memory of a process.
      if (idle === null || most === null) return;
      stdout.write(`${Math.round(idle)} MiB idle, ${Math.round(most)} MiB at most\n`);
      ok(most - idle <= mebibytesMax, `${most - idle} MiB above idle`);
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
});

/** Sends each character of `body` as its own chunk; returns the status line. */
async function sendInBytes({ url }: LiveServer, head: readonly string[], body: string) {
  using connection = await connectTo(url);
  const writer = connection.writable.getWriter();
  const lines = [...head, "Host: kurant", "Transfer-Encoding: chunked", "Connection: close"];
  await writer.write(encoder.encode(`${lines.join("\r\n")}\r\n\r\n`));
  for (let at = 0; at < body.length; at += CHUNKS_PER_WRITE) {
    const part = body.slice(at, at + CHUNKS_PER_WRITE);
    await writer.write(encoder.encode(part.replaceAll(/[^]/g, "1\r\n$&\r\n")));
  }
  await writer.write(encoder.encode("0\r\n\r\n"));
  const answer = await readToEnd(connection);
  return answer.slice(0, answer.indexOf("\r\n"));
}

const SIGN_IN = ["POST /api/auth/login HTTP/1.1", "Content-Type: application/json"];
const inParallel = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

onServer.test(`${CONNECTIONS} strangers sign in with ${CHUNKS} chunks of a byte each`, async ({ server, requireMemory }) => {
  const body = " ".repeat(CHUNKS);
  const answers = await inParallel(CONNECTIONS, () => sendInBytes(server, SIGN_IN, body));
  assertEquals(answers, Array(CONNECTIONS).fill("HTTP/1.1 400 Bad Request"));
  await requireMemory(CHUNKS_MEBIBYTES_MAX);
});

onServer.test(`${CONNECTIONS} strangers sign in with ${CHUNKS} HTTP/2 frames of a byte each`, async ({ server, requireMemory }) => {
  const statuses = await inParallel(CONNECTIONS, () => signInByFrames(server.url));
  assertEquals(statuses, Array(CONNECTIONS).fill(400));
  await requireMemory(CHUNKS_MEBIBYTES_MAX);
});

async function signInByFrames(url: string): Promise<unknown> {
  const session = connect(url);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/auth/login",
      "content-type": "application/json",
    });
    const { promise: status, resolve, reject } = Promise.withResolvers<unknown>();
    stream.on("response", (headers) => resolve(headers[":status"]));
    stream.on("error", reject);
    stream.resume();
    for (let n = 0; n < CHUNKS; n++) {
      const isTaken = stream.write(" ");
      // Yields to the event loop, so that written bytes are sent.
      if (!isTaken || n % 100 === 0) await nextTurn();
    }
    stream.end();
    return await status;
  } finally {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    session.close(resolve);
    await closed;
  }
}

onServer.test(`${CONNECTIONS} uploads come in ${CHUNKS} chunks of a byte each`, async ({ server, requireMemory }) => {
  const padding = " ".repeat(CHUNKS);
  const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="f.xml"\r\n\r\n` +
    `${padding}\r\n--b--\r\n`;
  const bodies: [type: string, body: string][] = [
    ["application/xml", padding],
    ["multipart/form-data; boundary=b", form],
  ];
  const answers = await inParallel(CONNECTIONS, (n) => {
    const [type, body] = bodies[n % bodies.length]!;
    const head = ["POST /api/imports?dryRun=true HTTP/1.1", `Content-Type: ${type}`];
    return sendInBytes(server, [...head, `Cookie: ${server.cookie}`], body);
  });
  // If the machine is busy, the server answers 202 before the import has ended.
  for (const answer of answers) match(answer, /^HTTP\/1\.1 (?:200 OK|202 Accepted)$/);
  await until("all imports have ended", async () => {
    const { items } = await server.owner.read("/api/imports?limit=200");
    return items.every(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null);
  });
  await requireMemory(CHUNKS_MEBIBYTES_MAX);
});

const HOLDERS = 200;
const HELD_BYTES = 1_000_000;

onServer.test(`${HOLDERS} strangers hold back 1 MB each while another person signs in`, async ({ server, requireMemory }) => {
  const holders = await inParallel(HOLDERS, async () => {
    const connection = await connectTo(server.url);
    const head = [...SIGN_IN, "Host: kurant", `Content-Length: ${HELD_BYTES}`].join("\r\n");
    // The server may close the connection before the whole body is sent.
    const sent = sendOn(connection, `${head}\r\n\r\n${" ".repeat(HELD_BYTES - 1)}`)
      .catch(() => {});
    return { connection, sent };
  });
  const answered = await Promise.race(holders.map(async ({ connection }) => {
    const length = await connection.read(new Uint8Array(100));
    return length !== null;
  }));
  assertEquals(answered, true);
  const nobody = { email: "nobody@shop.example", password: "nobody's password" };
  const again = await server.anyone.post("/api/auth/login", nobody);
  assertEquals([again.status, (await again.json()).error.code], [401, "invalid_login"]);
  for (const { connection } of holders) connection[Symbol.dispose]();
  await Promise.all(holders.map(({ sent }) => sent));
  await requireMemory(HELD_MEBIBYTES_MAX);
});
