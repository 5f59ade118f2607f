import { type Availability, isInStock } from "../base/availability.ts";
import { currencyExponent } from "../base/currency.ts";
import { minorOfDecimal } from "../base/price_text.ts";
import { addedWord, namesUsed } from "./added_words.ts";
import { agree, agreementOf } from "./agreement.ts";
import { currencyOf } from "./amount.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import type { Method } from "./extractors.ts";
import { explicitAvailability } from "./extractors/explicit.ts";
import type { Reading } from "./reading.ts";
import { isStruckOut } from "./struck_price.ts";

const NAME_CHARACTERS_MAX = 100;

/** A price that another method read. */
export interface Alternative {
  readonly method: Method;
  /** Minor units. */
  readonly price: number;
  readonly currency: string;
}

/** The price of a page. All amounts are minor units of `currency`. */
export interface ExtractedPrice {
  readonly price: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly inStock: boolean | null;
  /** What the shop says that it cost before or should cost; above `price`, else null. */
  readonly listPrice: number | null;
  /** 0 is free. */
  readonly shipping: number | null;
  readonly method: Method;
  /** 0 to 1; 0.9 and more is high (docs/decisions/rules.md). */
  readonly confidence: number;
  readonly alternatives: readonly Alternative[];
}

/** Why a page gave no price; the codes are those of a scrape run. */
export interface ExtractionFailure {
  readonly errorCode: "no_price" | "ambiguous_price" | "currency_mismatch" | "unsupported_content";
  readonly message: string;
  readonly alternatives: readonly Alternative[];
}

/** A failure with its message for people. */
export function failure(
  errorCode: ExtractionFailure["errorCode"],
  message: string,
  alternatives: readonly Alternative[] = [],
): ExtractionFailure {
  return { errorCode, message, alternatives };
}

/**
 * Makes one price of the readings, which stand in the order of precedence; there is at least one.
 * `ownTitle` is our name of the product, as far as it is known.
 */
export function reconcileReadings(
  readings: readonly Reading[],
  page: ExtractionPage,
  currencyHint: string | null,
  ownTitle: string | null,
): { result: ExtractedPrice | ExtractionFailure; why: string } {
  const wanted = page.extractor.currency ?? null;
  const named = withCurrencies(readings, page);
  const filled = named.map((reading) => ({
    ...reading,
    currency: reading.currency ?? wanted ?? currencyHint,
  }));
  const priced = filled.flatMap(inMinorUnits);
  const first = priced.find(({ currency }) => wanted === null || currency === wanted);
  const alternatives = priced.filter((reading) => reading !== first)
    .map(({ method, price, currency }) => ({ method, price, currency }));
  if (!first) return noneOf(priced, wanted, alternatives);

  const others = filled.filter(({ method }) => method !== first.method);
  const doubts = [
    ...doubtsOf(first, page, named),
    ...(ownTitle === null ? [] : doubtsOfProduct(first, namesOf(first, others, page), ownTitle)),
  ];
  const agreement = agreementOf(first, others, doubts);
  const availability = explicitAvailability(page) ?? availabilityOf(first, others);
  const result: ExtractedPrice = {
    price: first.price,
    currency: first.currency,
    availability,
    inStock: isInStock(availability),
    listPrice: listPriceOf(first, others),
    shipping: shippingOf(first),
    method: first.method,
    confidence: agreement.confidence,
    alternatives,
  };
  return { result, why: `${first.method} decides: ${agreement.why}` };
}

type PricedReading = Reading & { readonly price: number; readonly currency: string };

/**
 * A reading without a currency takes that of one with the same amount, else of any, else of the
 * page.
 */
function withCurrencies(readings: readonly Reading[], page: ExtractionPage): readonly Reading[] {
  const known = readings.filter(({ currency }) => currency !== null);
  return readings.map((reading) => {
    if (reading.currency !== null) return reading;
    const fellow = known.find((other) => agree(reading, other)) ?? known[0];
    return { ...reading, currency: fellow?.currency ?? metaCurrency(page) };
  });
}

/** A currency that the page names without a price. */
function metaCurrency({ html }: ExtractionPage): string | null {
  const metas = html?.metas ?? [];
  return metas.filter(({ attribs }) =>
    isCurrencyName(attribs.property ?? attribs.itemprop ?? attribs.name ?? "")
  ).flatMap(({ attribs }) => currencyOf(attribs.content ?? null) ?? [])[0] ?? null;
}

function isCurrencyName(name: string): boolean {
  return name.length <= NAME_CHARACTERS_MAX && /currency$/i.test(name) &&
    /^(?:(?:og|product):|(?:price)?currency$)/i.test(name);
}

function inMinorUnits(reading: Reading): PricedReading[] {
  const { currency } = reading;
  const exponent = currency === null ? null : currencyExponent(currency);
  if (currency === null || exponent === null) return [];
  const price = minorOfDecimal(reading.decimal, exponent);
  return price === null || price === 0 ? [] : [{ ...reading, currency, price }];
}

function noneOf(
  priced: readonly PricedReading[],
  wanted: string | null,
  alternatives: readonly Alternative[],
) {
  if (wanted !== null && priced.length > 0) {
    const message = `The page has a price in ${priced[0]?.currency}, not in ${wanted}`;
    return { result: failure("currency_mismatch", message, alternatives), why: message };
  }
  const message = "The page has a price without a currency: set the currency of the extractor";
  return { result: failure("ambiguous_price", message, alternatives), why: message };
}

function doubtsOf(first: PricedReading, page: ExtractionPage, named: readonly Reading[]): string[] {
  const { html, extractor } = page;
  const isPointed = Boolean(html ? extractor.priceSelector : extractor.jsonPath);
  const isAssumed = !extractor.currency &&
    named.every(({ method, currency }) => method !== first.method || currency === null);
  return [
    ...(isPointed && first.method !== "extractor" ? ["the extractor finds nothing"] : []),
    ...(html?.isWhole === false ? ["only the begin of the page was read"] : []),
    ...(isAssumed ? ["the page names no currency"] : []),
    ...(html && isStruckOut(html, first, page.work) ? ["the page shows it struck out"] : []),
  ];
}

/** Those of the reading itself, else of one that agrees with it, else the headings of the page. */
function namesOf(
  first: Reading,
  others: readonly Reading[],
  { html }: ExtractionPage,
): readonly string[] {
  const named = [first, ...others.filter((other) => agree(first, other))];
  return named.find(({ names }) => names.length > 0)?.names ?? html?.headings ?? [];
}

/** Whether what the page sells is what our title names. */
function doubtsOfProduct(
  { isNew }: Reading,
  names: readonly string[],
  ownTitle: string,
): string[] {
  const added = addedWord(names, ownTitle);
  return [
    ...(added === null ? [] : [`its name adds "${added}" to ours`]),
    ...(isNew || namesUsed(ownTitle) ? [] : ["it is not new"]),
  ];
}

/** What the reading itself says, else one that agrees with it, else any other. */
function availabilityOf(first: Reading, others: readonly Reading[]): Availability {
  const ranked = [first, ...others.filter((other) => agree(first, other)), ...others];
  return ranked.find(({ availability }) => availability !== "unknown")?.availability ?? "unknown";
}

function listPriceOf(first: PricedReading, others: readonly Reading[]): number | null {
  const fellows = [first, ...others.filter((other) => agree(first, other))];
  const decimal = fellows.find(({ listPrice }) => listPrice !== null)?.listPrice ?? null;
  const price = decimal === null
    ? null
    : minorOfDecimal(decimal, currencyExponent(first.currency) ?? 2);
  return price !== null && price > first.price ? price : null;
}

/** An observation has one currency: shipping in another one cannot be told there. */
function shippingOf({ shipping, currency }: PricedReading): number | null {
  if (shipping === null || (shipping.currency ?? currency) !== currency) return null;
  return minorOfDecimal(shipping.decimal, currencyExponent(currency) ?? 2);
}
