import fc from "fast-check";
import { type NumberFormat, readNumber } from "../../src/base/german_values.ts";
import { formatDecimalComma, formatGerman, formatMajor } from "../../src/base/money.ts";
import { HANG_MS } from "../patience.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const read = (text: string, format: NumberFormat = "de", currency: string | null = "EUR") =>
  readNumber(text, { format, exponent: 2, currency });
const minorUnits = fc.integer({ min: 0, max: 10 ** 12 });

Deno.test("readNumber() uses its format where a single separator stands before three digits", () => {
  const table: [text: string, de: number | null, en: number | null, auto: number | null][] = [
    ["1.234", 123_400, 123, null],
    ["1,234", 123, 123, null],
    ["1.234,56", 123_456, 123_456, 123_456],
    ["1,234.56", 123_456, 123_456, 123_456],
    ["1234.5", 123_450, 123_450, 123_450],
    ["12,5", 1_250, 1_250, 1_250],
    ["17.77900", 1_778, 1_778, 1_778],
    ["0.500", 50, 50, 50],
  ];
  const formats: NumberFormat[] = ["de", "en", "auto"];
  for (const [text, ...expected] of table) {
    const values = formats.map((format) => {
      const outcome = read(text, format);
      return "value" in outcome ? outcome.value : null;
    });
    assertEquals([text, ...values], [text, ...expected]);
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
    for (const text of texts) {
      assertEquals(readNumber(text, setting), { value: minor, warning: null });
    }
    const dotted = readNumber(formatMajor(minor, exponent), { ...setting, format: "en" });
    assertEquals(dotted, { value: minor, warning: null });
  }));
});

Deno.test("readNumber() never throws, and returns a whole amount or a reason", () => {
  const signs = fc.string({
    unit: fc.constantFrom(..."0123456789.,'’ \u00a0-–+€EURx٣"),
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.oneof(signs, fc.string()), (text) => {
      const outcome = read(text);
      assert("reason" in outcome || (Number.isSafeInteger(outcome.value) && outcome.value >= 0));
    }),
    { numRuns: extent(2_000, 700) },
  );
});

Deno.test("readNumber() takes linear time for any text", () => {
  const hostile = ["1", "1.", "1,", "1 ", "1.111", ",-", " ", "€", "€1", "1€", "-", ".", "1'"];
  for (const unit of hostile) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    for (const whole of [text, `1${text}`, `${text}x`, `€${text}1`]) {
      const startedAt = performance.now();
      read(whole);
      assert(performance.now() - startedAt < HANG_MS, `slow: ${unit}`);
    }
  }
});
