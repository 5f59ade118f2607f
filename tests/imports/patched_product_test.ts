import fc from "fast-check";
import type { Product } from "../../src/catalogue/products/product.ts";
import { decideRecord, isSame } from "../../src/imports/apply/decide_record.ts";
import { isMoreThanPct } from "../../src/imports/apply/hold.ts";
import type { RecordPatch } from "../../src/imports/records/record_patch.ts";
import { MADE_AT, madeProduct } from "../catalogue/made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const BLANK = madeProduct();
const price = fc.record({
  tier: fc.constantFrom(null, "B2B"),
  amountCents: fc.nat(2),
  currency: fc.constant("EUR"),
  minQty: fc.constantFrom(null, 1, 0.5),
  validFrom: fc.constantFrom(null, MADE_AT),
});
const products: fc.Arbitrary<Product> = fc.record({
  title: fc.constantFrom("T", "U"),
  brand: fc.constantFrom(null, "B"),
  ourPriceCents: fc.constantFrom(null, 0, 1),
  vatRatePct: fc.constantFrom(null, 19),
  attributes: fc.constantFrom<Record<string, string>>({}, { a: "1" }, { a: "1", b: "2" }),
  prices: fc.array(price, { maxLength: 2 }),
  deletedAt: fc.constantFrom(null, MADE_AT),
}).map((fields) => ({ ...BLANK, ...fields }));

Deno.test("isSame() is true only without any difference", () => {
  fc.assert(
    fc.property(products, products, (one, other) => {
      assertEquals(isSame(one, structuredClone(one)), true);
      assertEquals(isSame(one, other), JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: 500 },
  );
});

Deno.test("isMoreThanPct() is exact, even for the largest amounts", () => {
  const amount = fc.oneof(fc.nat(1_000), fc.maxSafeNat());
  const pct = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000);
  const exactly = (part: number, whole: number, pct: number) =>
    BigInt(part) * 1_000_000n > BigInt(whole) * BigInt(Math.round(pct * 10_000));
  fc.assert(
    fc.property(amount, amount, pct, fc.integer({ min: -1, max: 1 }), (part, whole, pct, near) => {
      assertEquals(isMoreThanPct(part, whole, pct), exactly(part, whole, pct));
      const border = Math.max(0, Math.floor(whole * pct / 100) + near);
      assertEquals(isMoreThanPct(border, whole, pct), exactly(border, whole, pct));
    }),
    { numRuns: 500 },
  );
});

Deno.test("decideRecord() keeps both bounds if the minimum would exceed the maximum, with a warning", () => {
  const setting = {
    mode: "upsert" as const,
    now: new Date(MADE_AT),
    timeZone: "Europe/Berlin",
    currency: "EUR",
  };
  const before = { ...BLANK, minPriceCents: 500, maxPriceCents: 900 };
  const patch: RecordPatch = { sku: "S-1", title: "U", minPriceCents: 1_000, amountsIn: "EUR" };
  const outcome = decideRecord(patch, before, setting, () => BLANK.id);
  ok(outcome.kind === "updated");
  const { title, minPriceCents, maxPriceCents } = outcome.after;
  assertEquals([title, minPriceCents, maxPriceCents], ["U", 500, 900]);
  assertEquals(outcome.warnings.map(({ code }) => code), ["bounds_crossed"]);
  const made = decideRecord({ ...patch, maxPriceCents: 900 }, null, setting, () => BLANK.id);
  ok(made.kind === "inserted");
  assertEquals([made.after.minPriceCents, made.after.maxPriceCents], [null, null]);
  assertEquals(made.warnings.length, 1);
});
