import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import {
  ABOVE_ALL,
  hexOfBytes,
  keyHex,
  lastBytesOf,
  partsOfHex,
  type PlainKey,
} from "../../src/platform/store/key_hex.ts";
import { inFolder } from "../temporary_folder.ts";

/**
 * Short texts of a few characters, so that many keys have the same beginning. Some have lone
 * surrogates or zeros.
 */
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
  const kv = await Deno.openKv(path);
  using file = new DatabaseSync(path, { timeout: 5_000 });
  try {
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
        assertEquals(listed.map(({ key }) => keyHex(plain(key))), stored);
      }),
      { numRuns: 100 },
    );
  } finally {
    kv.close();
  }
});

inFolder.test("ABOVE_ALL ends a range where the engine's list of a prefix ends", async (folder) => {
  const kv = await Deno.openKv(`${folder.path}/kurant.db`);
  const short = fc.array(fc.oneof(texts, bytes, numbers), { minLength: 1, maxLength: 2 });
  try {
    await fc.assert(
      fc.asyncProperty(short, fc.array(keys, { maxLength: 20 }), async (prefix, more) => {
        const all = [prefix, ...more.map((key) => [...prefix, ...key]), ...more];
        const operation = kv.atomic();
        for (const key of all) operation.set([...key], 1);
        await operation.commit();
        const listed = await Array.fromAsync(kv.list({ prefix: [...prefix] }));
        const [from, end] = [keyHex(prefix), keyHex(prefix) + ABOVE_ALL];
        const inRange = all.map((key) => keyHex(key))
          .filter((key) => key > from && key < end);
        assertEquals(listed.map(({ key }) => keyHex(plain(key))), [...new Set(inRange)].sort());
        for (const key of all) await kv.delete([...key]);
      }),
      { numRuns: 40 },
    );
  } finally {
    kv.close();
  }
});

Deno.test("hexOfBytes() and lastBytesOf() agree with keyHex(), and other keys have no such part", () => {
  fc.assert(fc.property(keys, bytes, (prefix, part) => {
    const [start, key] = [keyHex(prefix), keyHex([...prefix, part])];
    assertEquals(start + hexOfBytes(part.toHex()), key);
    assertEquals(lastBytesOf(key.slice(start.length)), part.toHex());
  }));
  fc.assert(fc.property(keys, keys, (prefix, rest) => {
    const [part, ...more] = rest;
    const isBytes = part instanceof Uint8Array && more.length === 0;
    const start = keyHex(prefix);
    const found = lastBytesOf(keyHex([...prefix, ...rest]).slice(start.length));
    assertEquals(found, isBytes ? part.toHex() : null);
  }));
  assertEquals(lastBytesOf(""), null);
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
  }));
});

function plain(key: Deno.KvKey): PlainKey {
  return key.map((part) => {
    const isPlain = typeof part === "string" || typeof part === "number" ||
      part instanceof Uint8Array;
    if (!isPlain) throw new Error("Not written here");
    return part;
  });
}
