import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { formatGerman, formatMajor, MINOR_UNITS_MAX } from "../../src/base/money.ts";
import { minorOfDecimal, readPriceText } from "../../src/base/price_text.ts";
import { extent } from "../proof.ts";

const minorUnits = fc.integer({ min: 0, max: MINOR_UNITS_MAX });

Deno.test("readPriceText() reads every German, Swiss and English spelling of an amount", () => {
  fc.assert(fc.property(minorUnits, (minor) => {
    const german = formatGerman(minor, 2);
    const texts = [
      ...[`${german} €`, `ab ${german} € *`, `EUR ${german}`, `€${german}`],
      ...[`CHF ${german.replaceAll(".", "’").replace(",", ".")}`, `£${formatMajor(minor, 2)}`],
      ...[`${german.replaceAll(".", "\u00a0")} €`, `UVP 9,99 € ${german} €`],
    ];
    for (const text of texts.slice(0, minor === 0 ? -1 : undefined)) {
      const price = readPriceText(text);
      assert("decimal" in price, text);
      assertEquals([text, minorOfDecimal(price.decimal, 2)], [text, minor]);
    }
  }));
});

Deno.test("readPriceText() does not take the day and year of a date for a price", () => {
  const dates = ["July, 2004", "Juli 2004", "14 May, 2027", "4. Dez. 2027", "le 3 août 2004"];
  for (const date of dates) {
    assertEquals([date, readPriceText(date)], [date, { reason: "no_price" }]);
    const price = readPriceText(`${date} £8`);
    assertEquals([date, "decimal" in price && price.decimal], [date, "8"]);
  }
  const article = readPriceText("Marke 2000 €");
  assertEquals("decimal" in article && article.decimal, "2000");
});

Deno.test("readPriceText() never throws, and reads only unsigned decimals", () => {
  const likely = fc.string({
    unit: fc.constantFrom(..."0123456789.,'’ \n\u00a0-–+€$%EURkgstatab(/:=٣\u200b"),
    maxLength: 40,
  });
  const texts = fc.oneof(likely, fc.string());
  const property = fc.property(texts, fc.option(fc.string()), (text, beside) => {
    const price = readPriceText(text, { currencyText: beside, locale: beside });
    assert("reason" in price || /^\d+(?:\.\d+)?$/.test(price.decimal));
  });
  fc.assert(property, { numRuns: extent(3_000, 1_000) });
});

Deno.test("minorOfDecimal() rounds half up, and is null above the maximum", () => {
  const table: [string, number, number | null][] = [
    ["29.1583", 2, 2_916],
    ["29.155", 2, 2_916],
    ["29.1549", 2, 2_915],
    ["29", 2, 2_900],
    ["1999.5", 0, 2_000],
    ["10000000000", 2, MINOR_UNITS_MAX],
    ["10000000000.01", 2, null],
    ["9".repeat(1_000), 2, null],
  ];
  for (const [decimal, exponent, minor] of table) {
    assertEquals(minorOfDecimal(decimal, exponent), minor);
  }
});
