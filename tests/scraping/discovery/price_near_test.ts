import fc from "fast-check";
import { isPriceNear } from "../../../src/scraping/suggestions/link_by_itself.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const isNear = (ours: number | null, theirs: number | null, currency: string | null = "EUR") =>
  isPriceNear({ ourPriceCents: ours, currency: "EUR" }, { price: theirs, currency });

Deno.test("two prices are near if they have one currency and neither is more than three times the other", () => {
  const cases: [ours: number | null, theirs: number | null, isNear: boolean][] = [
    [1_000, 1_000, true],
    [1_000, 3_000, true],
    [1_000, 3_001, false],
    [3_000, 1_000, true],
    [3_001, 1_000, false],
    [1, 3, true],
    [0, 0, false],
    [1_000, 0, false],
    [0, 1_000, false],
    [null, 1_000, false],
    [1_000, null, false],
    [null, null, false],
  ];
  for (const [ours, theirs, expected] of cases) {
    assertEquals(isNear(ours, theirs), expected, `${ours} and ${theirs}`);
  }
  assertEquals([isNear(1_000, 1_000, "USD"), isNear(1_000, 1_000, null)], [false, false]);
});

Deno.test("nearness of two prices is symmetric", () => {
  const cents = fc.integer({ min: 0, max: 2 ** 40 });
  fc.assert(fc.property(cents, cents, (one, other) => isNear(one, other) === isNear(other, one)));
});
