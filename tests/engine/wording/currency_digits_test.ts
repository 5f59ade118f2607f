/** Amounts are stored and shown with the digits of ISO 4217, even where the runtime shows fewer. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { currencyExponent, exponentOf, parseMajor } from "../../../src/base/money.ts";
import { decimalText, readDecimal } from "../../../src/client/formats/decimal.ts";
import { productBody, productValues } from "../../../src/client/pages/products/product.ts";
import { createShow } from "../../../src/engine/wording/show.ts";

const LOCALES = ["de-DE", "de-AT", "de-CH", "en-GB", "en-US"];
const AMOUNTS = [0, 1, 5, 99, 100, 1_000, 1_234, 123_456, 999_999_999, 10 ** 12];

/** The currencies of the runtime that the service stores. */
const CURRENCIES = Intl.supportedValuesOf("currency")
  .filter((code) => currencyExponent(code) !== null);
/** Currencies that the runtime shows with digits other than ISO 4217's. */
const ODD = CURRENCIES.filter((currency) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
    .maximumFractionDigits !== exponentOf(currency)
);

const showOf = (locale: string, currency: string) =>
  createShow({ locale, currency, timeZone: "Europe/Berlin" }, () => 0);

/** The amount in minor units that a shown text contains; NaN with a wrong number of decimals. */
function minorOf(text: string, currency: string): number {
  const parts = /\d[\d.,\u00a0\u202f'’ ]*/.exec(text)?.[0] ?? "";
  const decimals = /[.,](\d+)$/.exec(parts.trim())?.[1] ?? "";
  const exponent = exponentOf(currency);
  const digits = parts.replaceAll(/\D/g, "");
  return exponent > 0 && decimals.length !== exponent ? NaN : Number(digits);
}

Deno.test("the runtime shows at least fourteen currencies with digits other than ISO 4217's, such as RSD, IQD and ALL", () => {
  assertEquals(ODD.length >= 14, true, ODD.join(" "));
  assertEquals(["RSD", "IQD", "ALL"].filter((code) => !ODD.includes(code)), []);
});

Deno.test("Show.money() and Show.moneyChange() use the digits of ISO 4217 in every currency", () => {
  const wrong = CURRENCIES.flatMap((currency) =>
    LOCALES.flatMap((locale) => {
      // All amounts use one instance, as in a page, because the first formatting is expensive.
      const show = showOf(locale, currency);
      return AMOUNTS.flatMap((minor) => {
        const shown = [show.money(minor), show.money(minor, currency), show.moneyChange(-minor)];
        return shown.filter((text) => minorOf(text, currency) !== minor)
          .map((text) => `${locale} ${currency} ${minor}: ${text}`);
      });
    })
  );
  assertEquals(wrong.slice(0, 20), []);
});

Deno.test("Show.decimalMoney() shows at least the digits of ISO 4217, and further ones that were typed", () => {
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  assertEquals(plain(showOf("de-DE", "RSD").decimalMoney("1234.5")), "1.234,50 RSD");
  assertEquals(plain(showOf("de-DE", "IQD").decimalMoney("1234")), "1.234,000 IQD");
  assertEquals(plain(showOf("de-DE", "JPY").decimalMoney("1234")), "1.234 ¥");
  assertEquals(plain(showOf("de-DE", "RSD").decimalMoney("1.2345")), "1,2345 RSD");
});

Deno.test("a price field shows the stored amount and saves it unchanged, in every currency", () => {
  const wrong = CURRENCIES.flatMap((currency) =>
    LOCALES.flatMap((locale) =>
      AMOUNTS.filter((minor) => {
        const text = decimalText(minor, currency, locale);
        const read = readDecimal(text, locale);
        const parsed = read === null ? null : parseMajor(read, exponentOf(currency));
        return parsed === null || !("minor" in parsed) || parsed.minor !== minor;
      }).map((minor) => `${locale} ${currency} ${minor}`)
    )
  );
  assertEquals(wrong.slice(0, 20), []);
});

Deno.test("a product form sends back the prices that it was opened with, in every currency", () => {
  const wrong = CURRENCIES.flatMap((currency) =>
    LOCALES.filter((locale) => {
      const show = showOf(locale, currency);
      const values = {
        ...productValues(null, show),
        ourPrice: decimalText(123_456, currency, locale),
      };
      const { ourPrice } = productBody(values, { ourPrice: values.ourPrice }, show);
      const parsed = parseMajor(String(ourPrice), exponentOf(currency));
      return !("minor" in parsed) || parsed.minor !== 123_456;
    }).map((locale) => `${locale} ${currency}`)
  );
  assertEquals(wrong.slice(0, 20), []);
});
