import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { LAYOUT, PRE_RELEASE_LAYOUT, storeFile } from "../../../src/platform/store/open_store.ts";
import { openStoreIn } from "../../closing_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startServer } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";

/** Creates a store with the last layout before version 1.0.0. */
async function olderStore(dataDir: string): Promise<void> {
  await succeeds(kurantHere(["key", "add", "--name", "old"], { DATA_DIR: dataDir }));
  using store = await openStoreIn(dataDir);
  await store.kv.set(["schema"], PRE_RELEASE_LAYOUT);
}

async function layoutOf(path: string): Promise<unknown> {
  using kv = await Deno.openKv(path);
  return (await kv.get(["schema"])).value;
}

inFolder.test("a server migrates an older store, keeps one copy, and logs what it did", async (folder) => {
  await olderStore(folder.path);
  const server = await startServer({ DATA_DIR: folder.path });
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0, err);
  match(err, new RegExp(`The store gets layout ${LAYOUT}: `));
  const copy = `kurant.db.before-layout-${LAYOUT}`;
  assertEquals(err.match(/The store as it was is kept as .*/g)?.length, 1);
  ok(err.includes(copy), err);
  const copies = namesIn(folder.path).filter((name) => name.includes("before-layout"));
  assertEquals(copies, [copy]);
  assertEquals(await layoutOf(`${folder.path}/${copy}`), PRE_RELEASE_LAYOUT);
  await succeeds(kurantHere(["check-store"], { DATA_DIR: folder.path }));
});

inFolder.test("a tool migrates an older store, too, but not while a server holds it", async (folder) => {
  await olderStore(folder.path);
  const { lockPath } = storeFile(folder.path);
  {
    using file = await Deno.open(lockPath, { read: true, write: true, create: true });
    ok(await file.tryLock(true));
    const key = kurantHere(["key", "add", "--name", "k"], { DATA_DIR: folder.path });
    await fails(key, 1, /^error: The store is in use/);
  }
  const { code, err } = await kurant(["check-store"], { DATA_DIR: folder.path });
  assertEquals(code, 0, err);
  match(err, new RegExp(`The store gets layout ${LAYOUT}: `));
});

inFolder.test("a backup of an older store is restored and then migrated", async (folder) => {
  const settings = { DATA_DIR: `${folder.path}/data` };
  await olderStore(settings.DATA_DIR);
  const backup = await kurantHere(["backup", `${folder.path}/b.db`], settings);
  assertEquals(backup.code, 0, backup.err);
  match(backup.out, /layout 9, which the next start migrates/);
  const restored = await kurantHere(["restore", `${folder.path}/b.db`], settings);
  assertEquals(restored.code, 0, restored.err);
  const { code, err } = await kurantHere(["check-store"], settings);
  assertEquals(code, 0, err);
});
