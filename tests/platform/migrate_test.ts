import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { MIGRATION_STEPS } from "../../src/app/commands/store_access.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import {
  EARLIER_LAYOUTS,
  findLayout,
  LAYOUT,
  migrateStore,
  type MigrationSetup,
  type MigrationStep,
  PRE_RELEASE_LAYOUT,
} from "../../src/platform/store/open_store.ts";
import { openMemoryStore } from "../memory_store.ts";

const ROWS = 25;
const ROWS_PER_COMMIT = 10;

/** Doubles each number, ten rows per commit. */
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

/** Opens a store with numbered rows and the layout before the current one. */
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

/** Requires that each number is `times` as large as at the beginning. */
async function requireTimes(times: 1 | 2, { kv }: Store): Promise<void> {
  const numbers = await Array.fromAsync(kv.list({ prefix: ["row"] }), ({ value }) => value);
  assertEquals(numbers, Array.from({ length: ROWS }, (_, n) => (n + 1) * times));
}

Deno.test("a store of any earlier layout takes the same steps", () => {
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
