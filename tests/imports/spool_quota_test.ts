import { cronEntries, runEntry } from "../../src/app/composition/schedule.ts";
import { sumOf } from "../../src/base/collections.ts";
import { spoolBlob, UNBOUNDED_ROOM } from "../../src/platform/store/spool.ts";
import { checkSpool } from "../../src/platform/store/spool_store.ts";
import { bodyOf, refusalOf, refuses, statusOf, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
import { connectTo, readSome, sendOn } from "../raw_http.ts";
import { IMPORT, itemsXml, sendXml, withBench } from "./import_calls.ts";
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";

const encoder = new TextEncoder();
const DRY = "?dryRun=true";
const PREVIEW = "/api/import-profiles/preview";
const XML = { "Content-Type": "application/xml" };

function fileOf(bytes: number): Uint8Array<ArrayBuffer> {
  const text = itemsXml([{ sku: "A", title: "Artikel", price: "1,00" }]);
  return encoder.encode(text + " ".repeat(bytes - text.length));
}

async function left({ store }: TestApp): Promise<{ rows: number; reserved: number }> {
  const tables = await Promise.all(
    ["b", "bh", "bx"].map((table) => Array.fromAsync(store.kv.list({ prefix: [table] }))),
  );
  const usage = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["bu"] }));
  const reserved = sumOf(usage, ({ value }) => Number(value.value));
  return { rows: tables.flat().length, reserved };
}

const NOTHING = { rows: 0, reserved: 0 };

/** Returns how many bytes of each upload are stored, without reading the large chunks. */
async function storedBytes({ store }: TestApp): Promise<number[]> {
  const heads = await Array.fromAsync(store.kv.list<{ bytes: number }>({ prefix: ["bh"] }));
  return heads.map(({ value }) => value.bytes);
}

async function untilGone(app: TestApp): Promise<void> {
  await until("no room is taken", async () => (await left(app)).reserved === 0);
  assertEquals(await left(app), NOTHING);
}

function headOf({ base }: TestApp, credential: string, path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\n${credential}\r\n` +
    `Content-Type: application/xml\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Announces an upload of 9 MB, but sends only the first 2 MB, and leaves the connection open. */
async function beginUpload(app: TestApp, credential: string, path: string): Promise<Deno.TcpConn> {
  const connection = await connectTo(app.base);
  await sendOn(connection, headOf(app, credential, path, 9_000_000) + " ".repeat(2_000_000));
  return connection;
}

async function requireSound(app: TestApp): Promise<void> {
  assertEquals(await Array.fromAsync(checkSpool(app)), []);
}

withApp.test("eight interrupted uploads and previews leave no bytes, and free their space", async (app) => {
  // The server can end only after these connections are closed.
  using standing = new DisposableStack();
  const { text } = await app.newKey(["products:write"]);
  for (let n = 0; n < 4; n++) {
    standing.use(await beginUpload(app, `Authorization: Bearer ${text}`, IMPORT));
    standing.use(await beginUpload(app, `Cookie: ${app.ownerCookie}`, PREVIEW));
  }
  await until("all have stored bytes", async () => {
    const stored = await storedBytes(app);
    return stored.length === 8 && stored.every((bytes) => bytes >= 1_400_000);
  });
  ok((await left(app)).reserved >= 8 * 9_000_000, "announced bytes are reserved");
  standing.dispose();
  await untilGone(app);
  assertEquals((await app.owner.read("/api/imports")).count, 0);
  await requireSound(app);
});

Deno.test("refused uploads leave no bytes and no job: too slow, no file, a reused key", async () => {
  await using hasty = await startTestApp({ env: { REQUEST_BODY_TIMEOUT_MS: "300" } });
  const { text } = await hasty.newKey(["products:write"]);
  const silent = await connectTo(hasty.base);
  const head = headOf(hasty, `Authorization: Bearer ${text}`, IMPORT, 9_000_000);
  // The server may refuse before it has read the whole request.
  const sent = sendOn(silent, head + " ".repeat(2_000_000)).catch(() => {});
  match(await readSome(silent), /^HTTP\/1\.1 408/);
  silent.close();
  await sent;
  await untilGone(hasty);
  assertEquals((await hasty.owner.read("/api/imports")).count, 0);

  // The default time limit for uploads is longer than 300 ms.
  await using app = await startTestApp();
  const form = new FormData();
  form.set("file", new File([fileOf(100_000)], "a.xml"));
  form.set("mode", "upsert");
  const key = await app.key(["products:write"]);
  await refuses(key.post(IMPORT, form), "validation_failed");
  assertEquals(await left(app), NOTHING);

  const headers = { "Idempotency-Key": "one" };
  await bodyOf(sendXml(key, fileOf(1_000), DRY, headers), 200);
  const kept = await left(app);
  await bodyOf(sendXml(key, fileOf(1_000), DRY, headers), 200);
  await refuses(sendXml(key, fileOf(2_000), DRY, headers), "idempotency_key_reused");
  assertEquals(await left(app), kept, "only the first one stays");
  await requireSound(app);
});

Deno.test("uploads of unknown length, dry runs and running previews count towards the quota; a refused upload, an ended preview and a discarded dry run leave nothing", async () => {
  await using app = await startTestApp({ env: { IMPORT_MAX_SPOOL_BYTES: "1500000" } });
  const send = (body: unknown = fileOf(1_000_000)) =>
    app.manager.post(`/api/imports${DRY}`, body, XML);
  const stream = ReadableStream.from([fileOf(1_000_000), fileOf(1_000_000)]);
  await refuses(send(stream), "payload_too_large");
  for (const file of [fileOf(100_000), "<ITEMS"]) await app.viewer.act(PREVIEW, file, XML);
  assertEquals(await left(app), NOTHING);
  const kept = await bodyOf(send(), 200);
  assertEquals(kept.keepsUpload, true);
  const full = await refusalOf(send());
  assertEquals([full.code, full.details.bytesMax], ["payload_too_large", 1_500_000]);
  match(full.message, /discard dry runs/);
  await refuses(app.viewer.post(PREVIEW, fileOf(1_000_000), XML), "payload_too_large");

  const path = `/api/imports/${kept.jobId}`;
  const discarded = await app.manager.remove(`${path}/upload`);
  assertEquals(valuesOf([discarded], "jobId", "keepsUpload", "count"), [[kept.jobId, false, 1]]);
  assertEquals(await left(app), NOTHING);
  assertEquals(await statusOf(app.manager.delete(`${path}/upload`)), 200, "once more is no error");
  const { code, message } = await refusalOf(app.manager.post(`${path}/apply`));
  assertEquals([code, /discarded/.test(message)], ["conflict", true]);
  const audit = await app.owner.read("/api/audit-logs?action=import.discard");
  assertEquals(audit.items.length, 1);
  await bodyOf(send(), 200);
  await requireSound(app);
});

withBench.test("an applied import, a running one and one without a file cannot be discarded", async ({ app, key }) => {
  const discard = (jobId: string) => key.delete(`${IMPORT}/${jobId}/upload`);
  const sent = async (query = "") => (await bodyOf(sendXml(key, fileOf(1_000), query), 200)).data;
  const { jobId: rehearsed } = await sent(DRY);
  await key.act(`${IMPORT}/${rehearsed}/apply`);
  await refuses(discard(rehearsed), "conflict");
  await refuses(discard((await sent()).jobId), "conflict");
  await refuses(discard("0".repeat(24)), "not_found");
  await untilGone(app);
});

withApp.test("the remains of a killed upload are removed every minute", async (app) => {
  const { store, workspaceId, clock, app: { clock: appClock } } = app;
  const entry = cronEntries({ store, clock: appClock, delayMs: 0 })
    .find(({ name }) => name === "left uploads");
  ok(entry);
  async function* stalling() {
    for (let n = 0; n < 30; n++) yield new Uint8Array(65_536);
    // A commit stores four chunks, so the last two of the 30 chunks are not stored yet.
    assertEquals(await storedBytes(app), [28 * 65_536]);
    await runEntry(entry!, clock.now());
    ok((await left(app)).rows > 0, "it may still continue");
    clock.advance(121_000);
    await runEntry(entry!, clock.now());
    assertEquals(await left(app), NOTHING);
    for (let n = 0; n < 30; n++) yield new Uint8Array(65_536);
  }
  const ctx = { store, workspaceId, now: () => clock.now(), newId: appClock.newId };
  await rejects(spoolBlob(ctx, stalling(), UNBOUNDED_ROOM), /stalled and was cancelled/);
});
