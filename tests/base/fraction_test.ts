import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import {
  add,
  ceilOf,
  compareFractions,
  decimal,
  divide,
  floorOf,
  multiply,
  percent,
  subtract,
  times,
  whole,
} from "../../src/base/fraction.ts";

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

Deno.test("times() is exact beyond 2^53", () => {
  fc.assert(fc.property(numbers, numbers, (a, b) => {
    assertEquals(BigInt(times(a, b)), BigInt(a) * BigInt(b));
  }));
});

Deno.test("compareFractions() agrees with products of any size", () => {
  fc.assert(fc.property(fractions, fractions, (a, b) => {
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
