import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { createShow } from "../../../src/engine/wording/show.ts";
import { currencyExponent, exponentOf, parseMajor } from "../../../src/base/money.ts";
import { decimalText, readDecimal } from "../../../src/client/formats/decimal.ts";
import { productBody, productValues } from "../../../src/client/pages/products/product_panel.tsx";
import fc from "fast-check";

const showAt = (locale: string, atMs = 0, timeZone = "Europe/Berlin", currency = "EUR") =>
  createShow({ locale, timeZone, currency }, () => atMs);
const [german, english] = [showAt("de-DE"), showAt("en-GB")];
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
  const american = showAt("en-US", 0, "UTC");
  const at = "2026-08-01T22:30:00.000Z";
  const shown = [german, english, american].map((show) => plain(show.dateTime(at)));
  assertEquals(shown, ["02.08.26, 00:30", "2 Aug 2026, 00:30", "Aug 1, 2026, 22:30"]);
  assertEquals(american.time(at), "22:30");
});

Deno.test("Show.share() always has one decimal, so that figures in a column are comparable", () => {
  const shares = ["33,0\u00a0%", "33,1\u00a0%", "\u22125,1\u00a0%"];
  assertEquals([33, 33.14, -5.06].map(german.share), shares);
});

Deno.test("Show.age() shows the time since an instant, in a short form", () => {
  const at = Date.parse("2026-08-01T12:00:00.000Z");
  const [shown, english] = [showAt("de-DE", at), showAt("en-GB", at)];
  const ages = (show: typeof shown, ...ago: number[]) =>
    ago.map((ms) => plain(show.age(new Date(at - ms).toISOString()))).join(", ");
  assertEquals(ages(shown, 0, 59_000, 61_000, 3_599_000), "jetzt, jetzt, 1 Min., 59 Min.");
  assertEquals(ages(shown, 3_600_000, 90_000_000, -5_000), "1 Std., 1 Tag, jetzt");
  assertEquals(shown.age(null), "–");
  const written = ages(english, 120_000, 3_600_000, 25_200_000, 259_200_000);
  assertEquals(written, "2 min, 1 h, 7 h, 3 days");
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
  const far = [german.share, german.percent, german.tenths].map((f) => plain(f(12_345_678)));
  assertEquals(far, ["12,3 Mio. %", "12,3 Mio. %", "12,3 Mio."]);
  fc.assert(fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
    for (const show of [german, english]) {
      ok(show.percentChange(value).length <= "+99.999,9 %".length + 3, show.percentChange(value));
      assertEquals(/^[−-]/.test(show.percentChange(value)), value <= -0.05);
    }
  }));
});

const LOCALES = ["de-DE", "de-AT", "de-CH", "en-GB", "en-US"];
const AMOUNTS = [0, 1, 5, 99, 100, 1_000, 1_234, 123_456, 999_999_999, 10 ** 12];

const CURRENCIES = Intl.supportedValuesOf("currency")
  .filter((code) => currencyExponent(code) !== null);
const showOf = (locale: string, currency: string) => showAt(locale, 0, "Europe/Berlin", currency);

/** Reads the amount in a text, in minor units; NaN if the number of decimals is wrong. */
function minorOf(text: string, currency: string): number {
  const parts = /\d[\d.,\u00a0\u202f'’ ]*/.exec(text)?.[0] ?? "";
  const decimals = /[.,](\d+)$/.exec(parts.trim())?.[1] ?? "";
  const exponent = exponentOf(currency);
  const digits = parts.replaceAll(/\D/g, "");
  return exponent > 0 && decimals.length !== exponent ? NaN : Number(digits);
}

Deno.test("Show.money() and Show.moneyChange() show as many decimals as ISO 4217 defines, in every currency", () => {
  const wrong = CURRENCIES.flatMap((currency) =>
    LOCALES.flatMap((locale) => {
      // One `show` formats all amounts, because the first formatting of a `show` is slow.
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

Deno.test("Show.decimalMoney() shows at least as many decimals as ISO 4217 defines, and more if more were typed", () => {
  assertEquals(plain(showOf("de-DE", "RSD").decimalMoney("1234.5")), "1.234,50 RSD");
  assertEquals(plain(showOf("de-DE", "IQD").decimalMoney("1234")), "1.234,000 IQD");
  assertEquals(plain(showOf("de-DE", "JPY").decimalMoney("1234")), "1.234 ¥");
  assertEquals(plain(showOf("de-DE", "RSD").decimalMoney("1.2345")), "1,2345 RSD");
});

/** Reads an amount as the service does, in minor units; null if the service refuses it. */
function readBack(amount: string | null, currency: string): number | null {
  const parsed = amount === null ? null : parseMajor(amount, exponentOf(currency));
  return parsed !== null && "minor" in parsed ? parsed.minor : null;
}

Deno.test("a price field and a product form send back the stored amount, in every currency", () => {
  const wrong = CURRENCIES.flatMap((currency) =>
    LOCALES.flatMap((locale) => {
      const show = showOf(locale, currency);
      return AMOUNTS.filter((minor) => {
        const ourPrice = decimalText(minor, currency, locale);
        const body = productBody({ ...productValues(null, show), ourPrice }, { ourPrice }, show);
        return [readDecimal(ourPrice, locale), String(body.ourPrice)]
          .some((typed) => readBack(typed, currency) !== minor);
      }).map((minor) => `${locale} ${currency} ${minor}`);
    })
  );
  assertEquals(wrong.slice(0, 20), []);
});
