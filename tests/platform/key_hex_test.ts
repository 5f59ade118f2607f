import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import {
  isPlain,
  keyHex,
  keyOfHex,
  partsOfHex,
  type PlainKey,
} from "../../src/platform/store/direct_reads.ts";
import { inFolder } from "../temporary_folder.ts";

/**
 * Short texts of a few characters, so that many keys have the same beginning. Some have lone
 * surrogates or NUL characters.
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
