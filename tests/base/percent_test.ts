import fc from "fast-check";
import {
  add,
  ceilOf,
  changePct,
  compareFractions,
  decimal,
  divide,
  floorOf,
  marginPct,
  meanPct,
  multiply,
  ourGapPct,
  percent,
  sharePct,
  sharesPct,
  subtract,
  times,
  whole,
} from "../../src/base/fraction.ts";
import { majorOf } from "../../src/base/money.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

Deno.test("changePct() rounds the exact change to one decimal, half away from 0", () => {
  const table: [number, number, number][] = [
    [10_000, 11_000, 10],
    [10_000, 9_000, -10],
    [20_000, 20_010, 0.1],
    [20_000, 19_990, -0.1],
    [20_000, 20_009, 0],
    [20_000, 19_991, 0],
    [1, 10 ** 12, 99_999_999_999_900],
    // The change is 1.15 %, which floating point computes slightly too low.
    [10_000, 10_115, 1.2],
  ];
  for (const [from, to, pct] of table) assertEquals(changePct(from, to), pct, `${from} ${to}`);
  assertEquals(changePct(1_000, divide(whole(3_000), decimal(2.5))), 20);
});

Deno.test("changePct() differs from the exact change by at most 0.05, and is symmetric in sign", () => {
  const cents = fc.integer({ min: 1, max: 10 ** 9 });
  fc.assert(fc.property(cents, cents, (from, to) => {
    const tenths = BigInt(Math.round(changePct(from, to) * 10));
    const off = 2n * (BigInt(to - from) * 1_000n - tenths * BigInt(from));
    assertEquals(off <= BigInt(from) && off >= -BigInt(from), true);
    if (to < 2 * from) assertEquals(changePct(from, 2 * from - to) + changePct(from, to), 0);
  }));
});

const NO_RATE = { pricesIncludeVat: true, vatRatePct: null };

Deno.test("marginPct() is rounded down, net of VAT where prices include it", () => {
  const terms = { costPriceCents: 7_504, pricesIncludeVat: false, vatRatePct: 19 };
  assertEquals(marginPct(10_000, terms), 24.96);
  assertEquals(marginPct(11_900, { ...terms, pricesIncludeVat: true }), 24.96);
  assertEquals(marginPct(5_000, terms), -50.08);
  assertEquals([null, 0].map((cents) => marginPct(cents, terms)), [null, null]);
  for (const unknown of [{ costPriceCents: 0 }, { costPriceCents: null }, NO_RATE]) {
    assertEquals(marginPct(10_000, { ...terms, ...unknown }), null);
  }
});

Deno.test("sharePct(), meanPct() and majorOf() round to their decimals", () => {
  assertEquals([sharePct(0.855, 1), sharePct(0.421, 0)], [85.5, 42]);
  assertEquals([meanPct([10, 20.5]), meanPct([])], [15.3, null]);
  assertEquals([majorOf(29_999, 2), majorOf(500, 0), majorOf(1_234, 3)], [299.99, 500, 1.234]);
});

Deno.test("ourGapPct() is positive where we are dearer, a share of our price, and null for our price of 0", () => {
  assertEquals([75_299, 79_900].map((cents) => ourGapPct(78_826, whole(cents))), [4.5, -1.4]);
  // A pack of 10 for 20.00 costs 2.00 each.
  assertEquals(ourGapPct(200, { num: 2_000, den: 10 }), 0);
  assertEquals([ourGapPct(200, whole(0)), ourGapPct(0, whole(200))], [100, null]);
});

Deno.test("sharesPct() sums to 100, and raises the largest remainders", () => {
  assertEquals(sharesPct([85, 168, 41], 0), [29, 57, 14]);
  assertEquals(sharesPct([1, 1, 1], 0), [34, 33, 33]);
  assertEquals(sharesPct([1, 1, 1], 1), [33.4, 33.3, 33.3]);
  assertEquals(sharesPct([0, 0], 0), [0, 0]);
  const counts = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(counts, fc.constantFrom(0, 1), (counts, decimals) => {
    const shares = sharesPct(counts, decimals);
    const sum = shares.reduce((total, share) => total + Math.round(share * 10), 0);
    assertEquals(sum, counts.some((count) => count > 0) ? 1_000 : 0);
  }));
});

const numbers = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
const divisors = fc.integer({ min: 1, max: 10 ** 9 });
const fractions = fc.record({ num: numbers, den: divisors });

Deno.test("percent() and decimal() read at most 4 decimals exactly", () => {
  assertEquals(percent(19), { num: 19, den: 100 });
  assertEquals(percent(1.1), { num: 11, den: 1_000 });
  assertEquals(percent(0.0001), { num: 1, den: 1_000_000 });
  assertEquals(percent(100), whole(1));
  assertEquals(decimal(2.5), { num: 5, den: 2 });
});

Deno.test("times() is exact beyond 2^53, and compareFractions() agrees with it", () => {
  fc.assert(fc.property(fractions, fractions, (a, b) => {
    assertEquals(BigInt(times(a.num, b.num)), BigInt(a.num) * BigInt(b.num));
    const gap = BigInt(a.num) * BigInt(b.den) - BigInt(b.num) * BigInt(a.den);
    assertEquals(compareFractions(a, b), gap < 0n ? -1 : gap > 0n ? 1 : 0);
  }));
});

Deno.test("floorOf() and ceilOf() are the nearest integers below and above, also for negative quotients", () => {
  assertEquals([floorOf({ num: -1, den: 2 }), ceilOf({ num: -1, den: 2 })], [-1, 0]);
  fc.assert(fc.property(fractions, (a) => {
    const [low, high] = [whole(floorOf(a)), whole(ceilOf(a))];
    assertEquals(compareFractions(low, a) <= 0 && compareFractions(a, high) <= 0, true);
    assertEquals(compareFractions(subtract(high, low), whole(1)) <= 0, true);
  }));
});

Deno.test("add() and subtract(), multiply() and divide() undo each other", () => {
  const positive = fc.record({ num: fc.integer({ min: 1, max: 10 ** 12 }), den: divisors });
  fc.assert(fc.property(fractions, positive, (a, b) => {
    assertEquals(compareFractions(subtract(add(a, b), b), a), 0);
    assertEquals(compareFractions(divide(multiply(a, b), b), a), 0);
  }));
});
