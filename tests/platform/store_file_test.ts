import { deepStrictEqual as assertEquals, ok, rejects, throws } from "node:assert/strict";
import { openStore, openStoreFile, storeFile } from "../../src/platform/store/open_store.ts";
import {
  copyLiveFile,
  flushFile,
  lockStore,
  requireSoundFile,
} from "../../src/platform/store/store_file.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { closing, openStoreIn } from "../closing_store.ts";

const TORN = { code: "unavailable", message: /kurant\.db" .*restore a backup/ };

/** Returns the path of a closed store with 500 rows. */
async function storeIn(dataDir: string): Promise<string> {
  const { kvPath } = storeFile(dataDir);
  const { kv } = await openStore({ kvUrl: null, dataDir }, 1_000);
  for (let from = 0; from < 500; from += 100) {
    const commit = kv.atomic();
    for (let n = from; n < from + 100; n++) commit.set(["row", n], "x".repeat(300));
    await commit.commit();
  }
  kv.close();
  await flushFile(kvPath);
  return kvPath;
}

inFolder.test("openStore() refuses a file that was cut anywhere, and says what to do", async (folder) => {
  const kvPath = await storeIn(folder.path);
  const whole = await Deno.readFile(kvPath);
  const cuts = [0, 1, 50, 99, 100, 4_096, 4_097, 8_192, whole.length - 4_096, whole.length - 1];
  const random = Array.from(
    { length: extent(20, 5) },
    () => Math.floor(Math.random() * whole.length),
  );
  for (const cut of [...cuts, ...random]) {
    await Deno.writeFile(kvPath, whole.subarray(0, cut));
    const opened = openStore({ kvUrl: null, dataDir: folder.path }, 1_000);
    await rejects(opened, TORN, `cut at ${cut}`);
  }
});

inFolder.test("openStore() refuses a file that is not a store", async (folder) => {
  await Deno.writeTextFile(storeFile(folder.path).kvPath, "a text\n".repeat(1_000));
  await rejects(openStore({ kvUrl: null, dataDir: folder.path }, 1_000), TORN);
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
  // Wait until all commits have reached the store.
  await new Promise((resolve) => setTimeout(resolve, 0));
  const rows = await Array.fromAsync(store.kv.list({ prefix: ["x", 0] }));
  const before = committed;
  await Promise.all(commits);
  assertEquals(rows.length, 20);
  ok(before < 100, `${before} of 200 commits came first`);
});
