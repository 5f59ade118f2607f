import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { Failure } from "../../src/base/failure.ts";
import {
  COMMIT_MAX,
  type Store,
  transact,
  transactVersioned,
  type Write,
} from "../../src/platform/store/kv.ts";
import { DatabaseSync } from "node:sqlite";
import { openStore, storeFile } from "../../src/platform/store/open_store.ts";
import { withStore } from "../memory_store.ts";
import { watchedStore } from "../watched_store.ts";
import { partitionOf, StoreTrouble } from "../../src/platform/store/store_trouble.ts";
import { inFolder } from "../temporary_folder.ts";
import fc from "fast-check";
import { openStoreIn } from "../closing_store.ts";
import { FairQueue } from "../../src/platform/event_loop.ts";
import { nextTurn } from "../patience.ts";

withStore.test("transact() gives up with conflict when every race is lost", async (store) => {
  const lost = transact({ store }, async (write) => {
    write.check(["row"], "00000000000000000001");
    write.set(["row"], await Promise.resolve(1));
  });
  await rejects(lost, { code: "conflict" });
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

withStore.test("an unexpected error is not treated as store trouble, whatever its message", async (store) => {
  const message = "network: cannot fetch the disk, no connection of database and readonly";
  const watch = { committing: () => Promise.reject(new Error(message)) };
  const commit = transact({ store: watchedStore(store, watch) }, (write) => {
    write.set(["row"], 1);
  });
  await rejects(commit, { name: "Error", message });
});

inFolder.test("reads and writes of a store in trouble fail as StoreTrouble; transact() fails as unavailable, with the reason only in the log", async (folder) => {
  const dataDir = folder.path;
  const store = await openStore({ kvUrl: null, dataDir }, 100);
  const { kv } = store;
  await kv.set(["row"], 1);
  {
    using other = new DatabaseSync(storeFile(dataDir).kvPath);
    other.exec("begin immediate");
    const busy = (error: unknown) => error instanceof StoreTrouble && error.kind === "busy";
    await rejects(kv.atomic().set(["row"], 2).commit(), busy);
    const commit = transact({ store }, async (write) => {
      write.check(["row"], (await kv.get(["row"])).versionstamp);
      write.set(["row"], 2);
    });
    await rejects(commit, (error) => {
      ok(error instanceof Failure && error.code === "unavailable");
      return !/locked|busy/.test(error.message) && /locked|busy/.test(String(error.cause));
    });
    other.exec("rollback");
    // A missing table makes reads fail with an error that is not a `StoreTrouble`.
    other.exec("drop table kv");
  }
  await rejects(kv.set(["row"], "x".repeat(100_000)), /too large/);
  const list = () => Array.fromAsync(kv.list({ prefix: [] }));
  for (const read of [() => kv.get(["row"]), () => kv.getMany([["row"]]), list]) {
    await rejects(read, (error) => !(error instanceof StoreTrouble));
  }
  kv.close();
});

const ROW_KEY_BYTES = 15;
const LIMITS = ["checks", "mutations", "keyBytes", "bytes"] as const;

withStore.test("a commit filled to its predicted limits is accepted by the store, and holds the full limits", async (store) => {
  const longKey = (n: number) => ["row", n, "x".repeat(490)];
  const longKeyBytes = ROW_KEY_BYTES + 3 * 490 + 2;
  const value = new Uint8Array(60_000);
  const cases: [limit: typeof LIMITS[number], cost: number, (write: Write, n: number) => void][] = [
    ["checks", 1, (write, n) => write.check(["row", n], null)],
    ["mutations", 1, (write, n) => write.sum(["row", n], 1)],
    ["keyBytes", longKeyBytes, (write, n) => write.delete(longKey(n))],
    ["bytes", 60_000 + ROW_KEY_BYTES, (write, n) => write.set(["row", n], value)],
  ];
  for (const [limit, cost, add] of cases) {
    const added = await transact({ store }, (write) => {
      if (limit === "checks") write.set(["row"], 1);
      let n = 0;
      while (write.fits({ [limit]: cost })) add(write, n++);
      return Promise.resolve(n);
    });
    assertEquals([limit, added], [limit, Math.floor(COMMIT_MAX[limit] / cost)]);
  }
});

const AT_ONCE = 4;

const rowOf = (owner: number, ...rest: Deno.KvKeyPart[]): Deno.KvKey => [
  "p",
  new Uint8Array(12).fill(owner),
  ...rest,
];

/** Simulates a store that serves one call at a time; returns the milliseconds per client kind. */
async function serveClients(
  clients: readonly { readonly kind: string; readonly key: Deno.KvKey; readonly costMs: number }[],
  calls: number,
): Promise<Map<string, number>> {
  const clock = { nowMs: 0 };
  const permits = new FairQueue(AT_ONCE, { nowMs: () => clock.nowMs });
  const line: (() => void)[] = [];
  const took = new Map<string, number>();
  const state = { isOver: false };
  const asking = clients.map(async ({ kind, key, costMs }) => {
    while (!state.isOver) {
      await permits.run(partitionOf(key), () =>
        new Promise<void>((resolve) =>
          line.push(() => {
            clock.nowMs += costMs;
            took.set(kind, (took.get(kind) ?? 0) + costMs);
            resolve();
          })
        ));
    }
  });
  for (let n = 0; n < calls || line.length > 0; n++) {
    if (n === calls) state.isOver = true;
    line.shift()?.();
    for (let hop = 0; hop < 20; hop++) await Promise.resolve();
  }
  await Promise.all(asking);
  return took;
}

const many = <T>(count: number, each: T) => Array.from({ length: count }, () => each);

Deno.test("one client with expensive calls gets no more time than forty with cheap ones", async () => {
  const took = await serveClients([
    { kind: "dear", key: rowOf(1), costMs: 10 },
    ...many(40, { kind: "cheap", key: rowOf(2), costMs: 1 }),
  ], 2_000);
  const [dear = 0, cheap = 0] = [took.get("dear"), took.get("cheap")];
  ok(dear < cheap * 1.2, `${dear} ms for one, ${cheap} for the others`);
});

Deno.test("strangers with random tokens share one partition, instead of one each", async () => {
  let guess = 0;
  const strangers = many(20, 0).map(() => {
    const digest = new Uint8Array(32);
    new DataView(digest.buffer).setUint32(0, ++guess);
    return { kind: "strangers", key: ["s", digest], costMs: 1 };
  });
  const clients = [...strangers, ...many(20, { kind: "workspace", key: rowOf(1), costMs: 1 })];
  const took = await serveClients(clients, 2_000);
  const own = took.get("workspace") ?? 0;
  ok(own > 800, `${own} of 2,000 ms`);
});

Deno.test("every call starts once, at most four at once, in the order of its workspace", async () => {
  const asked = fc.array(fc.tuple(fc.nat(3), fc.nat(3)));
  await fc.assert(fc.asyncProperty(asked, async (calls) => {
    const permits = new FairQueue(AT_ONCE, { nowMs: () => 0 });
    let inFlight = 0;
    let inHandMax = 0;
    const served: [owner: number, n: number][] = [];
    await Promise.all(
      calls.map(([owner, rests], n) =>
        permits.run(partitionOf(rowOf(owner)), async () => {
          served.push([owner, n]);
          inHandMax = Math.max(inHandMax, ++inFlight);
          for (let rest = 0; rest <= rests; rest++) await Promise.resolve();
          inFlight--;
        })
      ),
    );
    assertEquals([served.length, inFlight], [calls.length, 0]);
    assertEquals(inHandMax, Math.min(AT_ONCE, calls.length));
    for (const owner of [0, 1, 2, 3]) {
      const own = served.filter(([of]) => of === owner).map(([, n]) => n);
      assertEquals(own, own.toSorted((a, b) => a - b));
    }
  }));
});

Deno.test("past use without competitors does not count, and a waiting caller may abort", async () => {
  const clock = { nowMs: 0 };
  const permits = new FairQueue(1, { nowMs: () => clock.nowMs });
  const order: string[] = [];
  const ask = (name: string, signal?: AbortSignal) =>
    permits.run(name, () => {
      clock.nowMs += 1_000;
      return Promise.resolve(order.push(name));
    }, signal);
  await Promise.all(Array.from({ length: 10 }, () => ask("first")));
  order.length = 0;
  const leaving = new AbortController();
  const asked = [ask("first"), ask("second"), ask("first"), ask("second", leaving.signal)];
  leaving.abort(new Error("not wanted"));
  const settled = await Promise.allSettled(asked);
  assertEquals(order, ["first", "second", "first"]);
  assertEquals(settled.map(({ status }) => status === "fulfilled"), [true, true, true, false]);
});

Deno.test("a failed call frees its place", async () => {
  const permits = new FairQueue(AT_ONCE);
  const fail = () => Promise.reject(new Error("the store is away"));
  const failing = many(20, 0).map(() => permits.run(partitionOf([]), fail));
  for (const call of failing) await rejects(call, /the store is away/);
  assertEquals(await permits.run(partitionOf([]), () => Promise.resolve("next")), "next");
});

function setRows(store: Store, rows: readonly (readonly [Deno.KvKey, unknown])[]) {
  return transact({ store }, (write) => {
    for (const [key, value] of rows) write.set(key, value);
  });
}

const FLOOD = 500;

inFolder.test("on a real file: a call of one workspace does not wait for hundreds of calls of another", async (folder) => {
  using store = await openStoreIn(folder.path);
  await setRows(store, [[rowOf(2, 0), "here"]]);
  const reads: string[] = [];
  const commits: string[] = [];
  const told = async (order: string[], name: string, call: Promise<unknown>) => {
    await call;
    order.push(name);
  };
  const flood = Array.from({ length: FLOOD }, (_, n) => [
    told(reads, "flood", store.kv.get(rowOf(1, n))),
    told(commits, "flood", setRows(store, [[rowOf(1, n), new Uint8Array(500)]])),
  ]).flat();
  await nextTurn();
  await Promise.all([
    ...flood,
    told(reads, "get", store.kv.get(rowOf(2, 0))),
    told(reads, "list", Array.fromAsync(store.kv.list({ prefix: rowOf(2) }))),
    told(commits, "commit", setRows(store, [[rowOf(2, 1), "there"]])),
  ]);
  for (const [order, name] of [[reads, "get"], [reads, "list"], [commits, "commit"]] as const) {
    // A part of the flood may be served before the other workspace's call arrives.
    const last = order.lastIndexOf("flood");
    const at = order.indexOf(name);
    ok(at >= 0 && at < last - 100, `${name} came as number ${at}, the flood's last as ${last}`);
  }
});

const ROWS = 700;

inFolder.test("a list that waits for a permit finds every row, however it is fetched", async (folder) => {
  using store = await openStoreIn(folder.path);
  const rows = Array.from({ length: ROWS }, (_, n) => n);
  await setRows(store, rows.map((n) => [rowOf(1, n), n] as const));
  const ways: Deno.KvListOptions[] = [
    {},
    { limit: 650 },
    { limit: 10_000 },
    { batchSize: 7 },
    { limit: 650, batchSize: 100 },
  ];
  for (const options of ways) {
    const found = await Array.fromAsync(store.kv.list<number>({ prefix: rowOf(1) }, options));
    assertEquals(found.map(({ value }) => value), rows.slice(0, options.limit));
  }
});
