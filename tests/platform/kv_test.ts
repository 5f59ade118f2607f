import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { Failure } from "../../src/base/failure.ts";
import { transact, transactVersioned, type Write } from "../../src/platform/store/kv.ts";
import { DatabaseSync } from "node:sqlite";
import { openStore, storeFile } from "../../src/platform/store/open_store.ts";
import { withStore } from "../memory_store.ts";
import { watchedStore } from "../watched_store.ts";
import { StoreTrouble } from "../../src/platform/store/store_trouble.ts";
import { inFolder } from "../temporary_folder.ts";

withStore.test("transact() gives up with conflict when every race is lost", async (store) => {
  const lost = transact({ store }, async (write) => {
    write.check(["row"], "00000000000000000001");
    write.set(["row"], await Promise.resolve(1));
  });
  await rejects(lost, (error) => error instanceof Failure && error.code === "conflict");
});

withStore.test("transact() commits nothing when the work wrote nothing", async (store) => {
  const { versionstamp } = await transactVersioned({ store }, () => Promise.resolve("read only"));
  assertEquals(versionstamp, null);
});

withStore.test("transact() refuses on every store what a remote one would refuse", async (store) => {
  const cases: [name: string, count: number, add: (write: Write, n: number) => void][] = [
    ["checks", 11, (write, n) => {
      write.set(["row"], 1);
      write.check(["row", n], null);
    }],
    ["mutations", 951, (write, n) => write.set(["row", n], 1)],
    ["bytes", 13, (write, n) => write.set(["row", n], new Uint8Array(60_000))],
    ["bytes of keys", 100, (write, n) => write.set(["row", n, "x".repeat(260)], 1)],
  ];
  for (const [name, count, add] of cases) {
    const commit = transact({ store }, (write) => {
      for (let n = 0; n < count; n++) add(write, n);
    });
    await rejects(commit, /more than every store takes/, `${count} ${name}`);
  }
});

inFolder.test("a store that stays busy fails as unavailable, with the reason only in the log", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const kv = await Deno.openKv(path);
  await kv.set(["row"], 1);
  const other = new DatabaseSync(path);
  other.exec("begin immediate");
  const store = { kv, kind: "file", busyMs: 200 } as const;
  const commit = transact({ store }, async (write) => {
    const { versionstamp } = await kv.get(["row"]);
    write.check(["row"], versionstamp);
    write.set(["row"], 2);
  });
  await rejects(commit, (error) => {
    ok(error instanceof Failure && error.code === "unavailable");
    return /locked|busy/.test(String(error.cause));
  });
  other.exec("rollback");
  other.close();
  kv.close();
});

const WORDS = [
  "the network of shops is not known",
  "cannot fetch the disk",
  "a disk drive without a price",
  "no connection between database and readonly fields",
];

withStore.test("an unexpected error is not treated as store trouble, whatever its message", async (store) => {
  for (const words of WORDS) {
    const watch = { committing: () => Promise.reject(new Error(words)) };
    const commit = transact({ store: watchedStore(store, watch) }, (write) => {
      write.set(["row"], 1);
    });
    await rejects(commit, (error) => !(error instanceof Failure) && String(error).includes(words));
  }
});

inFolder.test("reads and writes of a store in trouble fail as StoreTrouble", async (folder) => {
  const dataDir = folder.path;
  const { kv } = await openStore({ kvUrl: null, dataDir }, 100);
  await kv.set(["row"], 1);
  {
    using other = new DatabaseSync(storeFile(dataDir).kvPath);
    other.exec("begin immediate");
    const busy = (error: unknown) => error instanceof StoreTrouble && error.kind === "busy";
    await rejects(kv.atomic().set(["row"], 2).commit(), busy);
    other.exec("rollback");
    // Without the table `kv`, reads fail with an error that is not a `StoreTrouble`.
    other.exec("drop table kv");
  }
  await rejects(kv.set(["row"], "x".repeat(100_000)), /too large/);
  const list = () => Array.fromAsync(kv.list({ prefix: [] }));
  for (const read of [() => kv.get(["row"]), () => kv.getMany([["row"]]), list]) {
    await rejects(read, (error) => !(error instanceof StoreTrouble));
  }
  kv.close();
});
