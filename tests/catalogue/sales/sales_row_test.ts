import fc from "fast-check";
import { daysBefore, monthsBetween } from "../../../src/base/time.ts";
import { packMonth, sumOfUnits, unpackMonth } from "../../../src/catalogue/sales/sale.ts";
import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";

Deno.test("unpackMonth() restores the largest numbers, and refuses bytes that are no month of sales", () => {
  const large = { date: "2026-11-29", units: -1e9, revenueCents: 1e12, currency: "EUR" };
  assertEquals(unpackMonth(202_611, packMonth([large])), [large]);
  const whole = packMonth([{ date: "2026-11-30", units: 1_000, revenueCents: 5, currency: "EUR" }]);
  const broken = [new Uint8Array(), Uint8Array.of(2), whole.slice(0, -1), whole.slice(0, 4)];
  for (const bytes of [...broken, Uint8Array.of(1, 32, 0, 2), new Uint8Array(40).fill(255)]) {
    throws(() => unpackMonth(202_611, bytes));
  }
  throws(() => unpackMonth(202_613, whole));
});

Deno.test("units are added exactly", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (thousandths) => {
    const sum = thousandths.reduce((total, one) => total + BigInt(one), 0n);
    const days = thousandths.map((one) => ({ units: one / 1_000 }));
    assertEquals(sumOfUnits(days), Number(sum) / 1_000);
  }));
});

Deno.test("monthsBetween() lists each month once, across the end of a year", () => {
  assertEquals(monthsBetween("2025-11-30", "2026-02-01"), [202_511, 202_512, 202_601, 202_602]);
  assertEquals(monthsBetween("2026-02-01", "2026-02-28"), [202_602]);
  assertEquals(monthsBetween("2026-03-01", "2026-02-28"), []);
  assertEquals(daysBefore("2026-03-01", 1), "2026-02-28");
  assertEquals(daysBefore("2024-02-28", -1), "2024-02-29");
});

Deno.test("a month takes at most four bytes per day of whole units, and eleven with revenue", () => {
  const plain = Array.from({ length: 30 }, (_, n) => ({
    date: `2026-11-${String(n + 1).padStart(2, "0")}`,
    units: n % 8,
    revenueCents: null,
    currency: null,
  }));
  ok(packMonth(plain).length <= 1 + 30 * 4);
  const priced = plain.map((one) => ({ ...one, revenueCents: 99_999, currency: "EUR" }));
  ok(packMonth(priced).length <= 1 + 30 * 11);
});
