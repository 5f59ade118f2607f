import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import {
  isPlain,
  keyHex,
  keyOfHex,
  lastBytesOf,
  lastTextOf,
  openDirectReads,
  partsOfHex,
  type PlainKey,
} from "../../src/platform/store/direct_reads.ts";
import { type Store, transact, transactVersioned } from "../../src/platform/store/kv.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { replaceMethod } from "../../src/platform/store/store_trouble.ts";
import {
  countRows,
  getBytes,
  getBytesAt,
  lastBytes,
  listBytes,
  listTextRows,
  walkBytes,
} from "../../src/platform/store/rows.ts";
import { copyLiveFile, flushFile, openFileToRead } from "../../src/platform/store/store_file.ts";
import { testWith } from "../opened.ts";
import { keepLog } from "../kept_log.ts";
import { inFolder, temporaryFolder } from "../temporary_folder.ts";
import { extent } from "../proof.ts";

const BUSY_MS = 5_000;

async function openFileStore() {
  const folder = await temporaryFolder();
  const path = `${folder.path}/kurant.db`;
  const store = await openStoreFile(path, BUSY_MS);
  return {
    store,
    path,
    async [Symbol.asyncDispose]() {
      store.kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Omits `direct`, so that Deno KV's own engine reads the rows. */
const byEngine = ({ kv, kind, busyMs }: Store): Store => ({ kv, kind, busyMs });

async function readByBoth<T>(store: Store, read: (from: Store) => Promise<T>): Promise<T> {
  const found = await read(store);
  assertEquals(found, await read(byEngine(store)));
  return found;
}

function partOf(n: number): Uint8Array {
  const part = new Uint8Array(12);
  new DataView(part.buffer).setUint32(8, n);
  return part;
}

const hexOf = (n: number): string => partOf(n).toHex();

async function fill(store: Store, count: number, bytes: number): Promise<void> {
  for (let first = 0; first < count; first += 10) {
    await transact({ store }, (write) => {
      for (let n = first; n < Math.min(count, first + 10); n++) {
        write.set(["x", 1, partOf(n)], new Uint8Array(bytes).fill(n));
      }
    });
  }
}

async function walk(store: Store, limit: number): Promise<number> {
  let [rows, length, after]: [number, number, string | null] = [0, limit, null];
  while (length === limit) {
    const page = await listBytes(store, ["x", 1], after, limit);
    length = page.length;
    rows += length;
    after = page.at(-1)?.part ?? after;
  }
  return rows;
}

function countAsked({ kv }: Store) {
  const asked = { get: 0, list: 0 };
  for (const name of ["get", "list"] as const) {
    const method = kv[name];
    replaceMethod(kv, name, (...args: unknown[]) => {
      asked[name]++;
      return Reflect.apply(method, kv, args);
    });
  }
  return asked;
}

const walkDirectly = (direct: Store["direct"], prefix: PlainKey) =>
  direct?.walk(prefix, { after: null }, 10, lastBytesOf);

const withFile = testWith(openFileStore);

withFile.test("both readers return the same single rows, including missing and newest ones", async (opened) => {
  const { store } = opened;
  await fill(store, 3, 20);
  const keys = [["x", 1, partOf(2)], ["y", partOf(0)], ["x", 1, partOf(0)]];
  const found = await readByBoth(store, (from) => getBytesAt(from, keys));
  assertEquals(found.map((row) => row?.value[0] ?? null), [2, null, 0]);
  assertEquals(await store.direct?.at(keys), found);
  for (let n = 0; n < 50; n++) {
    await transact(opened, (write) => write.set(["y", partOf(0)], Uint8Array.of(n)));
    const [row] = await getBytesAt(store, [["y", partOf(0)]]);
    assertEquals(row?.value, Uint8Array.of(n));
  }
});

withFile.test("both readers count the same rows under a prefix, whatever they contain, up to a limit", async (opened) => {
  const { store } = opened;
  await fill(store, 25, 10);
  await transact(opened, (write) => {
    write.set(["x", 1, partOf(30), "deeper"], { an: "object" });
    write.set(["x", 2, partOf(1)], "another prefix");
    write.set(["x", 1], "the prefix itself");
  });
  for (const [max, expected] of [[1_000, 26], [26, 26], [7, 7]] as const) {
    assertEquals(await readByBoth(store, (from) => countRows(from, ["x", 1], max)), expected);
    assertEquals(await store.direct?.count(["x", 1], max), expected);
  }
  assertEquals(await countRows(store, ["z"], 5), 0);
  await transact(opened, (write) => write.delete(["x", 1, partOf(0)]));
  assertEquals(await countRows(store, ["x", 1], 1_000), 25);
});

withFile.test("both readers return the same lists and sets of rows, with keys of bytes and texts, in any range", async ({ store }) => {
  const part = fc.array(fc.constantFrom(0, 1, 254, 255), { maxLength: 3 })
    .map((values) => Uint8Array.from(values));
  const text = fc.array(fc.constantFrom("A", "b", "ü", "\u0001", "𝄞", "\ufeff"), { maxLength: 3 })
    .map((parts) => parts.join(""));
  const prefixes: PlainKey[] = [["x"], ["x", 1], ["x", Uint8Array.of(0), -7], ["y", "ü"]];
  const prefix = fc.constantFrom(...prefixes);
  const value = fc.uint8Array({ maxLength: 40 });
  const given = fc.record({
    rows: fc.array(fc.record({ prefix, part, value }), { minLength: 1, maxLength: 40 }),
    texts: fc.array(fc.tuple(text, value), { minLength: 1, maxLength: 40 }),
    below: prefix,
    after: fc.option(fc.record({ part, text })),
    limit: fc.integer({ min: 1, max: 30 }),
    wanted: fc.array(part, { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, texts, below, after, limit, wanted }) => {
      for await (const { key } of store.kv.list({ prefix: [] })) await store.kv.delete(key);
      const withTexts = ["texts", ...below];
      await transact({ store }, (write) => {
        for (const { prefix, part, value } of rows) write.set([...prefix, part], value);
        for (const [text, value] of texts) write.set([...withTexts, text], value);
        write.set([...withTexts.slice(0, -1), "z"], Uint8Array.of(9));
      });
      const found = await readByBoth(store, async (from) => ({
        list: await listBytes(from, below, after?.part.toHex() ?? null, limit),
        walk: await Array.fromAsync(walkBytes(from, below)),
        set: await getBytes(from, below, wanted.map((part) => part.toHex())),
        texts: (await listTextRows(from, withTexts, after?.text ?? null, limit))
          .map(({ part, value }) => [part, value]),
      }));
      const behind = { after: after && [after.text] };
      const direct = await store.direct?.walk(withTexts, behind, limit, lastTextOf);
      assertEquals(direct?.length, found.texts.length);
    }),
    { numRuns: extent(60, 20) },
  );
});

withFile.test("both readers return the same last rows, between any two bounds", async ({ store }) => {
  const place = fc.tuple(fc.integer({ min: -3, max: 300 }), fc.constantFrom(0, 1, 9).map(partOf));
  await transact({ store }, (write) => {
    for (let n = 0; n < 300; n++) write.set(["t", partOf(1), n, partOf(n % 3)], Uint8Array.of(n));
    write.set(["t", partOf(0), 5], Uint8Array.of(1));
    write.set(["t", partOf(2), 5], Uint8Array.of(2));
  });
  const edge = fc.oneof(place, place.map(([n]) => [n]));
  await fc.assert(
    fc.asyncProperty(edge, edge, fc.integer({ min: 1, max: 200 }), async (one, other, limit) => {
      const [from, before] = keyHex(one) < keyHex(other) ? [one, other] : [other, one];
      const told = await readByBoth(
        store,
        (reader) => lastBytes(reader, ["t", partOf(1)], { from, before }, limit),
      );
      const bounds = { after: from, before };
      const rows = await store.direct?.walk(["t", partOf(1)], bounds, limit, partsOfHex);
      assertEquals(rows?.length, told.length);
    }),
    { numRuns: extent(60, 20) },
  );
  assertEquals((await lastBytes(store, ["t", partOf(1)], { before: [1e9] }, 500)).length, 300);
});

withFile.test("long lists and sets are read in several statements", async ({ store }) => {
  await fill(store, 700, 3_000);
  const wanted = Array.from({ length: 900 }, (_, n) => hexOf(n * 7 % 900));
  for (const limit of [63, 64, 65, 128, 700, 1_000, 64.5]) {
    const rows = await listBytes(byEngine(store), ["x", 1], hexOf(3), 1_000);
    const direct = await listBytes(store, ["x", 1], hexOf(3), limit);
    assertEquals(direct, rows.slice(0, Math.ceil(limit)));
  }
  await readByBoth(store, (from) => getBytes(from, ["x", 1], wanted));
});

withFile.test("2,000 reads after an acknowledged commit see it, and delay no checkpoint", async ({ store, path }) => {
  for (let n = 1; n <= 1_000; n++) {
    const value = Uint8Array.of(n >> 8, n & 255);
    const { versionstamp } = await transactVersioned({ store }, (write) => {
      write.set(["x", 1, partOf(1)], value);
      write.set(["passing", n], "soon gone", 1);
    });
    const expected = [{ part: hexOf(1), value, versionstamp }];
    assertEquals(await listBytes(store, ["x", 1], null, 10), expected);
    assertEquals(await getBytes(store, ["x", 1], [hexOf(1)]), expected);
  }
  using other = new DatabaseSync(path, { timeout: BUSY_MS });
  const [done] = other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  assertEquals({ ...done }, { busy: 0, log: 0, checkpointed: 0 });
});

withFile.test("a page is read without the engine; a walk waits for the engine once every 500 rows", async ({ store }) => {
  await fill(store, 2_000, 100);
  const asked = countAsked(store);
  await listBytes(store, ["x", 1], null, 100);
  assertEquals(asked, { get: 0, list: 0 });
  assertEquals(await walk(store, 200), 2_000);
  ok(asked.get >= 3, `${asked.get} yields`);
  assertEquals(await walk(store, 1_000), 2_000);
  ok(asked.get >= 6, `${asked.get} yields`);
  // Rows that are read by key count as more work than rows of a walk.
  await getBytes(store, ["x", 1], Array.from({ length: 1_000 }, (_, n) => hexOf(n)));
  ok(asked.get >= 12, `${asked.get} yields`);
  for (let n = 0; n < 1_000; n++) await getBytes(store, ["nothing"], [hexOf(n)]);
  ok(asked.get >= 18, `${asked.get} yields`);
  assertEquals(asked.list, 0);
});

withFile.test("a walk over large rows waits for the engine once per megabyte", async ({ store }) => {
  await fill(store, 300, 60_000);
  const asked = countAsked(store);
  assertEquals(await walk(store, 1_000), 300);
  // The walk makes five reads of up to 64 rows (3.8 MB), and waits between them.
  ok(asked.get >= 4, `${asked.get} yields`);
});

withFile.test("many walks that wait for the engine share one call, so that other calls are answered soon", async ({ store }) => {
  await fill(store, 500, 10);
  const state = { pages: 0, isOver: false };
  const readers = Array.from({ length: 16 }, async () => {
    while (!state.isOver) {
      await listBytes(store, ["x", 1], null, 500);
      state.pages++;
    }
  });
  while (state.pages < 32) await store.kv.get(["y"]);
  const before = state.pages;
  const asked = 50;
  for (let n = 0; n < asked; n++) await store.kv.get(["y"]);
  const pages = state.pages - before;
  state.isOver = true;
  await Promise.all(readers);
  ok(pages < 5 * asked, `${pages} pages of 500 rows beside ${asked} answers of the engine`);
});

withFile.test("values other than bytes and deeper keys are read by the engine", async ({ store }) => {
  await store.kv.set(["x", 1, partOf(1)], new Uint8Array(3));
  await store.kv.set(["x", 1, partOf(2)], { some: "object" });
  await store.kv.set(["y", 1, partOf(1), partOf(2)], new Uint8Array(3));
  const { versionstamp } = await store.kv.set(["z", 1, "text"], new Uint8Array(3));
  for (const prefix of [["x", 1], ["y", 1], ["z", 1]]) {
    assertEquals(await walkDirectly(store.direct, prefix), null);
  }
  assertEquals(await store.direct?.at([["x", 1, partOf(1)], ["x", 1, partOf(2)]]), null);
  assertEquals((await store.direct?.at([["x", 1, partOf(1)]]))?.length, 1);
  const texts = await listTextRows(store, ["z", 1], null, 10);
  assertEquals(texts, [{ part: "text", value: new Uint8Array(3), versionstamp }]);
  const rows = await listBytes(store, ["x", 1], null, 10);
  assertEquals(rows.map(({ value }) => value), [new Uint8Array(3), { some: "object" }]);
});

Deno.test("a closed store refuses reads, also direct ones, and commits", async () => {
  const opened = await openFileStore();
  await opened.store.kv.set(["x", 1, partOf(1)], new Uint8Array(3));
  await opened[Symbol.asyncDispose]();
  await rejects(listBytes(opened.store, ["x", 1], null, 10));
  await rejects(getBytes(opened.store, ["x", 1], [hexOf(1)]));
  await rejects(opened.store.kv.get(["n"]));
  await rejects(transact(opened, (write) => write.set(["n"], 1)));
});

const OBSTACLES: readonly (readonly [name: string, sql: string, says: RegExp])[] = [
  ["a newer engine's tables", "UPDATE migration_state SET version = 4", /tables are not those/],
  ["another table of rows", "ALTER TABLE kv RENAME COLUMN version TO other", /cannot be read/],
  ["versions in another form", "UPDATE kv SET version = version + 1", /other rows than the engine/],
  ["another mark of bytes", "UPDATE kv SET v_encoding = 4 WHERE v_encoding = 3", /other rows than/],
];

for (const [name, sql, says] of OBSTACLES) {
  withFile.test(`${name} are left to the engine, with a log message`, async (opened) => {
    await fill(opened.store, 3, 10);
    using log = keepLog();
    const path = `${opened.path}.strange`;
    {
      using file = new DatabaseSync(opened.path);
      file.exec(`VACUUM INTO '${path}'`);
    }
    using strange = new DatabaseSync(path);
    strange.exec(sql);
    const direct = await openDirectReads(path, opened.store.kv);
    match(direct.whyOff ?? "", says);
    assertEquals(await walkDirectly(direct, ["x", 1]), null);
    assertEquals(log.text().match(says)?.length, 1, log.text());
  });
}

withFile.test("a file that another process locks is read by the engine meanwhile, without a log message", async ({ store, path }) => {
  await fill(store, 10, 100);
  using log = keepLog();
  const copy = `${path}.copy`;
  await copyLiveFile(path, copy);
  await flushFile(copy);
  {
    using file = openFileToRead(copy);
    assertEquals(Object.values(file.prepare("PRAGMA busy_timeout").get() ?? {}), [0]);
  }
  const direct = await openDirectReads(copy, store.kv);
  {
    using holder = new DatabaseSync(copy);
    holder.exec("BEGIN EXCLUSIVE");
    assertEquals(await walkDirectly(direct, ["x", 1]), null);
  }
  assertEquals((await walkDirectly(direct, ["x", 1]))?.length, 10);
  assertEquals(log.text(), "");
});

withFile.test("a damaged file is logged once, and the caller gets the engine's error", async ({ store, path }) => {
  await fill(store, 400, 10_000);
  {
    using file = new DatabaseSync(path);
    file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    using bytes = await Deno.open(path, { write: true });
    const { size } = await bytes.stat();
    for (let at = 5 * 16_384; at < size; at += 16_384) {
      await bytes.seek(at, Deno.SeekMode.Start);
      await bytes.write(new Uint8Array(4_096).fill(0xff));
    }
  }
  using log = keepLog();
  const refusal = await listBytes(store, ["x", 1], null, 400).catch((error: unknown) => error);
  await listBytes(store, ["x", 1], null, 400).catch((error: unknown) => error);
  ok(refusal instanceof Error, "the rows were read from memory");
  const expected = ["StoreTrouble", "database disk image is malformed"];
  assertEquals([refusal.name, refusal.message], expected);
  assertEquals(log.text().match(/was not read directly/g)?.length, 1, log.text());
});

/** Half of these use six characters, so many keys begin alike. Some are not valid Unicode. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "\0", "ÿ", "\ud800", "😀"), maxLength: 4 }),
  fc.string({ maxLength: 10 }),
);
const bytes = fc.oneof(
  fc.array(fc.constantFrom(0, 1, 2, 254, 255), { maxLength: 4 })
    .map((values) => Uint8Array.from(values)),
  fc.uint8Array({ minLength: 12, maxLength: 13 }),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1, -1, 2 ** 53, Infinity, -Infinity, Number.MIN_VALUE),
);
const keys: fc.Arbitrary<PlainKey> = fc.array(fc.oneof(texts, bytes, numbers), {
  minLength: 1,
  maxLength: 4,
});

inFolder.test("keyHex() gives the bytes that the engine stores, in the order of its lists", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  using kv = await Deno.openKv(path);
  using file = new DatabaseSync(path, { timeout: 5_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 30 }), async (all) => {
      file.exec("DELETE FROM kv");
      const operation = kv.atomic();
      for (const key of all) operation.set([...key], new Uint8Array());
      await operation.commit();
      const stored = file.prepare("SELECT lower(hex(k)) AS k FROM kv ORDER BY k").all()
        .map(({ k }) => String(k));
      const expected = new Set(all.map((key) => keyHex(key)));
      assertEquals(stored, [...expected].sort());
      const listed = await Array.fromAsync(kv.list({ start: [], end: [true] }));
      assertEquals(listed.map(({ key }) => isPlain(key) && keyHex(key)), stored);
    }),
    { numRuns: 100 },
  );
});

Deno.test("partsOfHex() finds the parts that keyHex() wrote", () => {
  fc.assert(fc.property(keys, (key) => {
    const parts = key.map((part) =>
      part instanceof Uint8Array
        ? part.toHex()
        : typeof part === "string"
        ? part.toWellFormed()
        : part
    );
    assertEquals(partsOfHex(keyHex(key)), parts);
    assertEquals(keyHex(keyOfHex(keyHex(key))), keyHex(key));
  }));
});
