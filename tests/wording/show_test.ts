import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { createShow } from "../../src/wording/show.ts";

const german = createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => 0);
const english = createShow(
  { locale: "en-GB", timeZone: "Europe/Berlin", currency: "EUR" },
  () => 0,
);
const plain = (text: string) => text.replaceAll(/\s/g, " ");

Deno.test("Show.money() writes minor units as the locale does, and a dash for none", () => {
  assertEquals(plain(german.money(123_456)), "1.234,56 €");
  assertEquals(plain(english.money(123_456)), "€1,234.56");
  assertEquals(plain(german.money(1_234, "JPY")), "1.234 ¥");
  assertEquals(german.money(null), "–");
});

Deno.test("Show.money() is exact up to the largest amount that the service stores", () => {
  fc.assert(fc.property(fc.nat(1_000_000_000_000), (cents) => {
    assertEquals(Number(german.money(cents).replaceAll(/\D/g, "")), cents);
  }));
});

Deno.test("Show.dateTime() is in the time zone of the workspace", () => {
  assertEquals(plain(german.dateTime("2026-08-01T22:30:00.000Z")), "02.08.26, 00:30");
});

Deno.test("Show.share() always has one decimal, so that figures in a column compare", () => {
  assertEquals([33, 33.14, -5.06].map(german.share), [
    "33,0\u00a0%",
    "33,1\u00a0%",
    "\u22125,1\u00a0%",
  ]);
});
