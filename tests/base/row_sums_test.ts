import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { RowSums } from "../../src/base/row_sums.ts";

interface Row {
  readonly owner: string;
  readonly text: string;
}

const row: fc.Arbitrary<Row> = fc.record({
  owner: fc.constantFrom("a", "b", "c", "0123456789abcdef01234567"),
  text: fc.oneof(fc.constantFrom("", "x", "y", "xy", "x\ny"), fc.string({ unit: "binary" })),
});
const rows = fc.array(row, { maxLength: 20 });

/** The owners whose rows differ, by looking at each. */
function differing(expected: readonly Row[], found: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  const count = ({ owner, text }: Row, by: number) => {
    const name = JSON.stringify([owner, text]);
    counts.set(name, (counts.get(name) ?? 0) + by);
  };
  for (const each of expected) count(each, 1);
  for (const each of found) count(each, -1);
  const left = counts.entries().filter(([, by]) => by !== 0);
  return [...new Set(left.map(([name]) => JSON.parse(name)[0]))].sort();
}

function sumsOf(expected: readonly Row[], found: readonly Row[]): RowSums {
  const sums = new RowSums();
  for (const { owner, text } of expected) sums.expect(owner, text);
  for (const { owner, text } of found) sums.find(owner, text);
  return sums;
}

const OWNERS = ["a", "b", "c", "0123456789abcdef01234567", "nobody"];
const unequal = (sums: RowSums) => {
  const groups = [...sums.unequal(1_000)];
  return OWNERS.filter((owner) => groups.some((has) => has(owner))).sort();
};

Deno.test("RowSums says of whom rows differ, whatever their order", () => {
  fc.assert(fc.property(rows, rows, fc.boolean(), (some, others, isSame) => {
    const found = isSame ? some.toReversed() : [...others, ...some];
    assertEquals(unequal(sumsOf(some, found)), differing(some, found));
  }));
});

Deno.test("RowSums sees one character, one row more, two owners that swapped rows, and a moved boundary", () => {
  fc.assert(fc.property(rows, row, row, fc.nat(), (some, one, other, at) => {
    const place = at % (one.text.length + 1);
    const changed = one.text.slice(0, place) + "~" + one.text.slice(place + 1);
    const pairs: [Row[], Row[]][] = [
      [[one], [{ ...one, text: changed }]],
      [[one], [one, one]],
      [[one, other], [{ ...one, text: other.text }, { ...other, text: one.text }]],
      [[one], [{ owner: one.owner + one.text, text: "" }]],
    ];
    for (const [expected, found] of pairs) {
      const is = unequal(sumsOf([...some, ...expected], [...found, ...some]));
      const differ = differing(expected, found);
      const known = differ.filter((owner) => OWNERS.includes(owner));
      // An owner made of other text may share its bucket with any of OWNERS, which is then looked at, too.
      const isMadeUp = known.length < differ.length;
      assertEquals(isMadeUp ? is.filter((owner) => known.includes(owner)) : is, known);
    }
  }));
});

Deno.test("no two of 200,000 rows that hardly differ have one sum", () => {
  const sums = new RowSums();
  // Pairs that would cancel each other out if their sums met: each owner's rows differ by one digit.
  for (let n = 0; n < 200_000; n++) {
    const owner = n.toString(16).padStart(24, "0");
    sums.expect(owner, `pu ${1_760_000_000_000 + n}`);
    sums.find(owner, `pu ${1_760_000_000_000 + (n ^ 1)}`);
  }
  const groups = [...sums.unequal(10_000)];
  for (let n = 0; n < 200_000; n += 7) {
    const owner = n.toString(16).padStart(24, "0");
    assertEquals(groups.filter((has) => has(owner)).length, 1);
  }
  ok(groups.length >= 20, `${groups.length} groups`);
});

Deno.test("RowSums puts whoever is suspected into a group, and nobody else", () => {
  const sums = sumsOf([{ owner: "a", text: "x" }], [{ owner: "a", text: "x" }]);
  assertEquals(unequal(sums), []);
  sums.suspect("b");
  assertEquals(unequal(sums), ["b"]);
});
