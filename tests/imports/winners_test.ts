import fc from "fast-check";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { lineOf, readWinners, seenLine } from "../../src/imports/records/record_patch.ts";

interface Sent {
  readonly sku: string;
  readonly title: string;
  readonly isRefused: boolean;
  readonly rows: string;
  readonly sold: readonly (readonly [string, number])[];
}

const sent: fc.Arbitrary<Sent> = fc.record({
  sku: fc.constantFrom("A", "Ä-1", "0815 🧊", "a sku that is longer than others"),
  title: fc.string({ unit: "grapheme", maxLength: 40 }),
  isRefused: fc.boolean(),
  rows: fc.constantFrom("", '["ü;1"]'),
  sold: fc.uniqueArray(
    fc.tuple(fc.constantFrom("2026-03-01", "2026-03-02"), fc.integer({ min: 1, max: 9 })),
    { selector: ([day]) => day, maxLength: 2 },
  ),
});

function textOf({ sku, title, isRefused, rows, sold }: Sent, index: number): string {
  if (isRefused) return seenLine(sku, index);
  const written = title === "" ? undefined : { title };
  return lineOf({ sku, title }, { index, line: index + 2, file: index % 3, rows, sold, written });
}

Deno.test("of the records of a SKU the last one counts, with the sold days of all of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 12 }), fc.boolean(), async (all, isReplace) => {
      const bytes = new TextEncoder().encode(all.map(textOf).join(""));
      const { records, mentioned } = await readWinners(
        [bytes.subarray(0, 99), bytes.subarray(99)],
        isReplace,
      );
      const numbered = all.map((one, index) => ({ ...one, index }));
      const good = numbered.filter(({ isRefused }) => !isRefused);
      const expected = [...Map.groupBy(good, ({ sku }) => sku)]
        .map(([sku, records]) => {
          const { index, title, rows } = records.at(-1)!;
          const days = new Map(records.flatMap(({ sold }) => [...sold]));
          return { sku, index, title, rows, losers: records.length - 1, days: sortedDays(days) };
        })
        .sort((one, other) => one.index - other.index);
      const reported = records.map(({ sku, index, line, file, patch, rows, losers, ...more }) => {
        const { sold, written } = more;
        const { title } = JSON.parse(patch);
        const as = title === "" ? "" : JSON.stringify({ title });
        assertEquals([line, file, written], [index + 2, index % 3, as]);
        const days = new Map<string, number>(sold === "" ? [] : JSON.parse(sold));
        return { sku, index, title, rows, losers, days: sortedDays(days) };
      });
      assertEquals(reported, expected);
      assertEquals([...mentioned].sort(), isReplace ? skusOf(all) : []);
    }),
  );
});

const sortedDays = (days: ReadonlyMap<string, number>) => [...days].sort();
const skusOf = (all: readonly Sent[]) => [...new Set(all.map(({ sku }) => sku))].sort();

Deno.test("an incomplete last line of a shard is an error, not a record", async () => {
  const bytes = new TextEncoder().encode("hash\t0\t2\t0\tA\t{}");
  await rejects(readWinners([bytes], false), /breaks off/);
});
