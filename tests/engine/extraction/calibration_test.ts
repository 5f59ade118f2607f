import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { bandOf, CALIBRATION } from "../../../src/engine/extraction/page_status.ts";

Deno.test("bandOf() finds the band of every confidence by its lower bound", () => {
  assert(CALIBRATION.every(({ right, of }) => right <= of));
  const bounds = [1, 0.99, 0.9, 0.85, 0.7, 0.2].map((one) => bandOf(one)?.from);
  assertEquals(bounds, [1, 0.9, 0.9, 0.8, 0.7, 0]);
});
