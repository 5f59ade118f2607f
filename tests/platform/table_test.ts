import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { defineTable, type Found } from "../../src/platform/store/table.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testWith } from "../opened.ts";
import { workspaceNumber } from "./jobs/counting.ts";

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
  for (const place of [home, elsewhere]) assertEquals(await notes.sweep(place, new Date(0)), 1);
  assertEquals(rowsOf(await notes.list(elsewhere)).map(({ shop }) => shop), [one]);
  for (const place of [home, elsewhere]) {
    assertEquals(await Array.fromAsync(notes.inconsistencies(place)), []);
  }
});
