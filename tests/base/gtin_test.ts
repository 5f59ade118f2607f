import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { isGtin } from "../../src/base/gtin.ts";

const GOOD = ["4006381333931", "73513537", "036000291452", "10614141000415", "00000000000000"];

Deno.test("isGtin() accepts GTIN-8, -12, -13 and -14", () => {
  assertEquals(GOOD.filter((text) => !isGtin(text)), []);
});

Deno.test("isGtin() refuses other lengths and other characters", () => {
  const bad = [
    "",
    "4",
    "400638133393",
    "40063813339310",
    " 4006381333931",
    "400638133393X",
    "４００６３８１３３３９３１",
  ];
  assertEquals(bad.filter(isGtin), []);
});

Deno.test("isGtin() detects every single wrong digit", () => {
  const pick = fc.tuple(fc.constantFrom(...GOOD), fc.nat(13), fc.integer({ min: 1, max: 9 }));
  fc.assert(fc.property(pick, ([gtin, position, by]) => {
    const at = position % gtin.length;
    const wrong = gtin.slice(0, at) + ((Number(gtin[at]) + by) % 10) + gtin.slice(at + 1);
    assertEquals(isGtin(wrong), false);
  }));
});
