import fc from "fast-check";
import { decideRecord } from "../../src/imports/apply/decide_record.ts";
import { isMoreThanPct } from "../../src/base/money.ts";
import type { RecordPatch } from "../../src/imports/records/record_patch.ts";
import { MADE_AT, madeProduct } from "../catalogue/made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const BLANK = madeProduct();

Deno.test("isMoreThanPct() is exact, even for the largest amounts", () => {
  const amount = fc.oneof(fc.nat(1_000), fc.maxSafeNat());
  const pct = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000);
  const exactly = (part: number, whole: number, pct: number) =>
    BigInt(part) * 1_000_000n > BigInt(whole) * BigInt(Math.round(pct * 10_000));
  const nearby = fc.integer({ min: -1, max: 1 });
  const property = fc.property(amount, amount, pct, nearby, (part, whole, pct, near) => {
    assertEquals(isMoreThanPct(part, whole, pct), exactly(part, whole, pct));
    const border = Math.max(0, Math.floor(whole * pct / 100) + near);
    assertEquals(isMoreThanPct(border, whole, pct), exactly(border, whole, pct));
  });
  fc.assert(property, { numRuns: 500 });
});

Deno.test("decideRecord() keeps both bounds if the minimum would exceed the maximum, with a warning", () => {
  const workspace = { timeZone: "Europe/Berlin", currency: "EUR" };
  const setting = { ...workspace, mode: "upsert" as const, now: new Date(MADE_AT) };
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
