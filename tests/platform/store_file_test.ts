import { deepStrictEqual as assertEquals, match, ok, rejects, throws } from "node:assert/strict";
import {
  EARLIER_LAYOUTS,
  findLayout,
  LAYOUT,
  migrateStore,
  type MigrationSetup,
  type MigrationStep,
  openStore,
  openStoreFile,
  PRE_RELEASE_LAYOUT,
  storeFile,
} from "../../src/platform/store/open_store.ts";
import {
  copyLiveFile,
  flushFile,
  holdFile,
  lockStore,
  replaceFile,
  requireSoundFile,
} from "../../src/platform/store/store_file.ts";
import { extent } from "../proof.ts";
import { inFolder, namesIn } from "../temporary_folder.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { closing, openStoreIn } from "../closing_store.ts";
import { DatabaseSync } from "node:sqlite";
import {
  preparingPath,
  readyStoreFile,
  rewriteFile,
} from "../../src/platform/store/file_layout.ts";
import { until } from "../patience.ts";
import { integrityOf, LAYOUT_OF_TODAY, layoutOf, makeEngineFile, rowsOf } from "./engine_file.ts";
import { MIGRATION_STEPS } from "../../src/app/commands/store_access.ts";
import { openMemoryStore } from "../memory_store.ts";

const TORN = { code: "unavailable", message: /kurant\.db" .*restore a backup/ };

async function storeIn(dataDir: string): Promise<string> {
  const { kvPath } = storeFile(dataDir);
  await makeEngineFile(kvPath, 500);
  await rewriteFile(kvPath, `${kvPath}.part`);
  return kvPath;
}

inFolder.test("openStore() refuses a file that was cut anywhere or is no store, and says what to do", async (folder) => {
  const kvPath = await storeIn(folder.path);
  const whole = await Deno.readFile(kvPath);
  const cuts = [0, 1, 50, 99, 100, 4_096, 4_097, 8_192, whole.length - 4_096, whole.length - 1];
  for (let n = extent(20, 5); n > 0; n--) cuts.push(Math.floor(Math.random() * whole.length));
  const contents = new Map(cuts.map((cut) => [`cut at ${cut}`, whole.subarray(0, cut)]));
  contents.set("a text", new TextEncoder().encode("a text\n".repeat(1_000)));
  for (const [what, bytes] of contents) {
    await Deno.writeFile(kvPath, bytes);
    await rejects(openStore({ kvUrl: null, dataDir: folder.path }, 1_000), TORN, what);
  }
});

inFolder.test("requireSoundFile() finds damage in the middle, which the header does not show", async (folder) => {
  const kvPath = await storeIn(folder.path);
  await requireSoundFile(kvPath);
  {
    using file = await Deno.open(kvPath, { write: true });
    await file.seek(3 * 4_096, Deno.SeekMode.Start);
    await file.write(new Uint8Array(4_096).fill(0xff));
  }
  await rejects(requireSoundFile(kvPath), TORN);
});

inFolder.test("copyLiveFile() copies everything that was committed before, including the log", async (folder) => {
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 1_000);
  await store.kv.set(["in the log"], 1);
  const copy = `${folder.path}/copy.db`;
  await copyLiveFile(storeFile(folder.path).kvPath, copy);
  await store.kv.set(["later"], 1);
  store.kv.close();
  await flushFile(copy);
  const files = await Array.fromAsync(Deno.readDir(folder.path));
  assertEquals(files.filter(({ name }) => name.includes("copy")).length, 1);
  using copied = closing(await openStoreFile(copy, 1_000));
  const keys = await Array.fromAsync(copied.kv.list({ prefix: [] }), ({ key: [name] }) => name);
  assertEquals([keys.includes("in the log"), keys.includes("later")], [true, false]);
});

inFolder.test("a store has one holder, even if its lock file is deleted", async (folder) => {
  const path = `${folder.path}/kurant.lock`;
  {
    using lock = lockStore(path);
    lock.describe("http://127.0.0.1:8000");
    const named = new RegExp(`in use by process ${Deno.pid}, since .+, at http://127.0.0.1:8000`);
    throws(() => lockStore(path), named);
    await Deno.remove(path);
    throws(() => lockStore(path), { code: "unavailable", message: /^The store is in use: / });
  }
  lockStore(path)[Symbol.dispose]();
});

inFolder.test("a read does not wait for earlier commits", async (folder) => {
  using store = await openStoreIn(folder.path);
  const write = (n: number) =>
    transact({ store }, (write) => {
      for (let row = 0; row < 20; row++) write.set(["x", n, row], new Uint8Array(2_000));
    });
  await write(0);
  let committed = 0;
  const commits = Array.from({ length: 200 }, async (_, n) => {
    await write(n + 1);
    committed++;
  });
  await new Promise((resolve) => setTimeout(resolve, 0));
  const rows = await Array.fromAsync(store.kv.list({ prefix: ["x", 0] }));
  const before = committed;
  await Promise.all(commits);
  assertEquals(rows.length, 20);
  ok(before < 100, `${before} of 200 commits came first`);
});

const BUSY_MS = 5_000;

inFolder.test("simultaneous openings of a new store get the same file", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStoreFile(path, BUSY_MS)));
  await Promise.all(stores.map(({ kv }, n) => kv.set(["by", n], n)));
  const found = await Array.fromAsync(stores[0]!.kv.list<number>({ prefix: ["by"] }));
  for (const { kv } of stores) kv.close();
  assertEquals(found.map(({ value }) => value), [0, 1, 2, 3, 4, 5]);
  assertEquals(namesIn(folder.path).filter((name) => name.includes("preparing")), []);
});

inFolder.test("leftovers of killed preparations are removed, and a log of a deleted file is not used", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const kv = await Deno.openKv(path);
  await kv.set(["of a file that is gone"], 1);
  const log = await Deno.readFile(`${path}-wal`);
  kv.close();
  await until("the handle is closed", () => namesIn(folder.path).length === 1);
  await Deno.remove(path);
  await Deno.writeFile(`${path}-wal`, log);
  for (const name of ["", "-wal", "-journal", ".lock"]) {
    await Deno.writeTextFile(preparingPath(path) + name, "left");
  }
  const store = await openStoreFile(path, BUSY_MS);
  const rows = await Array.fromAsync(store.kv.list({ prefix: ["of a file that is gone"] }));
  store.kv.close();
  assertEquals([rows, layoutOf(path), integrityOf(path)], [[], LAYOUT_OF_TODAY, "ok"]);
  for (const name of ["", ".lock"]) await Deno.writeTextFile(preparingPath(path) + name, "left");
  await readyStoreFile(path, BUSY_MS);
  assertEquals(namesIn(folder.path).filter((name) => name.includes("preparing")), []);
});

inFolder.test("rewriteFile() gives an older file the current layout, with every row, version and expiry", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await makeEngineFile(path, 2_000);
  const kv = await Deno.openKv(path);
  await kv.set(["expires"], 1, { expireIn: 3_600_000 });
  await kv.enqueue("a message", { delay: 3_600_000 });
  kv.close();
  const rows = rowsOf(path);
  const { before, after, isNew } = await rewriteFile(path, `${path}.part`);
  assertEquals([isNew, after], [true, (await Deno.stat(path)).size]);
  ok(after < before, `${before} bytes before, ${after} after`);
  assertEquals([layoutOf(path), rowsOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, rows, "ok"]);
  using file = new DatabaseSync(path);
  assertEquals(file.prepare("SELECT count(*) AS n FROM queue").get()?.n, 1);
  assertEquals(namesIn(folder.path), ["kurant.db"]);
});

/** SQL after which Kurant must leave the file unchanged, each with the expected message. */
const STRANGERS: readonly (readonly [name: string, sql: string, says: RegExp])[] = [
  ["a newer engine", "UPDATE migration_state SET version = 4", /has version 4 .* 3 is known/],
  ["an older engine", "UPDATE migration_state SET version = 2", /has version 2 .* 3 is known/],
  ["no engine", "DROP TABLE migration_state", /has none of the engine's tables/],
  ["no index", "DROP INDEX kv_expiration_ms_idx", /has no index over expiry times that/],
  [
    "another index",
    "DROP INDEX kv_expiration_ms_idx; CREATE INDEX kv_expiration_ms_idx ON kv (expiration_ms, seq)",
    /has no index over expiry times that/,
  ],
];

for (const [name, sql, says] of STRANGERS) {
  inFolder.test(`start and compact leave a file of ${name} unchanged, with a message`, async (folder) => {
    const path = `${folder.path}/kurant.db`;
    await makeEngineFile(path, 100);
    {
      using file = new DatabaseSync(path);
      file.exec(sql);
    }
    const bytes = await Deno.readFile(path);
    const notes = await readyStoreFile(path, BUSY_MS);
    assertEquals(notes.map(({ level }) => level), ["warning"]);
    match(notes[0]!.text, says);
    match(notes[0]!.text, /left as they are$/);
    await rejects(rewriteFile(path, `${path}.part`), { code: "unavailable", message: says });
    assertEquals(await Deno.readFile(path), bytes);
    assertEquals(namesIn(folder.path), ["kurant.db"]);
  });
}

inFolder.test("a process that waits for a file during its rewrite cannot write to the old one", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await makeEngineFile(path, 100);
  await Deno.copyFile(path, `${path}.new`);
  using waiting = new DatabaseSync(path, { timeout: 0 });
  {
    using _held = await holdFile(path);
    const isLocked = { message: /locked/ };
    await rejects(async () => await waiting.exec("PRAGMA journal_mode = WAL"), isLocked);
    await replaceFile(`${path}.new`, path, null);
  }
  await rejects(async () => await waiting.exec("PRAGMA journal_mode = WAL"), /readonly/);
  assertEquals(namesIn(folder.path), ["kurant.db"]);
});

const ROWS = 25;
const ROWS_PER_COMMIT = 10;

/** A migration step that doubles each number, with ten rows per commit. */
function doubling(onCommit: (place: number) => void = () => {}): MigrationStep {
  return {
    what: "numbers are doubled",
    async advance({ kv }, write, place) {
      const from = typeof place === "number" ? place : 0;
      onCommit(from);
      const until = Math.min(ROWS, from + ROWS_PER_COMMIT);
      for (let n = from; n < until; n++) {
        const { value } = await kv.get<number>(["row", n]);
        write.set(["row", n], (value ?? 0) * 2);
      }
      return until === ROWS ? null : until;
    },
  };
}

async function olderStore(kind: Store["kind"] = "memory"): Promise<Store & Disposable> {
  const store: Store = { ...await openMemoryStore(), kind };
  await store.kv.set(["schema"], PRE_RELEASE_LAYOUT);
  for (let n = 0; n < ROWS; n++) await store.kv.set(["row", n], n + 1);
  return { ...store, [Symbol.dispose]: () => store.kv.close() };
}

function setup(more: Partial<MigrationSetup>): MigrationSetup {
  return {
    steps: [doubling()],
    owner: "one",
    now: () => new Date(),
    backUp: null,
    say: () => {},
    ...more,
  };
}

async function requireTimes(times: 1 | 2, { kv }: Store): Promise<void> {
  const numbers = await Array.fromAsync(kv.list({ prefix: ["row"] }), ({ value }) => value);
  assertEquals(numbers, Array.from({ length: ROWS }, (_, n) => (n + 1) * times));
}

Deno.test("the layouts that can be migrated are the last before 1.0.0, that of 1.0.0 and all later ones, by the same steps", () => {
  assertEquals(EARLIER_LAYOUTS.slice(0, 3), [PRE_RELEASE_LAYOUT, 1, 10]);
  assertEquals([EARLIER_LAYOUTS.at(-1), EARLIER_LAYOUTS.length], [LAYOUT - 1, LAYOUT - 8]);
  assertEquals(MIGRATION_STEPS.map(({ what }) => what), [
    "products get all fields",
    "links get their present form",
    "proposals keep facts",
    "awaited prices are one row",
    "credentials in rows are sealed",
    "audit rows lose index rows that no list needs",
  ]);
});

Deno.test("migrateStore() changes every row once, and stores the layout with the last commit", async () => {
  using store = await olderStore();
  const places: number[] = [];
  const said: string[] = [];
  const steps = [doubling((at) => places.push(at))];
  await migrateStore(store, setup({ steps, say: (text) => said.push(text) }));
  assertEquals(places, [0, 10, 20]);
  await requireTimes(2, store);
  const { layout, progress } = await findLayout(store);
  assertEquals([layout, progress], [LAYOUT, null]);
  assertEquals(said, [`The store gets layout ${LAYOUT}: numbers are doubled`]);
  await migrateStore(store, setup({ steps: [] }));
});

Deno.test("an interrupted migration continues at its stored place, without a second backup", async () => {
  using store = await olderStore();
  const backups: number[] = [];
  const backUp = () => Promise.resolve(`copy ${backups.push(LAYOUT)}`);
  const breaking = doubling((place) => {
    if (place === 20) throw new Error("the process dies");
  });
  await rejects(migrateStore(store, setup({ steps: [breaking], backUp })), /dies/);
  assertEquals((await findLayout(store)).layout, PRE_RELEASE_LAYOUT);
  await migrateStore(store, setup({ owner: "two", backUp }));
  await requireTimes(2, store);
  assertEquals(backups, [LAYOUT]);
});

Deno.test("if the backup fails, nothing is changed", async () => {
  using store = await olderStore();
  const backUp = () => Promise.reject(new Error("no room"));
  await rejects(migrateStore(store, setup({ backUp })), /no room/);
  await requireTimes(1, store);
  assertEquals((await findLayout(store)).progress, null);
});

Deno.test("on a shared store one process migrates and the others wait for it", async () => {
  using store = await olderStore("remote");
  const owners = new Set<string>();
  const by = (owner: string) =>
    migrateStore(store, setup({ owner, steps: [doubling(() => owners.add(owner))] }));
  await Promise.all(["one", "two", "three"].map(by));
  await requireTimes(2, store);
  assertEquals(owners.size, 1);
});

Deno.test("on a shared store a process that claims a finished migration does nothing", async () => {
  using store = await olderStore("remote");
  const slow = setup({
    owner: "slow",
    async backUp() {
      await migrateStore(store, setup({ owner: "quick" }));
      return "copy";
    },
  });
  await migrateStore(store, slow);
  await requireTimes(2, store);
});

Deno.test("on a shared store, another process continues a migration after the lease of the first, whose late commits then fail", async () => {
  using store = await olderStore("remote");
  let nowMs = 1_000_000;
  const now = () => new Date(nowMs);
  const stalled = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const slow: MigrationStep = {
    ...doubling(),
    async advance(...args) {
      const next = await doubling().advance(...args);
      if (args[2] === 10) {
        stalled.resolve();
        await resumed.promise;
      }
      return next;
    },
  };
  const first = migrateStore(store, setup({ owner: "slow", now, steps: [slow] }));
  await stalled.promise;
  nowMs += 31_000;
  await migrateStore(store, setup({ owner: "next", now }));
  resumed.resolve();
  await first;
  await requireTimes(2, store);
});

Deno.test("a migration that an earlier version of Kurant interrupted begins again, and keeps its backup", async () => {
  for (const [to, place] of [[1, null], [LAYOUT, "0123"]] as const) {
    using store = await olderStore();
    const progress = { to, place, owner: "dead", untilMs: 0, backup: "copy" };
    await store.kv.set(["migration"], progress);
    await migrateStore(store, setup({ backUp: () => Promise.reject(new Error("a second copy")) }));
    await requireTimes(2, store);
    assertEquals((await findLayout(store)).layout, LAYOUT);
  }
});

Deno.test("a layout without a migration is refused", async () => {
  using store = await olderStore();
  await store.kv.set(["schema"], 7);
  await rejects(migrateStore(store, setup({})), /too old to migrate/);
  await store.kv.set(["schema"], LAYOUT + 1);
  await rejects(migrateStore(store, setup({})), /use a newer version/);
  await requireTimes(1, store);
});
