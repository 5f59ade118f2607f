import fc from "fast-check";
import {
  instantOf,
  isOpenEnd,
  type NumberFormat,
  readDate,
  readFlag,
  readNumber,
} from "../../src/base/german_values.ts";
import { formatDecimalComma, formatGerman, formatMajor } from "../../src/base/money.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const read = (text: string, format: NumberFormat = "de", currency: string | null = "EUR") =>
  readNumber(text, { format, exponent: 2, currency });
const minorUnits = fc.integer({ min: 0, max: 10 ** 12 });

Deno.test("readNumber() uses its format where a single separator stands before three digits", () => {
  const table: Record<string, [de: number | null, en: number | null, auto: number | null]> = {
    "1.234": [123_400, 123, null],
    "1,234": [123, 123, null],
    "1.234,56": [123_456, 123_456, 123_456],
    "1,234.56": [123_456, 123_456, 123_456],
    "1234.5": [123_450, 123_450, 123_450],
    "12,5": [1_250, 1_250, 1_250],
    "17.77900": [1_778, 1_778, 1_778],
    "0.500": [50, 50, 50],
  };
  for (const [text, expected] of Object.entries(table)) {
    const outcomes = (["de", "en", "auto"] as const).map((format) => read(text, format));
    const values = outcomes.map((outcome) => "value" in outcome ? outcome.value : null);
    assertEquals([text, values], [text, expected]);
  }
});

Deno.test("readNumber() warns of a separator that its format does not use", () => {
  const warned = (text: string, format: NumberFormat) => {
    const outcome = read(text, format);
    return "value" in outcome ? outcome.warning : outcome.reason;
  };
  const texts = ["1234.56", "12.5", "1,234.56", "1.234,56", "12", "1.234", "1'234"];
  const isWarned = (text: string) => warned(text, "de") === "dot_decimal";
  assertEquals(texts.filter(isWarned), ["1234.56", "12.5", "1,234.56"]);
  assertEquals(["17,23", "17.23"].map((text) => warned(text, "en")), ["dot_decimal", null]);
  assertEquals(["17,23", "17.23"].map((text) => warned(text, "auto")), [null, null]);
});

Deno.test("readNumber() accepts only the currency of its setting around the number", () => {
  assertEquals(read("12,50 CHF", "de", "CHF"), { value: 1_250, warning: null });
  assertEquals(read("Fr. 12,50", "de", "CHF"), { value: 1_250, warning: null });
  assertEquals(read("kr 12,50", "de", "SEK"), { value: 1_250, warning: null });
  assertEquals(read("12,50 €", "de", "CHF"), { reason: "invalid_number" });
  assertEquals(read("12,50 €", "de", null), { reason: "invalid_number" });
});

Deno.test("readNumber() rounds half up to the exponent and refuses amounts above the maximum", () => {
  const setting = { format: "de", exponent: 0, currency: "JPY" } as const;
  assertEquals(readNumber("1.234,5", setting), { value: 1_235, warning: null });
  assertEquals(readNumber("1.234,4999", setting), { value: 1_234, warning: null });
  assertEquals(readNumber("12", { ...setting, max: 11 }), { reason: "price_out_of_range" });
  assertEquals(read("10.000.000.000,00"), { value: 10 ** 12, warning: null });
  assertEquals(read("10.000.000.000,005"), { reason: "price_out_of_range" });
});

Deno.test("readNumber() reads back every format in which we write money", () => {
  fc.assert(fc.property(minorUnits, fc.constantFrom(0, 2, 3), (minor, exponent) => {
    const setting = { format: "de", exponent, currency: null } as const;
    const texts = [formatGerman(minor, exponent), formatDecimalComma(minor, exponent)];
    const expected = { value: minor, warning: null };
    for (const text of texts) assertEquals(readNumber(text, setting), expected);
    const dotted = readNumber(formatMajor(minor, exponent), { ...setting, format: "en" });
    assertEquals(dotted, expected);
  }));
});

Deno.test("readNumber() never throws, and returns a whole amount or a reason", () => {
  const unit = fc.constantFrom(..."0123456789.,'’ \u00a0-–+€EURx٣");
  const signs = fc.string({ unit, maxLength: 20 });
  const property = fc.property(fc.oneof(signs, fc.string()), (text) => {
    const outcome = read(text);
    assert("reason" in outcome || (Number.isSafeInteger(outcome.value) && outcome.value >= 0));
  });
  fc.assert(property, { numRuns: extent(2_000, 700) });
});

const READ: [text: string, date: string, time: string | null, offset: string | null][] = [
  ["31.12.2025", "2025-12-31", null, null],
  ["1.1.25", "2025-01-01", null, null],
  ["01.01.99", "1999-01-01", null, null],
  ["2025-12-31", "2025-12-31", null, null],
  ["20251231", "2025-12-31", null, null],
  ["  31.12.2025\n", "2025-12-31", null, null],
  ["29.02.2024", "2024-02-29", null, null],
  ["29.02.2000", "2000-02-29", null, null],
  ["31.12.2025 23:59", "2025-12-31", "23:59:00", null],
  ["31.12.2025 8:05:09 Uhr", "2025-12-31", "08:05:09", null],
  ["2025-12-31T23:59:59.123+01:00", "2025-12-31", "23:59:59", "+01:00"],
  ["2025-12-31 10:00:00 Z", "2025-12-31", "10:00:00", "Z"],
  ["20251231 235959", "2025-12-31", "23:59:59", null],
  ["20251231T235959", "2025-12-31", "23:59:59", null],
  ["2025-12-31+01:00", "2025-12-31", null, "+01:00"],
];

const REFUSED = [
  ["31.02.2026", "29.02.2025", "29.02.1900", "31.04.2025", "32.01.2025", "0.1.2025", "1.13.2025"],
  ["1.0.2025", "00.00.0000", "1.1.0000", "20250231", "2025-13-01", "2025-1-1"],
  ["", " ", "heute", "31/12/2025", "31-12-2025", "31.12", "31.12.202", "31.12.2025x", "1.1.1"],
  ["31.12.2025 24:00", "31.12.2025 12:60", "31.12.2025 12", "31.12.2025T"],
  ["2025-12-31T10:00+25:00"],
  ["٣١.12.2025", "3 1.12.2025", "9".repeat(100_000), "1." + "1.".repeat(50_000)],
].flat();

Deno.test("readDate() reads the dates of ERP files, with and without time", () => {
  for (const [text, date, time, offset] of READ) {
    assertEquals([text, readDate(text)], [text, { date, time, offset }]);
  }
});

Deno.test("readDate() refuses dates and times that do not exist", () => {
  assertEquals(REFUSED.filter((text) => !("reason" in readDate(text))), []);
});

Deno.test("readDate() reads every day in every form", () => {
  const [min, max] = [new Date("0101-01-01"), new Date("9999-12-31")];
  fc.assert(fc.property(fc.date({ min, max, noInvalidDate: true }), (instant) => {
    const date = instant.toISOString().slice(0, 10);
    const [year, month, day] = date.split("-");
    for (const form of [date, `${day}.${month}.${year}`, `${year}${month}${day}`]) {
      assertEquals(readDate(form), { date, time: null, offset: null });
    }
  }));
});

Deno.test('isOpenEnd() recognises the dates that mean "no end"', () => {
  const open = ["31.12.9999", "99991231", "00.00.0000", "9999-12-31", "00000000", "0000-00-00"];
  const withTime = ["31.12.9999 23:59:59", "9999-12-31T00:00:00Z"];
  const dates = ["", "31.12.2099", "31.12.99", "01.01.9999", "30.12.9999", "00.00.00", "0", "9999"];
  assertEquals([...open, ...withTime].filter((text) => !isOpenEnd(text)), []);
  assertEquals(dates.filter(isOpenEnd), []);
});

Deno.test("instantOf() reads local time in the zone, over both changes to and from summer time", () => {
  const table: [text: string, instant: string][] = [
    ["31.12.2025", "2025-12-30T23:00:00.000Z"],
    ["01.07.2025", "2025-06-30T22:00:00.000Z"],
    ["30.03.2025 02:30", "2025-03-30T01:30:00.000Z"],
    ["26.10.2025 02:30", "2025-10-26T00:30:00.000Z"],
    ["2025-12-31T10:00:00Z", "2025-12-31T10:00:00.000Z"],
    ["2025-12-31T10:00:00+0200", "2025-12-31T08:00:00.000Z"],
  ];
  for (const [text, instant] of table) {
    const read = readDate(text);
    assertEquals("date" in read && instantOf(read, "Europe/Berlin"), instant);
  }
});

Deno.test("readFlag() reads German and English flags in any case", () => {
  const yes = ["J", "j", "JA", "Ja", "Y", "YES", "1", "TRUE", "true", "X", "x", " J \n"];
  const no = ["N", "n", "NEIN", "Nein", "NO", "0", "FALSE", "False", "", "  "];
  assertEquals(yes.map(readFlag), yes.map(() => true));
  assertEquals(no.map(readFlag), no.map(() => false));
});

Deno.test("readFlag() is null for any other text", () => {
  const others = ["JN", "2", "-", "on", "aktiv", "constructor", "J A"];
  assertEquals(others.map(readFlag), others.map(() => null));
});
