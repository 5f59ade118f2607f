import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { currencyExponent } from "../../src/base/money.ts";

Deno.test("currencyExponent() gives the minor unit of ISO 4217", () => {
  const exponents = { EUR: 2, CHF: 2, USD: 2, JPY: 0, ISK: 0, KWD: 3, IQD: 3, RSD: 2, CLF: 4 };
  for (const [code, exponent] of Object.entries(exponents)) {
    assertEquals([code, currencyExponent(code)], [code, exponent]);
  }
});

Deno.test("currencyExponent() knows codes that Intl may lack", () => {
  assertEquals(["SLE", "VES", "VED", "XCG", "ZWG"].map(currencyExponent), [2, 2, 2, 2, 2]);
});

Deno.test("currencyExponent() is null for anything but an upper-case code with a minor unit", () => {
  const others = [
    "eur",
    "Eur",
    "EU",
    "EURO",
    " EUR",
    "€",
    "",
    "XXX",
    "XAU",
    "XTS",
    "ABC",
    "constructor",
  ];
  assertEquals(others.filter((code) => currencyExponent(code) !== null), []);
});

Deno.test("currencyExponent() knows every code that Intl knows, except the unit of account XSU", () => {
  const unknown = Intl.supportedValuesOf("currency").filter((code) =>
    currencyExponent(code) === null
  );
  assertEquals(unknown.filter((code) => !["XDR", "XSU", "XUA"].includes(code)), []);
});
