import {
  deepStrictEqual as assertEquals,
  equal,
  notDeepStrictEqual,
  ok,
  rejects,
  throws,
} from "node:assert/strict";
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { defineTable, type Found } from "../../src/platform/store/table.ts";
import { openMemoryStore, withStore } from "../memory_store.ts";
import { testWith } from "../opened.ts";
import { workspaceNumber } from "./jobs/counting.ts";
import { RowQueue, walkDue, WalkPosition } from "../../src/platform/store/row_queue_store.ts";
import { onEveryStore } from "../stores.ts";
import {
  newSecretKey,
  openBytes,
  openText,
  parseSecretKeys,
  requireStoreSecret,
  sealBytes,
  sealText,
  type StoredSecret,
} from "../../src/platform/store/secret_store.ts";
import { packBytes, unpackBytes } from "../../src/platform/store/rows.ts";
import { randomBytes } from "node:crypto";
import { sha256 } from "../../src/base/bytes.ts";
import { resealRows, secretTroubles } from "../../src/platform/store/table_options.ts";

interface Note {
  readonly shop: string;
  readonly n: number;
  readonly text: string;
  readonly owner: string | null;
  readonly tags: readonly string[];
}

const notes = defineTable<Note, "shop" | "n", "owner" | "tag" | "text">({
  prefix: "nt",
  about: "a note",
  key: { shop: "id", n: "number" },
  version: "ntv",
  indexes: {
    owner: { prefix: "nto", key: { owner: "text" } },
    tag: {
      prefix: "ntt",
      key: { tag: "text" },
      of: ({ tags }) => tags.map((tag) => ({ tag })),
      count: "ntc",
    },
    text: { prefix: "ntx", key: { text: "text" }, value: ({ text }) => text.length },
  },
  keep: { what: "notes", days: 1, isOld: ({ n }) => n === 1 },
});

const [HOME, ELSEWHERE] = [workspaceNumber(1), workspaceNumber(2)];
const shops = [workspaceNumber(11), workspaceNumber(12)];
const WORD = fc.constantFrom("a", "b", "ä", "");

const NOTE = fc.record<Note>({
  shop: fc.constantFrom(...shops),
  n: fc.integer({ min: -2, max: 3 }),
  text: WORD,
  owner: fc.option(WORD),
  tags: fc.uniqueArray(WORD),
}, { noNullPrototype: true });

async function openPlace() {
  const store = await openMemoryStore();
  return { store, workspaceId: HOME, [Symbol.dispose]: () => store.kv.close() };
}

const withPlace = testWith(openPlace);

async function save(place: WorkspaceStore, note: Note): Promise<void> {
  await transact(place, async (write) => {
    notes.save(write, place, await notes.find(place, note), note);
  });
}

async function remove(place: WorkspaceStore, note: Note): Promise<void> {
  await transact(place, async (write) => {
    const found = await notes.find(place, note);
    if (found) notes.remove(write, place, found);
  });
}

const keyOf = ({ shop, n }: Note) => `${shop} ${String(n + 10).padStart(3, "0")}`;
const inOrder = (rows: Iterable<Note>) =>
  [...rows].toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
const rowsOf = (found: readonly Found<Note>[]) => found.map(({ row }) => row);

Deno.test("the rows and indexes of a table follow from all saves and removals", async () => {
  const change = fc.record({ note: NOTE, isSaved: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 25 }), fc.nat(5), async (changes, limit) => {
      using place = await openPlace();
      const model = new Map<string, Note>();
      for (const { note, isSaved } of changes) {
        if (isSaved) model.set(keyOf(note), note);
        else model.delete(keyOf(note));
        await (isSaved ? save : remove)(place, note);
      }
      const all = inOrder(model.values());
      assertEquals(rowsOf(await notes.list(place)), all);
      assertEquals(rowsOf(await notes.list(place, { order: "desc" })), all.toReversed());
      for (const word of ["a", "b", "ä", ""]) {
        const owned = all.filter(({ owner }) => owner === word);
        assertEquals(rowsOf(await notes.listBy(place, "owner", { owner: word })), owned);
        const tagged = all.filter(({ tags }) => tags.includes(word));
        const page = { limit: limit + 1 };
        const first = rowsOf(await notes.listBy(place, "tag", { tag: word }, page));
        const after = first.at(-1) ?? null;
        const rest = rowsOf(await notes.listBy(place, "tag", { tag: word }, { after }));
        assertEquals(first, tagged.slice(0, limit + 1));
        assertEquals([...first, ...after ? rest : []], tagged);
      }
      const tagCount = all.reduce((sum, { tags }) => sum + tags.length, 0);
      assertEquals(await notes.count(place, "tag"), tagCount);
      const within = { shop: shops[1] ?? "" };
      const own = all.filter(({ shop }) => shop === within.shop);
      assertEquals(rowsOf(await notes.list(place, { within })), own);
      const pages = rowsOf(await notes.list(place, { within, after: { n: 0 } }));
      assertEquals(pages, own.filter(({ n }) => n > 0));
      assertEquals(await Array.fromAsync(notes.inconsistencies(place)), []);
      assertEquals(await notes.list({ ...place, workspaceId: ELSEWHERE }), []);
    }),
    { numRuns: 30 },
  );
});

Deno.test("any damage of an index is found, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(NOTE, fc.nat(), fc.boolean(), async (note, choice, isLost) => {
      using place = await openPlace();
      await save(place, note);
      const rows: Deno.KvKey[] = [];
      for (const prefix of ["nto", "ntt", "ntx"]) {
        for await (const { key } of place.store.kv.list({ prefix: [prefix] })) rows.push(key);
      }
      const key = rows[choice % rows.length] ?? [];
      if (isLost) await place.store.kv.delete(key);
      else await place.store.kv.set([...key.slice(0, -1), 99], new Uint8Array());
      const found = await Array.fromAsync(notes.inconsistencies(place));
      assertEquals(found.length, 1);
      await place.store.kv.delete(notes.keyOf(place, note));
      const left = rows.length + (isLost ? -1 : 1) + (note.tags.length > 0 ? 1 : 0);
      assertEquals((await Array.fromAsync(notes.inconsistencies(place))).length, left);
    }),
    { numRuns: 30 },
  );
});

withPlace.test("a row keeps unknown fields, and key fields are only in the key", async (place) => {
  const key = { shop: shops[0] ?? "", n: 7 };
  const row = { n: 7, text: "", owner: null, tags: [], later: 1 };
  await place.store.kv.set(notes.keyOf(place, key), row);
  const found = await notes.find(place, key);
  await transact(place, (write) => {
    if (found) notes.save(write, place, found, { ...found.row, text: "new" });
  });
  const { value } = await place.store.kv.get(notes.keyOf(place, key));
  assertEquals(value, { text: "new", owner: null, tags: [], later: 1 });
});

withPlace.test("a row with a single field besides its key is stored as that field", async (place) => {
  const sizes = defineTable<{ shop: string; bytes: Uint8Array }, "shop">({
    prefix: "ns",
    about: "a size",
    key: { shop: "id" },
    value: "bytes",
  });
  const row = { shop: workspaceNumber(11), bytes: Uint8Array.of(1, 2) };
  await transact(place, (write) => sizes.put(write, place, row));
  assertEquals((await place.store.kv.get(sizes.keyOf(place, row))).value, row.bytes);
  assertEquals((await sizes.list(place)).map((found) => found.row), [row]);
});

withPlace.test("a commit fails when a row or the set of rows has changed since it was read", async (place) => {
  const note: Note = { shop: shops[0] ?? "", n: 1, text: "", owner: null, tags: [] };
  let attempts = 0;
  await transact(place, async (write) => {
    attempts++;
    const version = await notes.version(place);
    const found = await notes.find(place, note);
    if (attempts === 1) await save(place, note);
    if (attempts === 2) await save(place, { ...note, n: 2 });
    notes.checkVersion(write, place, version);
    notes.save(write, place, found, { ...note, text: "mine" });
  });
  assertEquals(attempts, 3);
  assertEquals((await notes.find(place, note))?.row.text, "mine");
});

withPlace.test("rows of a key and expired rows are deleted with their index rows", async (home) => {
  const [one = "", other = ""] = shops;
  const elsewhere = { ...home, workspaceId: ELSEWHERE };
  for (const place of [home, elsewhere]) {
    for (const [n, shop] of [one, other].entries()) {
      await save(place, { shop, n, text: `${n}`, owner: null, tags: ["a"] });
    }
  }
  await notes.clear(home, { shop: one });
  assertEquals(rowsOf(await notes.list(home)).map(({ shop }) => shop), [other]);
  const all = await Array.fromAsync(notes.walkAll(home.store));
  assertEquals(all.map(({ workspaceId }) => workspaceId), [HOME, ELSEWHERE, ELSEWHERE]);
  for (const place of [home, elsewhere]) {
    assertEquals(await notes.sweep(place, new Date(0)), 1);
    assertEquals(await Array.fromAsync(notes.inconsistencies(place)), []);
  }
  assertEquals(rowsOf(await notes.list(elsewhere)).map(({ shop }) => shop), [one]);
});

const NOW_MS = 1_000_000;
const [FLOOD, CALM, LAST] = [workspaceNumber(1), workspaceNumber(2), workspaceNumber(3)];
const RECEIVERS = 1_000;
const receiver = (n: number) => workspaceNumber(RECEIVERS + n);

function openQueue(store: Store, partitionIds: number) {
  const queue = new RowQueue<null>("qq", partitionIds);
  const now = () => new Date(NOW_MS);
  const walking = { store, position: new WalkPosition(), now, backoffMsMax: () => 1_000 };
  let rows = 0;
  return {
    queue,
    async add(partition: readonly string[], count: number, dueMs = NOW_MS) {
      await transact({ store }, (write) => {
        for (let n = 0; n < count; n++) {
          queue.add(write, { partition, id: workspaceNumber(++rows), dueMs, value: null });
        }
      });
    },
    walkRows: (waits: (dueMs: number) => void = () => {}) => walkDue(queue, { ...walking, waits }),
    /** Takes up to `max` rows from the queue; returns their partitions, such as `1` or `1/0`. */
    async walk(max = Infinity): Promise<string[]> {
      const served: string[] = [];
      for await (const row of walkDue(queue, walking)) {
        await transact({ store }, async (write) => {
          const found = await queue.findAgain(store, row);
          if (found) queue.take(write, found);
        });
        const of = row.partition.map((id) =>
          Number(`0x${id}`) - (id === row.partition[0] ? 0 : RECEIVERS)
        );
        if (served.push(of.join("/")) === max) break;
      }
      return served;
    },
  };
}

onEveryStore.test("walkDue() serves workspaces in turn, however many rows one of them has", async (store) => {
  const { add, walk } = openQueue(store, 1);
  await add([FLOOD], 5);
  await add([CALM], 2);
  await add([LAST], 1);
  assertEquals(await walk(), ["1", "2", "3", "1", "2", "1", "1", "1"]);
});

onEveryStore.test("walkDue() continues after the last served partition if a walk ended early, and takes those of a workspace in turn", async (store) => {
  const { add, walk } = openQueue(store, 2);
  for (let n = 0; n < 4; n++) await add([FLOOD, receiver(n)], 2);
  await add([CALM, receiver(9)], 3);
  await add([LAST, receiver(8)], 2);
  const served: string[] = [];
  for (let n = 0; n < 10; n++) served.push(...await walk(1));
  const rounds = ["1/0", "2/9", "3/8", "1/1", "2/9", "3/8", "1/2", "2/9", "1/3", "1/0"];
  assertEquals(served, rounds);
});

onEveryStore.test("walkDue() reports when later rows are due, and keeps rows that are not taken", async (store) => {
  const { add, walkRows } = openQueue(store, 1);
  await add([FLOOD], 2);
  await add([CALM], 1, NOW_MS + 500);
  const waits = new Set<number>();
  const served = await Array.fromAsync(walkRows((dueMs) => waits.add(dueMs)), ({ id }) => id);
  assertEquals([served, [...waits]], [[workspaceNumber(1)], [NOW_MS + 500]]);
});

onEveryStore.test("walkDue() starts after the row at which the last walk failed", async (store) => {
  const { add, walk, walkRows } = openQueue(store, 1);
  await add([FLOOD], 1);
  await add([CALM], 1);
  const breaking = Array.fromAsync(walkRows(), () => Promise.reject(new Error("poison")));
  await rejects(breaking, /poison/);
  assertEquals(await walk(1), ["2"]);
});

onEveryStore.test("listeners of a queue are notified once per commit with rows, and of no other commits", async (store) => {
  const { queue, add } = openQueue(store, 1);
  let heard = 0;
  const end = queue.onAdded(store, () => heard++);
  await add([FLOOD], 3);
  assertEquals(heard, 1);
  const row = { partition: [FLOOD], id: workspaceNumber(99), dueMs: NOW_MS, value: null };
  await rejects(transact({ store }, (write) => {
    queue.add(write, row);
    return Promise.reject(new Error("The work breaks off"));
  }));
  const others = new RowQueue<null>("qr", 1);
  await transact({ store }, (write) => others.add(write, row));
  assertEquals(heard, 1);
  end();
  await add([FLOOD], 1);
  assertEquals(heard, 1);
});

const MAX = 65_536;

Deno.test("unpackBytes() reverses packBytes(), up to the given maximum", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(200)).map(([part, times]) =>
      Uint8Array.from({ length: part.length * times }, (_, n) => part[n % part.length] ?? 0)
    ),
    fc.integer({ min: MAX - 2, max: MAX }).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(fc.property(bytes, (given) => {
    assertEquals(unpackBytes(packBytes(given), MAX), given);
  }));
  const packed = packBytes(new Uint8Array(MAX));
  throws(() => unpackBytes(packed, MAX - 1), RangeError);
});

Deno.test("text is packed to a fraction, and bytes that cannot shrink stay as they are", () => {
  const item = (_: unknown, n: number) => `<ITEM><SKU>K-${n}</SKU><PRICE>1.0${n}</PRICE>`;
  const text = new TextEncoder().encode(Array.from({ length: 900 }, item).join("\n"));
  const packed = packBytes(text);
  ok(!(packed instanceof Uint8Array) && packed.zstd.length < text.length / 4);
  equal(packed.zstd.buffer.byteLength, packed.zstd.length, "all that a store keeps of it");
  const noise = new Uint8Array(randomBytes(MAX));
  assertEquals(packBytes(noise), noise);
});

Deno.test("sealed bytes differ each time, and open only unchanged and with their secret", () => {
  const given = [fc.uint8Array(), fc.string(), fc.string(), fc.nat()] as const;
  fc.assert(fc.property(...given, (bytes, mine, other, place) => {
    const sealed = sealBytes(sha256(mine), bytes);
    notDeepStrictEqual(sealBytes(sha256(mine), bytes), sealed);
    assertEquals([...openBytes(sha256(mine), sealed)], [...bytes]);
    if (mine !== other) throws(() => openBytes(sha256(other), sealed));
    const at = place % sealed.length;
    throws(() => openBytes(sha256(mine), sealed.with(at, sealed[at]! ^ 1)), `byte ${at}`);
  }));
});

interface Account {
  readonly id: string;
  readonly secret: StoredSecret;
  readonly before?: { readonly secret: StoredSecret; readonly until: string };
  readonly auth?: { readonly kind: string } & Exclude<StoredSecret, string>;
}

const accounts = defineTable<Account, "id">({
  prefix: "acc",
  about: "an account",
  key: { id: "id" },
  valueHasKey: true,
  sealed: ["secret", "before.secret", "auth"],
  version: "accv",
});

const ids = Array.from({ length: 20 }, (_, n) => workspaceNumber(100 + n));
const [one, other] = [ids[0]!, ids[1]!];
const [K1, K2] = [keys(newSecretKey()), keys(newSecretKey())];

function keys(text: string) {
  return parseSecretKeys(text) ?? [];
}

onEveryStore.test("a sealed text opens only in its own row and field, and only unchanged", async (store) => {
  const place = { store: { ...store, secretKeys: K1 }, workspaceId: HOME };
  const secret = await accounts.seal(place, { id: one }, "secret", "whsec_x");
  await transact(place, (write) => accounts.save(write, place, null, { id: one, secret }));
  const row = (await accounts.find(place, { id: one }))!.row;
  assertEquals(await accounts.open(place, row, "secret"), "whsec_x");
  const bytes = new TextDecoder("latin1").decode(secret.sealed);
  ok(!bytes.includes("whsec"));
  const away = { ...place, workspaceId: ELSEWHERE };
  await rejects(accounts.open(away, row, "secret"), /were changed/);
  await rejects(accounts.open(place, { ...row, id: other }, "secret"), /were changed/);
  const changed = { ...secret, sealed: secret.sealed.with(-1, secret.sealed.at(-1)! ^ 1) };
  await rejects(accounts.open(place, { ...row, secret: changed }, "secret"), /were changed/);
  const moved = { ...row, before: { secret, until: "" } };
  await rejects(accounts.open(place, moved, "before.secret"), /were changed/);
  await rejects(accounts.open(place, row, "other"), /has no "other"/);
  await rejects(accounts.seal(place, row, "id", "x"), /seals no field "id"/);
});

withStore.test("the first key seals, without one the store's own secret; each opens, and a missing key is named", async (store) => {
  const under = (secretKeys: Store["secretKeys"]) => ({ ...store, secretKeys });
  const first = await sealText(under(K1), "p", "one");
  const second = await sealText(under([...K2, ...K1]), "p", "two");
  assertEquals([first.key, second.key], [K1[0]?.id, K2[0]?.id]);
  for (const all of [[...K1, ...K2], [...K2, ...K1]]) {
    assertEquals(await openText(under(all), "p", first), "one");
    assertEquals(await openText(under(all), "p", second), "two");
  }
  const missing = new RegExp(`the key ${second.key}, which is miss`);
  await rejects(openText(under(K1), "p", second), missing);
  const own = await sealText(store, "p", "one");
  assertEquals([own.key, await openText(under(K1), "p", own)], ["store", "one"]);
});

withStore.test("unsealed texts of earlier versions are readable, and are sealed in several commits", async (plain) => {
  const store: Store = { ...plain, secretKeys: K1 };
  const place = { store, workspaceId: HOME };
  const bytes = new TextEncoder().encode("pass");
  const auth = { kind: "basic", sealed: sealBytes(await requireStoreSecret(store), bytes) };
  const before = { secret: "b", until: "u" };
  for (const id of ids) {
    const row = { id, secret: id, before, auth };
    await transact(place, (write) => accounts.save(write, place, null, row));
  }
  const opened = async (id: string) => {
    const { row } = (await accounts.find(place, { id }))!;
    const open = (field: string) => accounts.open(place, row, field);
    return await Promise.all(["secret", "before.secret", "auth"].map(open));
  };
  assertEquals(await opened(one), [one, "b", "pass"]);
  assertEquals((await Array.fromAsync(secretTroubles(accounts.options, store))).length, 40);
  const version = await accounts.version(place);
  const reseal = (after: Deno.KvKey | null) =>
    transact(place, (write) => resealRows(accounts, store, write, after));
  const counts: number[] = [];
  let after: Deno.KvKey | null = null;
  do {
    const done: Awaited<ReturnType<typeof reseal>> = await reseal(after);
    counts.push(done.count);
    after = done.after;
  } while (after !== null);
  assertEquals([counts.length, counts.reduce((sum, count) => sum + count)], [4, 60]);
  assertEquals(await Promise.all(ids.map(opened)), ids.map((id) => [id, "b", "pass"]));
  assertEquals(await Array.fromAsync(secretTroubles(accounts.options, store)), []);
  ok(await accounts.version(place) !== version);
  const { auth: now, before: former } = (await accounts.find(place, { id: one }))!.row;
  assertEquals([now?.kind, former?.until], ["basic", "u"]);
  assertEquals(await reseal(null), { after: null, count: 0 });
  const lost = secretTroubles(accounts.options, { ...store, secretKeys: K2 });
  assertEquals((await Array.fromAsync(lost)).length, 60);
});

Deno.test("parseSecretKeys() accepts only one or several keys of 32 bytes in base64", () => {
  const [a, b] = [newSecretKey(), newSecretKey()];
  const parsed = parseSecretKeys(`${a}, ${b}\n`);
  assertEquals(parsed?.map(({ bytes }) => bytes.toBase64()), [a, b]);
  const bad = ["", " , ", "short", a.slice(1), `${a}A`, "x".repeat(44), `${a},secret`];
  assertEquals(bad.map(parseSecretKeys), bad.map(() => null));
});
