import fc from "fast-check";
import { instantOf, isOpenEnd, readDate, readFlag } from "../../src/base/german_values.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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
  [
    "31.12.2025 24:00",
    "31.12.2025 12:60",
    "31.12.2025 12",
    "31.12.2025T",
    "2025-12-31T10:00+25:00",
  ],
  ["٣١.12.2025", "3 1.12.2025", "9".repeat(100_000), "1." + "1.".repeat(50_000)],
].flat();

Deno.test("readDate() reads the dates of ERP files, with and without time", () => {
  for (const [text, date, time, offset] of READ) {
    assertEquals([text, readDate(text)], [text, { date, time, offset }]);
  }
});

Deno.test("readDate() refuses dates and times that do not exist", () => {
  const read = REFUSED.filter((text) => !("reason" in readDate(text)));
  assertEquals(read, []);
});

Deno.test("readDate() reads every day in every form", () => {
  const days = fc.date({
    min: new Date("0101-01-01"),
    max: new Date("9999-12-31"),
    noInvalidDate: true,
  });
  fc.assert(fc.property(days, (day) => {
    const date = day.toISOString().slice(0, 10);
    const [year, month, dayOfMonth] = date.split("-");
    const forms = [date, `${dayOfMonth}.${month}.${year}`, `${year}${month}${dayOfMonth}`];
    for (const form of forms) {
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
