import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { cutBatches } from "../../src/catalogue/changes/bulk_products.ts";

const target = fc.record({
  id: fc.uuid(),
  shard: fc.nat(63),
  bytes: fc.integer({ min: 800, max: 62_000 }),
});

Deno.test("cutBatches() keeps every product once and every commit within the limits", () => {
  fc.assert(fc.property(fc.array(target, { maxLength: 400 }), (targets) => {
    const batches = cutBatches(targets);
    assertEquals(
      batches.flat().map(({ id }) => id).sort(),
      targets.map(({ id }) => id).sort(),
    );
    for (const batch of batches) {
      ok(batch.length >= 1 && batch.length <= 100);
      ok(new Set(batch.map(({ shard }) => shard)).size <= 8);
      ok(batch.reduce((sum, { bytes }) => sum + bytes, 0) <= 400_000);
    }
  }));
});
