/** On a full disk changes are refused until there is space, reads continue, and no acknowledged write is lost. */

import { PRE_RELEASE_LAYOUT } from "../../src/platform/store/layout_store.ts";
import { openStore, storeFile } from "../../src/platform/store/open_store.ts";
import { openStoreIn } from "../closing_store.ts";
import { flushFile } from "../../src/platform/store/store_file.ts";
import { diskTroubleOf } from "../../src/platform/store/store_trouble.ts";
import { bodyOf, statusOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { kurantHere } from "../kurant_here.ts";
import { until } from "../patience.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { mount, smallDiskTest } from "./small_disk.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** SQLite's log takes about 16 MiB before it restarts. */
const MEBIBYTES = 24;
/** Too little for a second file with the rows of `compactInLittleRoom`. */
const LITTLE_MEBIBYTES = 12;
/** Attributes of about 14 KB, so that some hundred products with these attributes fill the disk. */
const BULKY = Object.fromEntries(
  Array.from({ length: 15 }, (_, n) => [`Merkmal ${n}`, "y".repeat(900)]),
);

smallDiskTest(
  "a full disk makes writes 503 with Retry-After, and free space makes them possible again",
  MEBIBYTES,
  async (dataDir) => {
    const made = await fillAndRecover(dataDir);
    ok(made > 100, `${made} products were made`);
    assertEquals(await findingsOf(dataDir), "");
  },
);

smallDiskTest(
  "on a full disk the log drops and counts lines, and reads go on",
  MEBIBYTES,
  fillBesideTheLog,
);

const TOKEN = "figures-for-the-operator-0123456789";

async function fillBesideTheLog(disk: string): Promise<void> {
  const logPath = `${disk}/kurant.log`;
  const settings = { METRICS_TOKEN: TOKEN };
  await using live = await startLiveServer(disk, settings, { program: { logPath } });
  const read = () => statusOf(live.owner.get("/api/products"));
  const fillPath = `${disk}/filler`;
  assertEquals(await read(), 200);
  // Deno KV itself ends the process when the disk fills up while it delivers a wake-up.
  await until("no job is left", async () => !/^kurant_jobs\{.*[1-9]$/m.test(await figuresOf(live)));
  await pause(1_000);
  fillDisk(fillPath);
  // Each answered request is a log line; a pause lets the log's timer write its buffer.
  for (let n = 0; n < 40; n++) {
    assertEquals(await read(), 200);
    if (n % 4 === 0) await pause(10);
  }
  const dropped = await droppedLines(live);
  ok(dropped >= 10, `${dropped} lines were dropped`);
  await Deno.remove(fillPath);
  assertEquals(await read(), 200);
  const told = /"event":"log lines were lost".*"lines":(\d+)/;
  const lines = () => told.exec(Deno.readTextFileSync(logPath))?.[1];
  await until("the log says how many lines it lost", () => lines() !== undefined);
  ok(Number(lines()) >= dropped, `${lines()} of ${dropped} are told`);
  assertEquals(await statusOf(live.owner.post("/api/products", { sku: "A", title: "Herd" })), 201);
}

function fillDisk(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    const bytes = new Uint8Array(size);
    try {
      for (;;) file.writeSync(bytes);
    } catch (error) {
      if (diskTroubleOf(error) !== "full") throw error;
    }
  }
}

async function figuresOf({ anyone }: LiveServer): Promise<string> {
  return await (await anyone.get("/metrics", { Authorization: `Bearer ${TOKEN}` })).text();
}

async function droppedLines(live: LiveServer): Promise<number> {
  const figures = await figuresOf(live);
  return Number(/^kurant_log_lines_dropped_total (\d+)$/m.exec(figures)?.[1]);
}

smallDiskTest(
  "compact names the space it needs if the disk has less, and leaves the store unchanged",
  2 * MEBIBYTES,
  compactInLittleRoom,
);

async function compactInLittleRoom(dataDir: string): Promise<void> {
  const { kvPath } = storeFile(dataDir);
  {
    const { kv } = await openStore({ kvUrl: null, dataDir }, 1_000);
    for (let n = 0; n < 130; n++) await kv.set(["bulk", n], new Uint8Array(60_000).fill(n));
    for (let n = 120; n < 130; n++) await kv.delete(["bulk", n]);
    kv.close();
  }
  await flushFile(kvPath);
  ok(mount(["-o", `remount,size=${LITTLE_MEBIBYTES}m`, dataDir]));
  const before = await Deno.readFile(kvPath);
  const refused = await kurantHere(["compact"], { DATA_DIR: dataDir });
  assertEquals([refused.code, refused.out], [1, ""]);
  match(
    refused.err,
    /^error: The disk of .* needs \d{7} bytes of free space .* has \d+: free as much/,
  );
  assertEquals(await Deno.readFile(kvPath), before);
  ok(mount(["-o", `remount,size=${2 * LITTLE_MEBIBYTES}m`, dataDir]));
  const done = await kurantHere(["compact"], { DATA_DIR: dataDir });
  assertEquals([done.code, done.err], [0, ""]);
  ok((await Deno.stat(kvPath)).size < before.length);
  using store = await openStoreIn(dataDir);
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix: ["bulk"] }));
  assertEquals(rows.map(({ value }) => value[0]), [...Array(120).keys()]);
}

smallDiskTest(
  "an upgrade names the space it needs with its backup, and changes nothing before that",
  3 * MEBIBYTES,
  migrateInLittleRoom,
);

async function migrateInLittleRoom(dataDir: string): Promise<void> {
  const { kvPath } = storeFile(dataDir);
  const { kv } = await openStore({ kvUrl: null, dataDir }, 1_000);
  for (let n = 0; n < 130; n++) await kv.set(["bulk", n], new Uint8Array(60_000).fill(n));
  await kv.set(["schema"], PRE_RELEASE_LAYOUT);
  kv.close();
  await flushFile(kvPath);
  ok(mount(["-o", `remount,size=${LITTLE_MEBIBYTES}m`, dataDir]));
  const refused = await kurantHere(["check-store"], { DATA_DIR: dataDir });
  assertEquals([refused.code, refused.out], [1, ""]);
  const needs =
    /^error: The disk of .* needs (\d+) bytes of free space for the backup that comes before an upgrade, and for the upgrade itself, and has \d+: /;
  match(refused.err, needs);
  assertEquals(Number(needs.exec(refused.err)?.[1]), 2 * (await Deno.stat(kvPath)).size);
  // Space for just the copy is not enough.
  ok(mount(["-o", `remount,size=20m`, dataDir]));
  match((await kurantHere(["check-store"], { DATA_DIR: dataDir })).err, needs);
  ok(mount(["-o", `remount,size=${3 * MEBIBYTES}m`, dataDir]));
  const done = await kurantHere(["check-store"], { DATA_DIR: dataDir });
  match(done.err, /The store gets layout \d+:/);
}

smallDiskTest(
  "a disk that fills up during an upgrade is named, and the upgrade continues once there is space",
  MEBIBYTES,
  fillWhileMigrating,
);

const ROOM_TO_OPEN = 160 * 1024;

async function fillWhileMigrating(dataDir: string): Promise<void> {
  const { kv } = await openStore({ kvUrl: null, dataDir }, 1_000);
  await kv.set(["schema"], PRE_RELEASE_LAYOUT);
  const backup = `${dataDir}/copy`;
  await kv.set(["migration"], { to: 1, place: null, backup, owner: "gone", untilMs: 0 });
  kv.close();
  await flushFile(storeFile(dataDir).kvPath);
  fillDisk(`${dataDir}/filler`);
  // Enough space to open the file, but too little for all steps.
  const filler = `${dataDir}/filler`;
  await Deno.truncate(filler, (await Deno.stat(filler)).size - ROOM_TO_OPEN);
  const full = await kurantHere(["check-store"], { DATA_DIR: dataDir });
  assertEquals([full.code, full.out], [1, ""]);
  match(
    full.err,
    /took no more in the middle of the upgrade from layout \d+ to \d+: free space and/,
  );
  ok(full.err.trimEnd().endsWith(`the store as it was is kept as ${backup}`), full.err);
  await Deno.remove(`${dataDir}/filler`);
  const done = await kurantHere(["check-store"], { DATA_DIR: dataDir });
  assertEquals([done.code, done.out], [0, "0 workspaces checked, 0 disagreements\n"]);
}

async function fillAndRecover(dataDir: string): Promise<number> {
  await using live = await startLiveServer(dataDir);
  const ids = await fill(live.owner);
  ids.push(...await writeUntilUnready(live));
  const page = await live.owner.read("/api/products?limit=1");
  assertEquals(page.total, ids.length);
  assertEquals(await statusOf(live.anyone.get("/healthz")), 200);
  ok(mount(["-o", `remount,size=${2 * MEBIBYTES}m`, dataDir]));
  assertEquals(await statusOf(live.owner.post("/api/products", { sku: "NOW", title: "t" })), 201);
  await until("it is ready", async () => await statusOf(live.anyone.get("/readyz")) === 200);
  for (const id of ids) assertEquals(await statusOf(live.owner.get(`/api/products/${id}`)), 200);
  return ids.length;
}

/**
 * Writes until `/readyz` has noticed the full disk, which it tests every 5 s. Some writes still
 * succeed, because the file reuses its own pages. Returns the ids of created products.
 */
async function writeUntilUnready({ anyone, owner }: LiveServer): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; await statusOf(anyone.get("/readyz")) !== 503; n++) {
    await pause(20);
    const product = { sku: `MORE ${n}`, title: "t", attributes: BULKY };
    const answer = await owner.post("/api/products", product);
    if (answer.status === 201) ids.push((await answer.json()).id);
    else {
      assertEquals((await bodyOf(answer, 503)).error.code, "unavailable");
      ok(Number(answer.headers.get("Retry-After")) > 0);
    }
  }
  return ids;
}

/** Creates products until a request is refused; returns the ids of the acknowledged ones. */
async function fill(owner: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const product = { sku: `S${ids.length}`, title: "t", attributes: BULKY };
    const answer = await owner.post("/api/products", product);
    if (answer.status !== 201) {
      assertEquals(answer.status, 503, await answer.text());
      return ids;
    }
    ids.push((await answer.json()).id);
  }
}
