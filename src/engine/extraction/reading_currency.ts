/** Finds the missing currencies of readings, and converts amounts to minor units. */
import { currencyExponent } from "../../base/money.ts";
import { minorOfDecimal } from "../../base/price_text.ts";
import { currencyOf, onlyCode, plainDecimal } from "./amount.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import type { Reading } from "./reading.ts";
import { agree } from "./settle_price.ts";
import type { ShownReading } from "./shown/scored_price.ts";

/** `price` is in minor units of `currency`. */
export type PricedReading = Reading & { readonly price: number; readonly currency: string };

/**
 * A missing currency is taken from a reading with the same amount, or else from any reading, or
 * else from the page's `meta` elements, or else from a shown price with the same amount.
 */
export function withCurrencies(
  readings: readonly Reading[],
  { page, shown, pageCurrency }: {
    readonly page: ExtractionPage;
    readonly shown: ShownReading | null;
    readonly pageCurrency: string | null;
  },
): readonly Reading[] {
  const known = readings.filter(({ currency }) => currency !== null);
  return readings.map((reading) => {
    if (reading.currency !== null) return reading;
    const fellow = known.find((other) => agree(reading, other)) ?? known[0];
    const currency = fellow?.currency ?? metaCurrency(page) ??
      currencyShownWith(reading, shown, pageCurrency);
    return { ...reading, currency };
  });
}

function currencyShownWith(
  { decimal }: Reading,
  shown: ShownReading | null,
  pageCurrency: string | null,
): string | null {
  const same = shown?.prices.find((price) =>
    price.decimal === plainDecimal(decimal) && price.codes.length > 0
  );
  return onlyCode(same?.codes) ?? same?.codes.find((code) => code === pageCurrency) ?? null;
}

function metaCurrency({ html }: ExtractionPage): string | null {
  const metas = html?.metas ?? [];
  return metas.filter(({ attribs }) =>
    isCurrencyName(attribs.property ?? attribs.itemprop ?? attribs.name ?? "")
  ).flatMap(({ attribs }) => currencyOf(attribs.content ?? null) ?? [])[0] ?? null;
}

function isCurrencyName(name: string): boolean {
  return name.length <= 100 && /currency$/i.test(name) &&
    /^(?:(?:og|product):|(?:price)?currency$)/i.test(name);
}

export function inMinorUnits(reading: Reading): PricedReading[] {
  const { currency } = reading;
  const exponent = currency === null ? null : currencyExponent(currency);
  if (currency === null || exponent === null) return [];
  const price = minorOfDecimal(reading.decimal, exponent);
  return price === null || price === 0 ? [] : [{ ...reading, currency, price }];
}
