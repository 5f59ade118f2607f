import fc from "fast-check";
import { mergeRanges } from "../../../src/shops/observations/list_observations.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ranges = fc.array(
  fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 100, max: 999 }).map(String), { maxLength: 40 }),
    firstLimit: fc.double({ min: 0, max: 20, noNaN: true }),
  }),
  { maxLength: 12 },
);

const byId = (a: { readonly id: string }, b: { readonly id: string }) =>
  Number(a.id) - Number(b.id);

function readerOf(ids: readonly string[], firstLimit: number) {
  const rows = ids.toSorted().map((id) => ({ id }));
  let at = 0;
  const reads: number[] = [];
  return {
    reads,
    firstLimit,
    read(limit: number) {
      reads.push(limit);
      const batch = rows.slice(at, at + limit);
      at += batch.length;
      return Promise.resolve(batch);
    },
  };
}

Deno.test("mergeRanges() gives every id of every range once, in order", async () => {
  await fc.assert(fc.asyncProperty(ranges, async (parts) => {
    const merged: string[] = [];
    const readers = parts.map(({ ids, firstLimit }) => readerOf(ids, firstLimit));
    for await (const { id } of mergeRanges(readers, byId)) merged.push(id);
    assertEquals(merged, [...new Set(parts.flatMap(({ ids }) => ids))].sort());
  }));
});

Deno.test("mergeRanges() reads no further than it is asked to", async () => {
  const ids = Array.from({ length: 900 }, (_, n) => String(100 + n));
  const readers = [readerOf(ids, 3), readerOf(ids.slice(800), 2)];
  let count = 0;
  for await (const _ of mergeRanges(readers, byId)) if (++count === 10) break;
  assertEquals(readers.map(({ reads }) => reads), [[3, 12], [2]]);
  ok(count === 10);
});
