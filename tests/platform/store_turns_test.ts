import assert from "node:assert/strict";
import fc from "fast-check";
import { beginWrite, transact, transactVersioned } from "../../src/platform/store/kv.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { StoreTurns } from "../../src/platform/store/store_turns.ts";

const workspace = (n: number) => Uint8Array.from({ length: 12 }, () => n);
const flush = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

/** Calls that end when they are told to, and the names of those that were handed over. */
function desk() {
  const clock = { nowMs: 0 };
  const turns = new StoreTurns(() => clock.nowMs);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: number, name: string) =>
    turns.pass(["p", workspace(owner), name], () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string, tookMs = 1) => {
    clock.nowMs += tookMs;
    ends.get(name)!();
    await flush();
  };
  return { ask, end, begun };
}

Deno.test("a store gets few calls at a time, and one that comes late from elsewhere is next", async () => {
  const { ask, end, begun } = desk();
  const flood = Array.from({ length: 1_000 }, (_, n) => ask(1, `flood ${n}`));
  const late = ask(2, "late");
  await flush();
  assert.deepEqual(begun, ["flood 0", "flood 1", "flood 2", "flood 3"]);
  await end("flood 0");
  assert.deepEqual(begun.slice(4), ["flood 4"], "nobody else was there");
  await end("flood 1");
  assert.deepEqual(begun.slice(5), ["late"], "and not after a thousand");
  await end("late");
  await late;
  for (let n = 2; n < 1_000; n++) await end(`flood ${n}`);
  await Promise.all(flood);
});

Deno.test("who asks for dear calls is served as long as who asks for cheap ones, not as often", async () => {
  const { ask, end, begun } = desk();
  for (let n = 0; n < 4; n++) ask(0, `first ${n}`);
  for (let n = 0; n < 200; n++) {
    ask(1, `dear ${n}`);
    ask(2, `cheap ${n}`);
  }
  await flush();
  // One after the other, so that each is known to take what it takes.
  for (let n = 0; n < 3; n++) await end(`first ${n}`, 0);
  for (let n = 4; n < 200; n++) {
    const name = begun[n - 1]!;
    await end(name, name.startsWith("dear") ? 10 : 1);
  }
  const served = begun.slice(4, 200);
  const dear = served.filter((name) => name.startsWith("dear")).length;
  assert.ok(dear >= 15 && dear <= 40, `${dear} dear calls among ${served.length}`);
});

Deno.test("whatever comes is handed over once, at most four at a time, in the order of its workspace", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))),
      async (asked) => {
        const turns = new StoreTurns(() => 0);
        let inHand = 0;
        const served: [number, number][] = [];
        await Promise.all(
          asked.map(([owner, rests], n) =>
            turns.pass(["p", workspace(owner)], async () => {
              served.push([owner, n]);
              assert.ok(++inHand <= 4);
              for (let rest = 0; rest < rests; rest++) await Promise.resolve();
              inHand--;
            })
          ),
        );
        assert.equal(served.length, asked.length);
        for (const owner of [0, 1, 2, 3]) {
          const own = served.filter(([of]) => of === owner).map(([, n]) => n);
          assert.deepEqual(own, own.toSorted((a, b) => a - b));
        }
      },
    ),
  );
});

Deno.test("a call that fails gives its place back", async () => {
  const turns = new StoreTurns();
  const failing = Array.from(
    { length: 20 },
    () => turns.pass([], () => Promise.reject(new Error("the store is away"))),
  );
  const outcomes = await Promise.allSettled(failing);
  assert.ok(outcomes.every(({ status }) => status === "rejected"));
  assert.equal(await turns.pass([], () => Promise.resolve("next")), "next");
});

Deno.test("by a real file: reads, lists and commits of one workspace do not wait for a thousand of another", async () => {
  await using dir = await temporaryFolder();
  const store = await openStoreFile(`${dir.path}/kurant.db`, 5_000);
  try {
    const rows = Array.from({ length: 500 }, (_, n) => n);
    await transact({ store }, (write) => {
      for (const n of rows) write.set(["p", workspace(1), n], new Uint8Array(500));
      write.set(["p", workspace(2), 0], "here");
      return Promise.resolve();
    });
    const order: string[] = [];
    const flood = rows.map(async (n) => {
      await store.kv.get(["p", workspace(1), n]);
      order.push("flood");
    });
    const get = store.kv.get(["p", workspace(2), 0]).then(() => order.push("get"));
    const list = Array.fromAsync(store.kv.list({ prefix: ["p", workspace(2)] }))
      .then((found) => order.push(`list of ${found.length}`));
    const write = beginWrite({ store });
    const commit = transactVersioned({ store }, (mine) => {
      mine.set(["p", workspace(2), 1], "there");
      return Promise.resolve();
    }, { begun: write }).then(() => order.push("commit"));
    await Promise.all([...flood, get, list, commit]);
    for (const name of ["get", "list of 1", "commit"]) {
      const at = order.indexOf(name);
      assert.ok(at >= 0 && at < 100, `${name} came as number ${at} of ${order.length}`);
    }
  } finally {
    store.kv.close();
  }
});

Deno.test("an iterator waits for its turn once per batch, and finds every row", async () => {
  await using dir = await temporaryFolder();
  const store = await openStoreFile(`${dir.path}/kurant.db`, 5_000);
  try {
    await transact({ store }, (write) => {
      for (let n = 0; n < 700; n++) write.set(["p", workspace(1), n], n);
      return Promise.resolve();
    });
    for (const options of [{}, { batchSize: 7 }, { limit: 650 }, { limit: 650, batchSize: 100 }]) {
      const found = await Array.fromAsync(
        store.kv.list<number>({ prefix: ["p", workspace(1)] }, options),
      );
      assert.deepEqual(
        found.map(({ value }) => value),
        Array.from({ length: options.limit ?? 700 }, (_, n) => n),
      );
    }
  } finally {
    store.kv.close();
  }
});

async function temporaryFolder() {
  const path = await Deno.makeTempDir();
  return {
    path,
    async [Symbol.asyncDispose]() {
      await Deno.remove(path, { recursive: true });
    },
  };
}
