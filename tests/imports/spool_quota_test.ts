import { cronEntries, runEntry } from "../../src/app/composition/schedule.ts";
import { spoolBlob, UNBOUNDED_ROOM } from "../../src/platform/store/spool.ts";
import { checkSpool } from "../../src/platform/store/spool_store.ts";
import { bodyOf, refusalOf, refuses, statusOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
import { connectTo, readSome, sendOn } from "../raw_http.ts";
import { withBench } from "./import_bench.ts";
import { IMPORT, itemsXml, sendXml } from "./import_calls.ts";
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";

const encoder = new TextEncoder();
const DRY = "?dryRun=true";
const XML = { "Content-Type": "application/xml" };

/** Returns a valid file of exactly `bytes` bytes. */
function fileOf(bytes: number): Uint8Array<ArrayBuffer> {
  const text = itemsXml([{ sku: "A", title: "Artikel", price: "1,00" }]);
  return encoder.encode(text + " ".repeat(bytes - text.length));
}

async function rowsOf({ store }: TestApp): Promise<number> {
  let count = 0;
  for (const table of ["b", "bh", "bx"]) {
    for await (const _ of store.kv.list({ prefix: [table] })) count++;
  }
  return count;
}

/** Returns the stored bytes of each upload, read from the heads because chunks are large. */
async function storedBytes({ store }: TestApp): Promise<number[]> {
  const heads = await Array.fromAsync(store.kv.list<{ bytes: number }>({ prefix: ["bh"] }));
  return heads.map(({ value }) => value.bytes);
}

async function storedOne(app: TestApp): Promise<number> {
  return (await storedBytes(app))[0] ?? 0;
}

async function untilGone(app: TestApp): Promise<void> {
  await until("no room is taken", async () => await usageOf(app) === 0);
  assertEquals(await rowsOf(app), 0);
}

async function usageOf({ store }: TestApp): Promise<number> {
  const rows = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["bu"] }));
  return rows.reduce((sum, { value }) => sum + Number(value.value), 0);
}

function headOf({ base }: TestApp, credential: string, path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\n${credential}\r\n` +
    `Content-Type: application/xml\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Announces an upload of 9 MB and sends the first 2 MB. The returned connection stays open. */
async function beginUpload(app: TestApp, credential: string, path: string): Promise<Deno.TcpConn> {
  const connection = await connectTo(app.base);
  await sendOn(connection, headOf(app, credential, path, 9_000_000) + " ".repeat(2_000_000));
  return connection;
}

async function requireSound(app: TestApp): Promise<void> {
  assertEquals(await Array.fromAsync(checkSpool(app)), []);
}

withApp.test("eight interrupted uploads and previews leave no bytes, and free their space", async (app) => {
  // The stalled uploads must end before the server can.
  using standing = new DisposableStack();
  const { text } = await app.newKey(["products:write"]);
  const connections = await Promise.all(
    Array.from(
      { length: 8 },
      (_, n) =>
        n % 2 === 0
          ? beginUpload(app, `Authorization: Bearer ${text}`, IMPORT)
          : beginUpload(app, `Cookie: ${app.ownerCookie}`, "/api/import-profiles/preview"),
    ),
  );
  for (const connection of connections) standing.use(connection);
  await until("all have stored bytes", async () => {
    const stored = await storedBytes(app);
    return stored.length === 8 && stored.every((bytes) => bytes >= 1_400_000);
  });
  ok(await usageOf(app) >= 8 * 9_000_000, "announced bytes are reserved");
  standing.dispose();
  await untilGone(app);
  assertEquals((await app.owner.read("/api/imports")).count, 0);
  await requireSound(app);
});

Deno.test("refused uploads leave no bytes and no job: too slow, no file, a reused key", async () => {
  {
    await using app = await startTestApp({ env: { REQUEST_BODY_TIMEOUT_MS: "300" } });
    const { text } = await app.newKey(["products:write"]);
    const silent = await connectTo(app.base);
    const head = headOf(app, `Authorization: Bearer ${text}`, IMPORT, 9_000_000);
    // The server may refuse before it has read the whole request.
    const sent = sendOn(silent, head + " ".repeat(2_000_000)).catch(() => {});
    match(await readSome(silent), /^HTTP\/1\.1 408/);
    silent.close();
    await sent;
    await untilGone(app);
    assertEquals((await app.owner.read("/api/imports")).count, 0);
  }
  // The default time limit applies here, because even a good client may send slowly.
  await using app = await startTestApp();
  const form = new FormData();
  form.set("file", new File([fileOf(100_000)], "a.xml"));
  form.set("mode", "upsert");
  const key = await app.key(["products:write"]);
  await refuses(key.post(IMPORT, form), "validation_failed");
  assertEquals(await rowsOf(app), 0);

  const headers = { "Idempotency-Key": "one" };
  await bodyOf(sendXml(key, fileOf(1_000), DRY, headers), 200);
  const kept = await rowsOf(app);
  await bodyOf(sendXml(key, fileOf(1_000), DRY, headers), 200);
  await refuses(sendXml(key, fileOf(2_000), DRY, headers), "idempotency_key_reused");
  assertEquals(await rowsOf(app), kept, "only the first one stays");
  await requireSound(app);
});

withApp.test("a preview leaves no bytes, whatever it finds", async (app) => {
  const preview = "/api/import-profiles/preview";
  await app.viewer.act(preview, fileOf(100_000), XML);
  await app.viewer.act(preview, "<ITEMS", XML);
  assertEquals([await rowsOf(app), await usageOf(app)], [0, 0]);
});

Deno.test("parallel uploads share the workspace's quota, and another workspace has its own", async () => {
  await using app = await startTestApp({ env: { IMPORT_MAX_SPOOL_BYTES: "3100000" } });
  const key = await app.key(["products:write"]);
  const stranger = await app.strangerKey(["products:write"]);
  const send = (caller: Caller) => sendXml(caller, fileOf(1_000_000), DRY);
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => send(key)),
    ...Array.from({ length: 3 }, () => send(stranger)),
  ]);
  const statuses = answers.map(({ status }) => status);
  assertEquals(statuses.slice(0, 6).sort(), [200, 200, 200, 413, 413, 413]);
  assertEquals(statuses.slice(6), [200, 200, 200]);
  for (const answer of answers.filter(({ status }) => status === 413)) {
    const { code, message, details } = await refusalOf(answer);
    assertEquals([code, details.bytesMax], ["payload_too_large", 3_100_000]);
    ok(details.bytesUsed > 1_000_000 && details.bytesUsed <= 3_100_000);
    match(message, /discard dry runs/);
  }
  for (const answer of answers) if (!answer.bodyUsed) await answer.body?.cancel();
  ok(await usageOf(app) <= 2 * 3_100_000);
  await requireSound(app);
});

Deno.test("an upload of unknown length is refused at the end of the quota, and leaves nothing", async () => {
  await using app = await startTestApp({ env: { IMPORT_MAX_SPOOL_BYTES: "3000000" } });
  const { text } = await app.newKey(["products:write"]);
  const part = fileOf(200_000);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += part.length;
      controller.enqueue(part);
      if (sent > 50_000_000) controller.close();
    },
  });
  const headers = { ...XML, Authorization: `Bearer ${text}` };
  const answer = await fetch(app.base + IMPORT, { method: "POST", body, headers });
  await refuses(answer, "payload_too_large");
  assertEquals([await rowsOf(app), await usageOf(app)], [0, 0]);
  const key = await app.key(["products:write"]);
  await bodyOf(sendXml(key, fileOf(2_900_000), DRY), 200);
});

Deno.test("dry runs and previews count towards the quota, and discarding a dry run frees its space", async () => {
  await using app = await startTestApp({ env: { IMPORT_MAX_SPOOL_BYTES: "1500000" } });
  const send = () => app.manager.post(`/api/imports${DRY}`, fileOf(1_000_000), XML);
  const kept = await bodyOf(send(), 200);
  assertEquals(kept.keepsUpload, true);
  await refuses(send(), "payload_too_large");
  const preview = app.viewer.post("/api/import-profiles/preview", fileOf(1_000_000), XML);
  await refuses(preview, "payload_too_large");

  const path = `/api/imports/${kept.jobId}`;
  const left = await app.manager.remove(`${path}/upload`);
  assertEquals([left.jobId, left.keepsUpload, left.count], [kept.jobId, false, 1]);
  assertEquals([await rowsOf(app), await usageOf(app)], [0, 0]);
  assertEquals(await statusOf(app.manager.delete(`${path}/upload`)), 200, "once more is no error");
  const { code, message } = await refusalOf(app.manager.post(`${path}/apply`));
  assertEquals([code, /discarded/.test(message)], ["conflict", true]);
  const audit = await app.owner.read("/api/audit-logs?action=import.discard");
  assertEquals(audit.items.length, 1);
  await bodyOf(send(), 200);
  await requireSound(app);
});

withBench.test("an applied import, a running one and one without a file cannot be discarded", async ({ app, key }) => {
  const discard = (jobId: string) => refusalOf(key.delete(`${IMPORT}/${jobId}/upload`));
  const rehearsed = (await bodyOf(sendXml(key, fileOf(1_000), DRY), 200)).data.jobId;
  await key.act(`${IMPORT}/${rehearsed}/apply`);
  assertEquals((await discard(rehearsed)).code, "conflict");
  const real = (await bodyOf(sendXml(key, fileOf(1_000)), 200)).data.jobId;
  assertEquals((await discard(real)).code, "conflict");
  assertEquals((await discard("0".repeat(24))).code, "not_found");
  await untilGone(app);
});

withApp.test("the remains of a killed upload are removed every minute", async (app) => {
  const { store, workspaceId, clock, app: { clock: appClock } } = app;
  const gate = Promise.withResolvers<void>();
  async function* stalling() {
    for (let n = 0; n < 30; n++) yield new Uint8Array(65_536);
    await gate.promise;
    for (let n = 0; n < 30; n++) yield new Uint8Array(65_536);
  }
  const ctx = { store, workspaceId, now: () => clock.now(), newId: appClock.newId };
  const upload = spoolBlob(ctx, stalling(), UNBOUNDED_ROOM);
  // Seven commits of four chunks. The remaining two chunks wait for a full commit.
  await until("28 chunks are stored", async () => await storedOne(app) === 28 * 65_536);
  const entry = cronEntries({ store, clock: appClock, delayMs: 0 })
    .find(({ name }) => name === "left uploads");
  ok(entry);
  await runEntry(entry, clock.now());
  ok(await storedOne(app) > 0, "it may still continue");
  clock.advance(121_000);
  await runEntry(entry, clock.now());
  assertEquals([await rowsOf(app), await usageOf(app)], [0, 0]);
  gate.resolve();
  await rejects(upload, /stalled and was cancelled/);
});
