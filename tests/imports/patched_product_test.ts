import fc from "fast-check";
import type { Product } from "../../src/catalogue/products/product.ts";
import { AMOUNT_NAMES } from "../../src/catalogue/products/product_field_table.ts";
import {
  changedPrices,
  changedProduct,
  decideRecord,
  isSame,
} from "../../src/imports/apply/decide_record.ts";
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

const amount = fc.constantFrom(undefined, null, 0, 1_999);
const patches: fc.Arbitrary<RecordPatch> = fc.record({
  currency: fc.constantFrom(undefined, "EUR", "JPY"),
  ourPriceCents: fc.constantFrom(undefined, 0, 1_999),
  costPriceCents: amount,
  targetPriceCents: amount,
  minPriceCents: amount,
  maxPriceCents: amount,
  shippingPriceCents: amount,
  vatRatePct: fc.constantFrom(undefined, null, 7),
  amountsIn: fc.constantFrom("EUR", "JPY"),
  feeds: fc.constantFrom(undefined, { ourPriceCents: "B2B", costPriceCents: null }),
  rows: fc.array(price, { maxLength: 2 }),
}).map(({ feeds, rows, ...fields }) => {
  const prices = feeds && { tiers: [null, "B2B"], rows, feeds };
  const named = Object.entries({ ...fields, prices }).filter(([, value]) => value !== undefined);
  return { sku: "S-1", ...Object.fromEntries(named) };
});

Deno.test("changedPrices() gives the same prices as changedProduct(), and no other fields", () => {
  const stored = fc.record(
    Object.fromEntries(AMOUNT_NAMES.map((name) => [name, fc.constantFrom(null, 0, 2_999)])),
  );
  fc.assert(
    fc.property(stored, patches, (amounts, patch) => {
      const before: Product = { ...BLANK, ...amounts };
      const changed = changedProduct(before, patch);
      const judged = changedPrices(before, patch);
      if ("refused" in changed) return assertEquals(judged, null);
      for (const name of [...AMOUNT_NAMES, "currency", "vatRatePct"] as const) {
        assertEquals(judged?.[name], changed.product[name], name);
      }
    }),
    { numRuns: 1_000 },
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
