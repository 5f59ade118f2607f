import assert from "node:assert/strict";
import { transact, transactVersioned } from "../../src/platform/store/kv.ts";
import { openStoreIn } from "../closing_store.ts";
import { inFolder } from "../temporary_folder.ts";

inFolder.test("a read does not wait for earlier commits", async (folder) => {
  using store = await openStoreIn(folder.path);
  const write = (n: number) =>
    transact({ store }, (write) => {
      for (let row = 0; row < 20; row++) write.set(["x", n, row], new Uint8Array(2_000));
      return Promise.resolve();
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
  assert.equal(rows.length, 20);
  assert.ok(before < 100, `${before} of 200 commits came first`);
});

inFolder.test("a read after an acknowledged commit sees it, even while expired rows are swept", async (folder) => {
  using store = await openStoreIn(folder.path);
  let version: string | null = null;
  for (let n = 1; n <= 500; n++) {
    const { versionstamp } = await transactVersioned({ store }, (write) => {
      write.check(["n"], version);
      write.set(["n"], n);
      write.set(["passing", n], "soon gone", 1);
      return Promise.resolve();
    });
    const [got, listed] = await Promise.all([
      store.kv.get(["n"]),
      Array.fromAsync(store.kv.list({ start: ["n"], end: ["o"] })),
    ]);
    assert.equal(got.value, n);
    assert.equal(got.versionstamp, versionstamp);
    assert.equal(listed[0]?.value, n);
    version = versionstamp;
  }
});
