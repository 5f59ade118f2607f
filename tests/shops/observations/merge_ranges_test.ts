import fc from "fast-check";
import { mergeRanges, readRange } from "../../../src/shops/observations/list_observations.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const ranges = fc.array(
  fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 100, max: 999 }), { maxLength: 40 }),
    firstLimit: fc.double({ min: 0, max: 20, noNaN: true }),
  }),
  { maxLength: 12 },
);

const byId = (a: number, b: number) => a - b;

function rangeOf(ids: readonly number[], firstLimit: number, reads: number[] = []) {
  const rows = ids.toSorted(byId);
  return readRange((after: number | null, limit) => {
    reads.push(limit);
    return Promise.resolve(rows.filter((id) => after === null || id > after).slice(0, limit));
  }, { after: null, firstLimit });
}

Deno.test("mergeRanges() gives every id of every range once, in order", async () => {
  await fc.assert(fc.asyncProperty(ranges, async (parts) => {
    const lists = parts.map(({ ids, firstLimit }) => rangeOf(ids, firstLimit));
    const merged = await Array.fromAsync(mergeRanges(lists, byId));
    assertEquals(merged, [...new Set(parts.flatMap(({ ids }) => ids))].sort(byId));
  }));
});

Deno.test("mergeRanges() reads only as far as it is asked", async () => {
  const ids = Array.from({ length: 900 }, (_, n) => 100 + n);
  const reads: [number[], number[]] = [[], []];
  const lists = [rangeOf(ids, 3, reads[0]), rangeOf(ids.slice(800), 2, reads[1])];
  const merged = mergeRanges(lists, byId);
  for (let count = 0; count < 10; count++) await merged.next();
  assertEquals(reads, [[3, 12], [2]]);
});
