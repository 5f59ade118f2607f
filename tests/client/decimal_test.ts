import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { decimalText, readDecimal, readSigned } from "../../src/client/formats/decimal.ts";

const GERMAN: readonly (readonly [string, string | null])[] = [
  ["1.234,56", "1234.56"],
  ["1234,56", "1234.56"],
  ["1234.56", "1234.56"],
  ["1,234.56", "1234.56"],
  ["1.234", "1234"],
  ["1.234.567", "1234567"],
  ["12.5", "12.5"],
  ["0,5", "0.5"],
  [",5", "0.5"],
  ["12,-", "12"],
  ["1 234,50 €", "1234.50"],
  ["1\u202f234,50", "1234.50"],
  ["EUR 19,99", "19.99"],
  ["007", "7"],
  ["0", "0"],
  ["0.125", "0.125"],
  ["00.125", "0.125"],
  ["0,125", "0.125"],
  ["0.125,5", null],
  ["00,125.5", null],
  ["0.125.000", null],
  ["10.125,5", "10125.5"],
  ["", null],
  ["-5", null],
  ["1e3", null],
  ["1,2,3", null],
  ["12.34.56", null],
  ["1.23,45", null],
  ["abc", null],
  ["12 Euro", null],
];

Deno.test("readDecimal() accepts German and English decimals in a German locale", () => {
  assertEquals(GERMAN.map(([text]) => [text, readDecimal(text, "de-DE")]), GERMAN);
});

Deno.test("readDecimal() reads a lone separator before three digits as the locale does", () => {
  assertEquals([readDecimal("1.234", "de-DE"), readDecimal("1.234", "en-GB")], ["1234", "1.234"]);
  assertEquals([readDecimal("1,234", "de-DE"), readDecimal("1,234", "en-GB")], ["1.234", "1234"]);
  assertEquals([readDecimal("0.125", "en-GB"), readDecimal("0,125", "en-GB")], ["0.125", "0.125"]);
});

Deno.test("readDecimal() reads back every amount that decimalText() writes", () => {
  const locales = fc.constantFrom("de-DE", "de-AT", "de-CH", "en-GB");
  fc.assert(fc.property(fc.nat(100_000_000_000), locales, (cents, locale) => {
    const read = readDecimal(decimalText(cents, "EUR", locale), locale);
    const [whole, fraction] = (read ?? "").split(".");
    assertEquals(Number(`${whole}${fraction}`), cents);
  }));
});

Deno.test("decimalText() has as many decimals as the currency", () => {
  const texts = ["EUR", "JPY", "KWD"].map((currency) => decimalText(123_456, currency, "de-DE"));
  assertEquals(texts, ["1.234,56", "123.456", "123,456"]);
  assertEquals(decimalText(null, "EUR", "de-DE"), "");
});

Deno.test("readSigned() takes a sign in any spelling, and a trailing percent sign", () => {
  const table = [
    ["−3", { isNegative: true, decimal: "3" }],
    ["-1,5 %", { isNegative: true, decimal: "1.5" }],
    ["+2", { isNegative: false, decimal: "2" }],
    [" 0,25% ", { isNegative: false, decimal: "0.25" }],
    ["- 4", { isNegative: true, decimal: "4" }],
    ["−0,01 €", { isNegative: true, decimal: "0.01" }],
    ["--3", null],
    ["drei", null],
    ["", null],
    ["−", null],
  ] as const;
  for (const [text, expected] of table) {
    assertEquals([text, readSigned(text, "de-DE")], [text, expected]);
  }
});
