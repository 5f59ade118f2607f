import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import {
  currencyExponent,
  formatDecimalComma,
  formatGerman,
  formatMajor,
  isAtLeastPct,
  MINOR_UNITS_MAX,
  parseMajor,
  showMoney,
} from "../../src/base/money.ts";

const minorUnits = fc.integer({ min: 0, max: MINOR_UNITS_MAX });
const exponents = fc.constantFrom(0, 2, 3, 4);

const READ: [value: string | number, exponent: number, minor: number][] = [
  [8.2, 2, 820],
  [299, 2, 29_900],
  [299.99, 2, 29_999],
  ["299.99", 2, 29_999],
  ["299.9", 2, 29_990],
  ["0299", 2, 29_900],
  ["0", 2, 0],
  [0, 2, 0],
  [-0, 2, 0],
  [1.1, 2, 110],
  [4.35, 2, 435],
  [1.005, 3, 1_005],
  ["1999", 0, 1_999],
  ["10000000000", 2, MINOR_UNITS_MAX],
  ["10000000000.00", 2, MINOR_UNITS_MAX],
  [1e10, 2, MINOR_UNITS_MAX],
  ["0".repeat(500) + "1", 2, 100],
];

const REFUSED: [value: string | number, exponent: number, reason: RegExp][] = [
  ["1.000", 2, /more decimals than the currency, which has 2/],
  [1.005, 2, /more decimals/],
  ["1.0", 0, /more decimals/],
  [-1, 2, /must not be negative/],
  ["-1", 2, /must not be negative/],
  [NaN, 2, /must be a finite number/],
  [Infinity, 2, /must be a finite number/],
  [-Infinity, 2, /must not be negative/],
  [1e21, 2, /"1e\+21" is not a price: write it without an exponent/],
  [1e-7, 2, /without an exponent/],
  ["10000000000.01", 2, /above 10000000000\.00/],
  ["1000000000001", 0, /above 1000000000000/],
  ["9".repeat(100_000), 2, /above/],
  ["", 2, /write it like/],
  ["1,5", 2, /write it like/],
  ["1.", 2, /write it like/],
  [".5", 2, /write it like/],
  [" 1", 2, /write it like/],
  ["1e3", 2, /write it like/],
  ["+1", 2, /write it like/],
  ["1\n", 2, /write it like/],
  ["١", 2, /write it like/],
];

Deno.test("parseMajor() reads decimals digit by digit", () => {
  for (const [value, exponent, minor] of READ) {
    assertEquals([value, parseMajor(value, exponent)], [value, { minor }]);
  }
});

Deno.test("parseMajor() gives a short reason for each refusal", () => {
  for (const [value, exponent, expected] of REFUSED) {
    const outcome = parseMajor(value, exponent);
    assert("reason" in outcome, `accepted ${value}`);
    match(outcome.reason, expected);
    assert(outcome.reason.length < 200);
  }
});

Deno.test("parseMajor() reads back every amount that formatMajor() writes", () => {
  fc.assert(fc.property(minorUnits, exponents, (minor, exponent) => {
    assertEquals(parseMajor(formatMajor(minor, exponent), exponent), { minor });
  }));
});

Deno.test("parseMajor() reads numbers of JSON documents", () => {
  fc.assert(fc.property(minorUnits, exponents, (minor, exponent) => {
    const number: number = JSON.parse(formatMajor(minor, exponent));
    const small = minor < 10 ** exponent && /e/.test(String(number));
    if (!small) assertEquals(parseMajor(number, exponent), { minor });
  }));
});

Deno.test("formatMajor(), formatDecimalComma() and formatGerman() write the same amount", () => {
  const table: [number, number, string, string, string][] = [
    [123_456, 2, "1234.56", "1234,56", "1.234,56"],
    [5, 2, "0.05", "0,05", "0,05"],
    [-5, 2, "-0.05", "-0,05", "-0,05"],
    [-123_456_789, 2, "-1234567.89", "-1234567,89", "-1.234.567,89"],
    [1_234_567, 0, "1234567", "1234567", "1.234.567"],
    [123_456_789, 4, "12345.6789", "12345,6789", "12.345,6789"],
    [0, 3, "0.000", "0,000", "0,000"],
  ];
  for (const [minor, exponent, ...texts] of table) {
    const written = [formatMajor, formatDecimalComma, formatGerman].map((f) => f(minor, exponent));
    assertEquals(written, texts);
  }
});

Deno.test("showMoney() writes the amount with its currency", () => {
  assertEquals(showMoney(26_910, "EUR"), "269.10 EUR");
  assertEquals(showMoney(26_910, "JPY"), "26910 JPY");
});

Deno.test("isAtLeastPct() is exact where floats are not", () => {
  assertEquals(isAtLeastPct(33, 3_000, 1.1), true);
  assertEquals(isAtLeastPct(32, 3_000, 1.1), false);
  assertEquals(isAtLeastPct(MINOR_UNITS_MAX, MINOR_UNITS_MAX, 100), true);
});

Deno.test("currencyExponent() gives the minor unit of ISO 4217", () => {
  const exponents = { EUR: 2, CHF: 2, USD: 2, JPY: 0, ISK: 0, KWD: 3, IQD: 3, RSD: 2, CLF: 4 };
  // The last codes are missing in some versions of Intl.
  const rare = { SLE: 2, VES: 2, VED: 2, XCG: 2, ZWG: 2 };
  for (const [code, exponent] of Object.entries({ ...exponents, ...rare })) {
    assertEquals([code, currencyExponent(code)], [code, exponent]);
  }
});

Deno.test("currencyExponent() is null for anything but an upper-case code with a minor unit", () => {
  const others = ["", " EUR", "€", ..."eur Eur EU EURO XXX XAU XTS ABC constructor".split(" ")];
  assertEquals(others.filter((code) => currencyExponent(code) !== null), []);
});

Deno.test("currencyExponent() knows every code that Intl knows, except the unit of account XSU", () => {
  const known = new Set(Intl.supportedValuesOf("currency")).difference(
    new Set(["XDR", "XSU", "XUA"]),
  );
  assertEquals([...known].filter((code) => currencyExponent(code) === null), []);
});
