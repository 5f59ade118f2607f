import { deepStrictEqual as assertEquals, equal, ok } from "node:assert/strict";
import { readyStoreFile, rewriteFile } from "../../src/platform/store/file_layout.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { sizeOf } from "../../src/platform/store/store_file.ts";
import {
  ENGINE_LAYOUT,
  integrityOf,
  LAYOUT_OF_TODAY,
  layoutOf,
  makeEngineFile,
  rowsOf,
} from "../platform/engine_file.ts";
import { extent } from "../proof.ts";
import { V8_FLAGS } from "../task_flags.ts";
import { inFolder, namesIn } from "../temporary_folder.ts";

const CHILD = "tests/fault/layout_child.ts";
const BUSY_MS = 5_000;
const KILLS = extent(20, 1);
const ROWS = extent(30_000, 3_000);
/** Maximum number of attempts; some end before the kill and do not count. */
const TRIES_MAX = 10 * KILLS;

type Work = "prepare" | "rewrite";

/** Starts the child process, and kills it `killAfterMs` after it has begun its work. */
async function run(work: Work, path: string, killAfterMs: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", V8_FLAGS, "-A", CHILD, work, path],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const beganAt = performance.now();
  const timer = setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch (error) {
      // A `TypeError` means that the process ended just before the kill.
      if (!(error instanceof TypeError)) throw error;
    }
  }, killAfterMs);
  while (!(await reader.read()).done);
  clearTimeout(timer);
  const { signal, success } = await child.status;
  ok(signal === "SIGKILL" || success);
  return { isKilled: signal === "SIGKILL", tookMs: performance.now() - beganAt };
}

/** Kills child processes at random moments. `begin` runs before each process, `look` after it. */
async function killManyTimes(
  work: Work,
  path: string,
  begin: () => Promise<void>,
  look: () => Promise<void> | void,
): Promise<void> {
  await begin();
  const { tookMs } = await run(work, path, 600_000);
  await look();
  let kills = 0;
  for (let n = 0; n < TRIES_MAX && kills < KILLS; n++) {
    await begin();
    const { isKilled } = await run(work, path, Math.random() * tookMs);
    if (isKilled) kills++;
    await look();
  }
  equal(kills, KILLS);
}

inFolder.test(`killed ${KILLS} times while a new store is prepared: no file or a complete one, and the next start makes it`, async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await killManyTimes("prepare", path, async () => {
    for (const name of namesIn(folder.path)) {
      // Keeps files of a killed `prepare`, because the next one must cope with them.
      if (!name.includes("preparing")) await Deno.remove(`${folder.path}/${name}`);
    }
  }, async () => {
    if (await sizeOf(path) !== null) assertEquals(layoutOf(path), LAYOUT_OF_TODAY);
    const { kv } = await openStoreFile(path, BUSY_MS);
    await kv.set(["row"], 1);
    kv.close();
    assertEquals([layoutOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, "ok"]);
  });
  await readyStoreFile(path, BUSY_MS);
  assertEquals(namesIn(folder.path).filter((name) => name.includes("preparing")), []);
});

inFolder.test(`killed ${KILLS} times during the rewrite of a store with ${ROWS} rows: every row is there`, async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const original = `${folder.path}/original.db`;
  await makeEngineFile(original, ROWS);
  const rows = rowsOf(original);
  await killManyTimes("rewrite", path, async () => {
    // Begins as after a normal stop of the server: with the store's file, without SQLite's logs.
    for (const name of ["", "-wal", "-shm", "-journal"]) {
      if (await sizeOf(path + name) !== null) await Deno.remove(path + name);
    }
    await Deno.copyFile(original, path);
  }, () => {
    assertEquals([rowsOf(path), integrityOf(path)], [rows, "ok"]);
    const now = layoutOf(path);
    assertEquals(now, now.index === "full" ? ENGINE_LAYOUT : LAYOUT_OF_TODAY);
  });
  await rewriteFile(path, `${path}.compacting`);
  assertEquals([layoutOf(path), rowsOf(path)], [LAYOUT_OF_TODAY, rows]);
});
