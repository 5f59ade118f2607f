import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { createShow } from "../../../src/engine/wording/show.ts";

const german = createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => 0);
const english = createShow(
  { locale: "en-GB", timeZone: "Europe/Berlin", currency: "EUR" },
  () => 0,
);
const plain = (text: string) => text.replaceAll(/\s/g, " ");

Deno.test("Show.money() formats minor units for the locale, and null as a dash", () => {
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

Deno.test("Show.dateTime() uses the workspace's time zone and 24 hours", () => {
  const american = createShow({ locale: "en-US", timeZone: "UTC", currency: "EUR" }, () => 0);
  const at = "2026-08-01T22:30:00.000Z";
  assertEquals([german, english, american].map((show) => plain(show.dateTime(at))), [
    "02.08.26, 00:30",
    "2 Aug 2026, 00:30",
    "Aug 1, 2026, 22:30",
  ]);
  assertEquals(american.time(at), "22:30");
});

Deno.test("Show puts the percent sign as the locale does", () => {
  assertEquals([german, english].map((show) => show.percentChange(-4.5)), [
    "\u22124,5\u00a0%",
    "\u22124.5%",
  ]);
});

Deno.test("Show.share() always has one decimal, so that figures in a column are comparable", () => {
  assertEquals([33, 33.14, -5.06].map(german.share), [
    "33,0\u00a0%",
    "33,1\u00a0%",
    "\u22125,1\u00a0%",
  ]);
});

Deno.test("Show.age() gives a time ago in as short a form as possible", () => {
  const at = Date.parse("2026-08-01T12:00:00.000Z");
  const shown = createShow(
    { locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" },
    () => at,
  );
  const ages = [0, 59_000, 61_000, 3_599_000, 3_600_000, 90_000_000, -5_000]
    .map((ms) => plain(shown.age(new Date(at - ms).toISOString())));
  assertEquals(ages, ["jetzt", "jetzt", "1 Min.", "59 Min.", "1 Std.", "1 Tag", "jetzt"]);
  assertEquals(shown.age(null), "–");
  const english = createShow(
    { locale: "en-GB", timeZone: "Europe/Berlin", currency: "EUR" },
    () => at,
  );
  assertEquals(
    [120_000, 3_600_000, 25_200_000, 259_200_000]
      .map((ms) => plain(english.age(new Date(at - ms).toISOString()))),
    ["2 min", "1 h", "7 h", "3 days"],
  );
  const durations = [1_000, 1_700, 12_300, 90_000].map((ms) => plain(english.duration(ms)));
  assertEquals(durations, ["1.0 s", "1.7 s", "12 s", "1.5 min"]);
});

Deno.test("extreme market figures are shown with few digits and a sign", () => {
  const table: readonly (readonly [number, string, string])[] = [
    [99_999.9, "+99.999,9 %", "+99,999.9%"],
    [100_000, "+100.000 %", "+100K%"],
    [1_234_567, "+1,2 Mio. %", "+1.2M%"],
    [-98_765_432_100_000, "−98,8 Bio. %", "−98.8T%"],
    [0, "0,0 %", "0.0%"],
  ];
  for (const [pct, de, en] of table) {
    assertEquals([german, english].map((show) => plain(show.percentChange(pct))), [de, en]);
  }
  const far = [german.share, german.percent, german.tenths];
  assertEquals(far.map((shown) => plain(shown(12_345_678))), [
    "12,3 Mio. %",
    "12,3 Mio. %",
    "12,3 Mio.",
  ]);
  fc.assert(fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
    for (const show of [german, english]) {
      ok(show.percentChange(value).length <= "+99.999,9 %".length + 3, show.percentChange(value));
      assertEquals(/^[−-]/.test(show.percentChange(value)), value <= -0.05);
    }
  }));
});
