import { PRE_RELEASE_LAYOUT, storeFile } from "../../src/platform/store/open_store.ts";
import { openStoreIn } from "../closing_store.ts";
import { flushFile } from "../../src/platform/store/store_file.ts";
import { bodyOf, statusOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { fails, kurantHere, succeeds } from "../kurant_here.ts";
import { until } from "../patience.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { fillDisk, onSmallDisk, remount } from "./small_disk.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { inFolder } from "../temporary_folder.ts";
import { askIdleStore } from "../left_store.ts";

/** In MiB; must exceed SQLite's log, which grows to about 16 MiB before it is reused. */
const MEBIBYTES = 24;
/** Too small for a second copy of a store with 120 rows of 60,000 bytes. */
const LITTLE_MEBIBYTES = 12;
const ROOM_TO_OPEN = 160 * 1024;
const [onDisk, onDoubleDisk] = [onSmallDisk(MEBIBYTES), onSmallDisk(2 * MEBIBYTES)];
const TOKEN = "figures-for-the-operator-0123456789";

function postBulky(owner: Caller, sku: string): Promise<Response> {
  const attributes = Array.from({ length: 15 }, (_, n) => [`Merkmal ${n}`, "y".repeat(900)]);
  const product = { sku, title: "t", attributes: Object.fromEntries(attributes) };
  return owner.post("/api/products", product);
}

onDisk.test("a full disk makes writes 503 with Retry-After, and free space makes them possible again", async ({ path: dataDir }) => {
  {
    await using live = await startLiveServer(dataDir);
    const ids = await fill(live.owner);
    ids.push(...await writeUntilUnready(live));
    const page = await live.owner.read("/api/products?limit=1");
    assertEquals(page.total, ids.length);
    assertEquals(await statusOf(live.anyone.get("/healthz")), 200);
    remount(dataDir, `size=${2 * MEBIBYTES}m`);
    await live.owner.create("/api/products", { sku: "NOW", title: "t" });
    await until("it is ready", async () => await statusOf(live.anyone.get("/readyz")) === 200);
    for (const id of ids) await live.owner.read(`/api/products/${id}`);
    ok(ids.length > 100, `${ids.length} products were made`);
  }
  assertEquals(await findingsOf(dataDir), "");
});

onDisk.test("on a full disk the log drops and counts lines, and reads go on", async ({ path: disk }) => {
  const logPath = `${disk}/kurant.log`;
  const launch = { program: { logPath } };
  await using live = await startLiveServer(disk, { METRICS_TOKEN: TOKEN }, launch);
  const read = () => statusOf(live.owner.get("/api/products"));
  const fillPath = `${disk}/filler`;
  assertEquals(await read(), 200);
  // Deno KV ends the process if its queue still holds messages when the disk is full.
  const hasNoJob = async () => !/^kurant_jobs\{.*[1-9]$/m.test(await figuresOf(live));
  await until("no job is left", hasNoJob);
  await pause(1_000);
  fillDisk(fillPath);
  for (let n = 0; n < 40; n++) assertEquals(await read(), 200);
  const figures = await figuresOf(live);
  const dropped = Number(/^kurant_log_lines_dropped_total (\d+)$/m.exec(figures)?.[1]);
  ok(dropped >= 10, `${dropped} lines were dropped`);
  await Deno.remove(fillPath);
  assertEquals(await read(), 200);
  const [last = ""] = (await Deno.readTextFile(logPath)).trimEnd().split("\n").slice(-1);
  ok(JSON.parse(last).event, last);
  await live.owner.create("/api/products", { sku: "A", title: "Herd" });
});

async function figuresOf({ anyone }: LiveServer): Promise<string> {
  return await (await anyone.get("/metrics", { Authorization: `Bearer ${TOKEN}` })).text();
}

onDoubleDisk.test("compact on a disk without space for a second file leaves the store unchanged", async ({ path: dataDir }) => {
  const { kvPath } = storeFile(dataDir);
  await writeStore(dataDir, async (kv) => {
    for (let n = 0; n < 130; n++) await kv.set(["bulk", n], new Uint8Array(60_000).fill(n));
    for (let n = 120; n < 130; n++) await kv.delete(["bulk", n]);
  });
  remount(dataDir, `size=${LITTLE_MEBIBYTES}m`);
  const before = await Deno.readFile(kvPath);
  const settings = { DATA_DIR: dataDir };
  await fails(kurantHere(["compact"], settings), 1, /^error: .*database or disk is full\n$/);
  assertEquals(await Deno.readFile(kvPath), before);
  remount(dataDir, `size=${2 * LITTLE_MEBIBYTES}m`);
  await succeeds(kurantHere(["compact"], settings));
  ok((await Deno.stat(kvPath)).size < before.length);
});

onDoubleDisk.test("an upgrade names the space it needs with its backup, and changes nothing before that", async ({ path: dataDir }) => {
  await writeStore(dataDir, async (kv) => {
    for (let n = 0; n < 130; n++) await kv.set(["bulk", n], new Uint8Array(60_000).fill(n));
    await kv.set(["schema"], PRE_RELEASE_LAYOUT);
  });
  // The upgrade needs space for two copies, and the disk has space for one.
  remount(dataDir, "size=20m");
  const refused = await fails(kurantHere(["check-store"], { DATA_DIR: dataDir }), 1);
  const needs = /^error: The upgrade and its backup need (\d+) bytes of free space next to ".+", /;
  const { size } = await Deno.stat(storeFile(dataDir).kvPath);
  assertEquals(Number(needs.exec(refused)?.[1]), 2 * size, refused);
  remount(dataDir, `size=${2 * MEBIBYTES}m`);
  const done = await kurantHere(["check-store"], { DATA_DIR: dataDir });
  match(done.err, /The store gets layout \d+:/);
});

onDisk.test("an upgrade whose disk fills up continues once there is space", async ({ path: dataDir }) => {
  const [backup, filler] = [`${dataDir}/copy`, `${dataDir}/filler`];
  await writeStore(dataDir, async (kv) => {
    await kv.set(["schema"], PRE_RELEASE_LAYOUT);
    await kv.set(["migration"], { to: 1, place: null, backup, owner: "gone", untilMs: 0 });
  });
  fillDisk(filler);
  // The space suffices to open the file, but not for all steps of the upgrade.
  await Deno.truncate(filler, (await Deno.stat(filler)).size - ROOM_TO_OPEN);
  const check = () => kurantHere(["check-store"], { DATA_DIR: dataDir });
  await fails(check(), 1, /\(database or disk is full\)\n$/);
  await Deno.remove(filler);
  const { code, out } = await check();
  assertEquals([code, out], [0, "0 workspaces checked, 0 disagreements\n"]);
});

async function writeStore(dataDir: string, write: (kv: Deno.Kv) => Promise<void>): Promise<void> {
  {
    using store = await openStoreIn(dataDir);
    await write(store.kv);
  }
  await flushFile(storeFile(dataDir).kvPath);
}

/**
 * Writes until `/readyz`, which tests the disk every 5 s, reports the full disk. Some writes still
 * succeed, because the store's file reuses its free pages.
 */
async function writeUntilUnready({ anyone, owner }: LiveServer): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; await statusOf(anyone.get("/readyz")) !== 503; n++) {
    await pause(20);
    const answer = await postBulky(owner, `MORE ${n}`);
    if (answer.status === 201) ids.push((await answer.json()).id);
    else {
      assertEquals((await bodyOf(answer, 503)).error.code, "unavailable");
      ok(Number(answer.headers.get("Retry-After")) > 0);
    }
  }
  return ids;
}

async function fill(owner: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const answer = await postBulky(owner, `S${ids.length}`);
    if (answer.status !== 201) {
      assertEquals(answer.status, 503, await answer.text());
      return ids;
    }
    ids.push((await answer.json()).id);
  }
}

/** Random attributes do not compress, so a document fills a good part of a database page. */
const bulk = () => Object.fromEntries([1, 2, 3, 4].map((n) => [`M${n}`, randomHex()]));
const randomHex = () => crypto.getRandomValues(new Uint8Array(400)).toHex();
/** The first bytes of a product's key in the file, in hex. */
const PRODUCT_DOCUMENT = "027000";
const PAGE_BYTES = 16_384;

/**
 * Overwrites a database page that contains only product documents, so that a server still starts
 * normally. Returns the keys of the rows that can no longer be read.
 */
async function damageProducts(kvPath: string): Promise<string[]> {
  await flushFile(kvPath);
  const whole = await Deno.readFile(kvPath);
  const keys = keysOf(kvPath);
  for (let at = PAGE_BYTES; at < whole.length; at += PAGE_BYTES) {
    const bytes = whole.slice();
    bytes.fill(0xff, at, at + PAGE_BYTES);
    await Deno.writeFile(kvPath, bytes);
    const left = readable(kvPath, keys);
    const lost = keys.filter((key) => !left.has(key));
    if (lost.length > 0 && lost.every((key) => key.startsWith(PRODUCT_DOCUMENT))) return lost;
  }
  throw new Error("No page has documents of products alone");
}

function keysOf(kvPath: string): string[] {
  using file = new DatabaseSync(kvPath, { readOnly: true });
  return file.prepare("SELECT hex(k) AS key FROM kv").all().map(({ key }) => String(key));
}

function readable(kvPath: string, keys: readonly string[]): Set<string> {
  using file = new DatabaseSync(kvPath, { readOnly: true });
  const isReadable = (key: string) => {
    try {
      return file.prepare("SELECT hex(v) FROM kv WHERE k = unhex(?)").all(key).length === 1;
    } catch (error) {
      if (error instanceof Error && /malformed/.test(error.message)) return false;
      throw error;
    }
  };
  return new Set(keys.filter(isReadable));
}

/** Deno KV writes a zero byte in a key as 00 FF, and ends the id with 00. */
function lastIdOf(key: string): string {
  const bytes = Uint8Array.fromHex(key);
  return bytes.filter((byte, at) => byte !== 0xff || bytes[at - 1] !== 0).slice(-13, -1).toHex();
}

inFolder.test("a damaged page makes /readyz 503 once a read meets it, and check-store names the remedy", async (folder) => {
  const { kvPath } = storeFile(folder.path);
  await askIdleStore(folder.path, async (owner) => {
    for (let n = 0; n < 60; n++) {
      const product = { sku: `S${n}`, title: "Herd", attributes: bulk() };
      await owner.create("/api/products", product);
    }
  });
  const [lost] = (await damageProducts(kvPath)).map(lastIdOf);
  {
    await using live = await startLiveServer(folder.path);
    const refused = await bodyOf(live.owner.get(`/api/products/${lost}`), 503);
    assertEquals(refused.error.code, "unavailable");
    match(refused.error.message, /^The store's file is damaged: .*kurant restore FILE/);
    const unready = await bodyOf(live.anyone.get("/readyz"), 503);
    match(unready.error.message, /^The store's file is damaged: .*kurant restore FILE/);
    assertEquals(await statusOf(live.anyone.get("/healthz")), 200);
    match(live.log(), /"level":"error","room":"store","event":"the store's file is damaged/);
    await live.stop("SIGTERM");
  }
  const remedy =
    /^error: The store file ".*kurant\.db" is damaged: restore a backup \(kurant restore FILE\)\n$/m;
  await fails(kurantHere(["check-store"], { DATA_DIR: folder.path }), 1, remedy);
});

onSmallDisk(4).test(
  "commands on a read-only folder end with code 1 and one line",
  async ({ path: folder }) => {
    const settings = { DATA_DIR: `${folder}/data`, PORT: "0" };
    assertEquals((await kurantHere(["key", "add", "--name", "k"], settings)).code, 0);
    remount(folder, "ro");
    for (const args of [["serve"], ["backup", `${folder}/new.db`], ["key", "add", "--name", "k"]]) {
      await fails(kurantHere(args, settings), 1, /^error: .*(?:[Rr]ead-?only|unable to open).*\n$/);
    }
  },
);
