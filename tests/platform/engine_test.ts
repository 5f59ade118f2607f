/**
 * Requirements for a new version of Deno. Store files must have the known layout, with the known
 * version of Deno KV's engine (`LAYOUT_OF_TODAY`). The engine must delete expired rows, also from
 * files that Kurant prepared. A sweep of expired rows must cost next to nothing. Long test runs
 * (`.ci/run`, `deno task prove`) wait for the engine's own sweep. Short test runs reopen the file
 * instead, because the engine also sweeps when it opens a file.
 */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { stdout } from "node:process";
import { DatabaseSync } from "node:sqlite";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { PATIENCE_MS, pause, until } from "../patience.ts";
import { leastCostMs } from "../processor_time.ts";
import { extent, IS_LONG } from "../proof.ts";
import { inFolder, temporaryFolder } from "../temporary_folder.ts";
import { integrityOf, LAYOUT_OF_TODAY, layoutOf } from "./engine_file.ts";

const BUSY_MS = 5_000;
const EXPIRING = extent(50_000, 10_000);
/** Number of rows that never expire; a sweep that read them all would exceed its time limit. */
const STAYING = extent(200_000, 50_000);
const ROWS_PER_COMMIT = 500;
/** The engine sweeps every minute; 5 s more are for a busy machine. */
const RHYTHM_MS = 65_000;
const LOOK_EVERY_MS = 500;
const SWEEP_MS_MAX = 50;
/** Number of rows that expire per minute in a busy service. */
const DUE_IN_A_MINUTE = 1_800;
/** SQL of the engine that deletes expired rows and finds the next time of expiry. */
const SWEEPS = [
  "delete from kv where expiration_ms >= 0 and expiration_ms <= ? returning k",
  "select expiration_ms from kv where expiration_ms >= 0 order by expiration_ms limit 1",
];

async function addRows({ kv }: Store, name: string, count: number, expireIn: number | null) {
  const options = expireIn === null ? {} : { expireIn };
  for (let first = 0; first < count; first += ROWS_PER_COMMIT) {
    const operation = kv.atomic();
    for (let n = first; n < first + ROWS_PER_COMMIT; n++) operation.set([name, n], n, options);
    assertEquals((await operation.commit()).ok, true);
  }
}

/** Counts rows with a separate handle, not through the store. */
function countOf(path: string, where: string): number {
  using file = new DatabaseSync(path, { readOnly: true });
  return Number(file.prepare(`SELECT count(*) AS n FROM kv WHERE ${where}`).get()?.n);
}

/**
 * The test passes only with the defect of V8 15.0. If a new version of Deno fails the test, remove
 * the test, the exception in `tests/catalogue/product_wire_test.ts` and the sentence in
 * docs/limits.md.
 */
Deno.test("JSON.parse reads a key wrongly after a similar key that ends with a backslash", () => {
  const keysOf = (text: string) => Object.keys(JSON.parse(text));
  const inches = String.raw`{"engine":1,"19\"":1}`;
  const backslash = String.raw`{"engine":1,"19\\":1}`;
  assertEquals(keysOf(inches), ["engine", '19"']);
  assertEquals(keysOf(backslash), ["engine", "19\\"]);
  assertEquals(keysOf(inches), ["engine", "19\\"]);
});

Deno.test("the engine's statements for expired rows use the index, and this version of Deno has them", async () => {
  const engine = new TextDecoder("latin1").decode(await Deno.readFile(Deno.execPath()));
  await using folder = await temporaryFolder();
  const path = `${folder.path}/kurant.db`;
  (await openStoreFile(path, BUSY_MS)).kv.close();
  using file = new DatabaseSync(path);
  for (const sql of SWEEPS) {
    ok(engine.includes(sql), `this engine does not say: ${sql}`);
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql.replace("?", "1")}`).all();
    match(String(plan[0]?.detail), /^SEARCH kv USING (COVERING )?INDEX kv_expiration_ms_idx/, sql);
  }
});

inFolder.test(`${EXPIRING} rows are deleted within a minute after they expire, ${STAYING} others stay, and the engine is the known one`, async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const store = await openStoreFile(path, BUSY_MS);
  await addRows(store, "stays", STAYING, null);
  await addRows(store, "expires later", EXPIRING, 3_600_000);
  await addRows(store, "expires", EXPIRING, 1);
  const isDue = `expiration_ms >= 0 AND expiration_ms < ${Date.now() + 1_000}`;
  await pause(1_000);
  if (IS_LONG) await goneByItself(path, isDue);
  else await goneAtOpening(path, store, isDue);
  if (IS_LONG) store.kv.close();
  ok(countOf(path, "expiration_ms = -1") >= STAYING);
  assertEquals(countOf(path, "expiration_ms >= 0"), EXPIRING);
  assertEquals([layoutOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, "ok"]);
});

/** The file must stay open: reopening it sweeps, which would hide that later sweeps are missing. */
async function goneByItself(path: string, isDue: string): Promise<void> {
  const beganAt = performance.now();
  while (countOf(path, isDue) > 0) {
    const tookMs = performance.now() - beganAt;
    ok(tookMs < RHYTHM_MS, `${countOf(path, isDue)} rows are left after ${tookMs} ms`);
    await pause(LOOK_EVERY_MS);
  }
  stdout.write(`gone after ${Math.round((performance.now() - beganAt) / 1_000)} s\n`);
}

async function goneAtOpening(path: string, { kv }: Store, isDue: string): Promise<void> {
  kv.close();
  const again = await openStoreFile(path, BUSY_MS);
  await until("the rows have gone", () => countOf(path, isDue) === 0, PATIENCE_MS);
  again.kv.close();
}

inFolder.test(`a sweep among ${STAYING + EXPIRING} rows takes less than ${SWEEP_MS_MAX} ms, also with a minute's expired rows`, async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const store = await openStoreFile(path, BUSY_MS);
  await addRows(store, "stays", STAYING, null);
  await addRows(store, "expires", EXPIRING, 3_600_000);
  store.kv.close();
  using file = new DatabaseSync(path, { timeout: BUSY_MS });
  const [sweep, next] = SWEEPS.map((sql) => file.prepare(sql));
  const idleMs = leastCostMs(() => {
    sweep!.all(1);
    next!.get();
  });
  const dueOf = file.prepare(
    "SELECT expiration_ms AS at FROM kv WHERE expiration_ms >= 0 ORDER BY expiration_ms LIMIT 1 OFFSET ?",
  );
  let gone = 0;
  const busyMs = leastCostMs(() => {
    const due = dueOf.get(DUE_IN_A_MINUTE - 1)?.at;
    gone = sweep!.all(Number(due)).length;
  });
  stdout.write(`${idleMs.toFixed(1)} ms for none, ${busyMs.toFixed(1)} ms for ${gone} rows\n`);
  ok(gone >= DUE_IN_A_MINUTE, `${gone} rows`);
  ok(idleMs < SWEEP_MS_MAX, `${idleMs} ms for none`);
  ok(busyMs < SWEEP_MS_MAX, `${busyMs} ms for ${gone} rows`);
});
