import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { MIGRATIONS } from "../../src/app/composition/migrations.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { findLayout, LAYOUT, PRE_RELEASE_LAYOUT } from "../../src/platform/store/layout_store.ts";
import {
  migrateStore,
  type Migration,
  type MigrationSetup,
} from "../../src/platform/store/migrate.ts";
import { openMemoryStore } from "../memory_store.ts";

const ROWS = 25;
const ROWS_PER_COMMIT = 10;

/** Writes twice each number of the old rows next to it, ten rows per commit. */
function doubling(onCommit: (place: number) => void = () => {}): Migration {
  return {
    from: PRE_RELEASE_LAYOUT,
    to: LAYOUT,
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

/** A store of the layout before the current one, with numbered rows. */
async function olderStore(kind: Store["kind"] = "memory"): Promise<Store> {
  const store: Store = { ...await openMemoryStore(), kind };
  await store.kv.set(["schema"], PRE_RELEASE_LAYOUT);
  for (let n = 0; n < ROWS; n++) await store.kv.set(["row", n], n + 1);
  return store;
}

function setup(more: Partial<MigrationSetup>): MigrationSetup {
  return {
    migrations: [doubling()],
    owner: "one",
    now: () => new Date(),
    backUp: null,
    say: () => {},
    ...more,
  };
}

async function numbersOf({ kv }: Store): Promise<number[]> {
  return (await Array.fromAsync(kv.list<number>({ prefix: ["row"] }))).map(({ value }) => value);
}

const DOUBLED = Array.from({ length: ROWS }, (_, n) => (n + 1) * 2);

Deno.test("every known earlier layout has one migration, to a later one", () => {
  const steps = [[PRE_RELEASE_LAYOUT, 1], [1, 10], [10, LAYOUT]];
  assertEquals(MIGRATIONS.map(({ from, to }) => [from, to]), steps);
});

Deno.test("migrateStore() changes every row once, and stores the layout with the last commit", async () => {
  const store = await olderStore();
  const places: number[] = [];
  const said: string[] = [];
  await migrateStore(
    store,
    setup({ migrations: [doubling((at) => places.push(at))], say: (s) => said.push(s) }),
  );
  assertEquals(places, [0, 10, 20]);
  assertEquals(await numbersOf(store), DOUBLED);
  const { layout, progress } = await findLayout(store);
  assertEquals([layout, progress], [LAYOUT, null]);
  assertEquals(said, [`The store gets layout ${LAYOUT}: numbers are doubled`]);
  await migrateStore(store, setup({ migrations: [] }));
  store.kv.close();
});

Deno.test("an interrupted migration continues where it was, without a second backup", async () => {
  const store = await olderStore();
  const backups: number[] = [];
  const backUp = () => Promise.resolve(`copy ${backups.push(LAYOUT)}`);
  const breaking = doubling((place) => {
    if (place === 20) throw new Error("the process dies");
  });
  await rejects(migrateStore(store, setup({ migrations: [breaking], backUp })), /dies/);
  assertEquals((await findLayout(store)).layout, PRE_RELEASE_LAYOUT);
  await migrateStore(store, setup({ owner: "two", backUp }));
  assertEquals(await numbersOf(store), DOUBLED);
  assertEquals(backups, [LAYOUT]);
  store.kv.close();
});

Deno.test("an upgrade over several layouts takes one backup, however often it is interrupted", async () => {
  const store = await olderStore();
  await store.kv.set(["schema"], 7);
  const backups: string[] = [];
  const backUp = () => Promise.resolve(`copy ${backups.push("before")}`);
  const done: number[] = [];
  const steps = [[7, 8], [8, 9], [9, LAYOUT]] as const;
  let isAlive = false;
  // The process dies once in the first commit of each step.
  const stepOf = ([from, to]: typeof steps[number]): Migration => ({
    from,
    to,
    what: "a step",
    advance() {
      isAlive = !isAlive;
      if (isAlive) throw new Error("the process dies");
      done.push(to);
      return Promise.resolve(null);
    },
  });
  const migrations = steps.map(stepOf);
  for (const [n] of steps.entries()) {
    await rejects(migrateStore(store, setup({ owner: `${n}`, migrations, backUp })), /dies/);
  }
  await migrateStore(store, setup({ owner: "last", migrations, backUp }));
  assertEquals([done, backups], [steps.map(([, to]) => to), ["before"]]);
  const { layout, progress } = await findLayout(store);
  assertEquals([layout, progress], [LAYOUT, null]);
  store.kv.close();
});

Deno.test("without a backup nothing is changed", async () => {
  const store = await olderStore();
  const backUp = () => Promise.reject(new Error("no room"));
  await rejects(migrateStore(store, setup({ backUp })), /no room/);
  assertEquals(await numbersOf(store), Array.from({ length: ROWS }, (_, n) => n + 1));
  assertEquals((await findLayout(store)).progress, null);
  store.kv.close();
});

Deno.test("on a shared store one process migrates and the others wait for it", async () => {
  const store = await olderStore("remote");
  const commits: string[] = [];
  const by = (owner: string) =>
    migrateStore(
      store,
      setup({ owner, migrations: [doubling((at) => commits.push(`${owner} ${at}`))] }),
    );
  await Promise.all(["one", "two", "three"].map(by));
  assertEquals(await numbersOf(store), DOUBLED);
  assertEquals(new Set(commits.map((commit) => commit.split(" ")[0])).size, 1, commits.join());
  store.kv.close();
});

Deno.test("on a shared store a process that claims a finished migration does nothing", async () => {
  const store = await olderStore("remote");
  const slow = setup({
    owner: "slow",
    async backUp() {
      await migrateStore(store, setup({ owner: "quick" }));
      return "copy";
    },
  });
  await migrateStore(store, slow);
  assertEquals(await numbersOf(store), DOUBLED);
  store.kv.close();
});

Deno.test("on a shared store the migration of a dead process is taken over after its lease, and its late commits fail", async () => {
  const store = await olderStore("remote");
  let nowMs = 1_000_000;
  const now = () => new Date(nowMs);
  const stalled = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const slow: Migration = {
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
  const first = migrateStore(store, setup({ owner: "slow", now, migrations: [slow] }));
  await stalled.promise;
  nowMs += 31_000;
  await migrateStore(store, setup({ owner: "next", now }));
  resumed.resolve();
  await first;
  assertEquals(await numbersOf(store), DOUBLED);
  store.kv.close();
});

Deno.test("a layout without a migration is refused", async () => {
  const store = await olderStore();
  await rejects(migrateStore(store, setup({ migrations: [] })), /too old to migrate/);
  await store.kv.set(["schema"], LAYOUT + 1);
  await rejects(migrateStore(store, setup({})), /use a newer version/);
  // The very first layout has the same number as the first release, but no `born` mark.
  await store.kv.set(["schema"], 1);
  await store.kv.delete(["born"]);
  await rejects(migrateStore(store, setup({})), /too old to migrate/);
  ok((await numbersOf(store)).every((number, n) => number === n + 1));
  store.kv.close();
});
