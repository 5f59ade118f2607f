import { deepStrictEqual as assertEquals, throws } from "node:assert/strict";
import { lockStore } from "../../src/platform/store/store_lock.ts";
import { inFolder } from "../temporary_folder.ts";

const HOLDER = { pid: 1, startedAt: "2026-03-02T09:00:00.000Z", url: "http://127.0.0.1:8000" };

inFolder.test("a store has one holder, even if its lock file is deleted", async (folder) => {
  const path = `${folder.path}/kurant.lock`;
  {
    using lock = lockStore(path);
    lock.describe(HOLDER);
    throws(() => lockStore(path), /in use by process 1, since 2026-03-02T09:00:00/);
    await Deno.remove(path);
    throws(() => lockStore(path), { code: "unavailable", message: /^The store is in use: / });
  }
  lockStore(path)[Symbol.dispose]();
});

inFolder.test("a deleted or replaced lock file is created again, with its holder in it", async (folder) => {
  const path = `${folder.path}/kurant.lock`;
  using lock = lockStore(path);
  lock.describe(HOLDER);
  assertEquals(lock.verify(), "held");
  await Deno.remove(path);
  assertEquals([lock.verify(), lock.verify()], ["recreated", "held"]);
  assertEquals(JSON.parse(await Deno.readTextFile(path)), HOLDER);
  await Deno.writeTextFile(`${path}.new`, "");
  await Deno.rename(`${path}.new`, path);
  assertEquals([lock.verify(), lock.verify()], ["recreated", "held"]);
});

inFolder.test("a lock is lost when its folder is deleted", async (folder) => {
  const path = `${folder.path}/data/kurant.lock`;
  await Deno.mkdir(`${folder.path}/data`);
  using lock = lockStore(path);
  await Deno.remove(`${folder.path}/data`, { recursive: true });
  assertEquals(lock.verify(), "lost");
});

inFolder.test("a lock is lost when another process locks a new file", async (folder) => {
  const path = `${folder.path}/kurant.lock`;
  using lock = lockStore(path);
  await Deno.remove(path);
  using other = await Deno.open(path, { write: true, create: true });
  assertEquals(await other.tryLock(true), true);
  assertEquals(lock.verify(), "lost");
});
