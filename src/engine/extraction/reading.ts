/**
 * A reading is the price that one extraction method finds on a page. First the page's product is
 * chosen, then one of the product's offers.
 */
import { isInStock } from "../../base/codes.ts";
import { currencyExponent } from "../../base/money.ts";
import { minorOfDecimal } from "../../base/price_text.ts";
import {
  type Candidate,
  compareDecimals,
  currencyOf,
  onlyCode,
  plainDecimal,
  type Priced,
} from "./amount.ts";
import type { EXTRACTORS, Method } from "./extractors.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import { chooseProduct, isOwnShop, type OurSide, type PageIdentity } from "./page_product.ts";
import type { ShownReading } from "./shown/scored_price.ts";
import { narrowed } from "./variants/choose_variant.ts";

export function pricedOf(candidates: readonly Candidate[]): readonly Priced[] {
  return candidates.filter((one): one is Priced => "decimal" in one.amount);
}

/**
 * Chooses the offer whose price is used for a product (docs/decisions/scraping.md). The shop's own
 * offers are preferred, then offers that fit the page or our product, then new articles, then
 * articles in stock. Of the remaining offers, the cheapest is usually chosen. If the remaining
 * offers differ only in price and are not variants, the most expensive is chosen, because cheaper
 * prices are probably for larger quantities.
 */
function chooseOffer(candidates: readonly Candidate[], side: ReadingSide) {
  const { identity: page, wanted, currency } = side;
  const meant = currency ?? wanted?.currency ?? null;
  const { offers, isMixed } = inOneCurrency(pricedOf(candidates), meant, page);
  const own = ownOffers(offers, page);
  if (own.length === 0) return null;
  const { fitting, why } = fittingOffers(own, side);
  const isNew = preferred(fitting, ({ isNew }) => isNew);
  const inStock = preferred(isNew, ({ availability }) => isInStock(availability) !== false);
  const prices = new Set(inStock.map(({ amount }) => plainDecimal(amount.decimal)));
  const isOpen = prices.size > 1 && areAlike(inStock);
  const isTiered = isOpen && !inStock.some(({ isVariant }) => isVariant);
  const best = inStock.reduce((best, offer) => {
    const difference = compareDecimals(offer.amount.decimal, best.amount.decimal);
    return (isTiered ? difference > 0 : difference < 0) ? offer : best;
  });
  const many = own.length === 1
    ? null
    : `the ${isTiered ? "highest" : "lowest"} of ${inStock.length} offers`;
  return {
    candidate: best,
    why: why ?? many,
    isUndecided: isMixed || isOpen,
  };
}

export function comparableOffers(
  candidates: readonly Candidate[],
  page: PageIdentity,
  currency: string | null,
): readonly Priced[] {
  const { offers } = inOneCurrency(pricedOf(candidates), currency, page);
  return preferred(ownOffers(offers, page), ({ isNew }) => isNew);
}

function areAlike(offers: readonly Priced[]): boolean {
  const differing = new Set(offers.map(({ offer, seller }) => {
    const { names, urls, gtins, numbers } = offer;
    return JSON.stringify([names, urls, gtins, numbers, seller]);
  }));
  return differing.size === 1 && new Set(offers.map(({ offer }) => offer)).size > 1;
}

function ownOffers(offers: readonly Priced[], page: PageIdentity): readonly Priced[] {
  if (new Set(offers.map(({ seller }) => seller)).size < 2) return offers;
  return preferred(offers, ({ seller }) => seller !== null && isOwnShop(seller, page));
}

/** `isMixed` is true if the offers have several currencies and it is unclear which is right. */
function inOneCurrency(offers: readonly Priced[], wanted: string | null, page: PageIdentity) {
  const known = offers.flatMap(({ amount }) => amount.currency ?? []);
  const meant = known.find((code) => code === wanted) ??
    known.find((code) => code === page.currency);
  const currency = meant ?? known[0] ?? null;
  return {
    offers: offers.filter(({ amount }) => amount.currency === null || amount.currency === currency)
      .map((offer) => ({ ...offer, amount: { ...offer.amount, currency } })),
    isMixed: meant === undefined && new Set(known).size > 1,
  };
}

function fittingOffers(offers: readonly Priced[], side: ReadingSide) {
  const { left, by } = narrowed(offers, { ...side, title: null, traits: new Map() });
  if (by === null) return { fitting: offers, why: null };
  const isUnidentified = ({ offer }: Priced) => Object.values(offer).flat().length === 0;
  const chosen = new Set(left);
  const fitting = offers.filter((offer) => chosen.has(offer) || isUnidentified(offer));
  return { fitting, why: fitting.length < offers.length ? `the offer by ${by}` : null };
}

function preferred<T>(items: readonly T[], wish: (item: T) => boolean): readonly T[] {
  const wished = items.filter(wish);
  return wished.length > 0 ? wished : items;
}

export interface Reading extends Omit<Candidate, "amount"> {
  readonly method: Method;
  /** The exact price in major units, above 0. */
  readonly decimal: string;
  readonly currency: string | null;
  /** False if the amount may have been misread, or may belong to another product. */
  readonly isSure: boolean;
  readonly isUndecided: boolean;
  readonly why: string;
  readonly names: readonly string[];
}

export interface MethodReading {
  readonly outcome: Reading | NoReading;
  readonly offers: readonly Candidate[];
  readonly candidates: readonly Candidate[];
}

export interface NoReading {
  readonly method: Method;
  readonly reason: "nothing" | "no_price" | "ambiguous_price" | "other_product" | "other_variant";
}

export interface ReadingSide extends OurSide {
  readonly page: ExtractionPage;
  readonly currency: string | null;
  readonly shownOf: () => ShownReading | null;
}

export function readingOf(
  { method, candidates }: (typeof EXTRACTORS)[number],
  side: ReadingSide,
): MethodReading {
  const found = candidates(side.page);
  const product = chooseProduct(found, side);
  const offers = product?.candidates ?? [];
  const offer = product && chooseOffer(offers, side);
  if (!offer) return { candidates: found, offers, outcome: { method, reason: reasonOf(found) } };
  const reading = readingOfOffer(method, offer.candidate);
  const outcome = {
    ...reading,
    isSure: product.isSure && reading.isSure,
    isUndecided: offer.isUndecided,
    why: [product.why, offer.why].filter((part) => part !== null).join("; "),
  };
  return { candidates: found, offers, outcome };
}

function reasonOf(found: readonly Candidate[]): NoReading["reason"] {
  if (found.length === 0) return "nothing";
  const reasons = found.map(({ amount }) => "reason" in amount ? amount.reason : "other_product");
  return reasons.includes("ambiguous_price")
    ? "ambiguous_price"
    : reasons.includes("other_product")
    ? "other_product"
    : "no_price";
}

export function readingsIn(methods: readonly MethodReading[]): readonly Reading[] {
  return methods.map(({ outcome }) => outcome).filter((outcome) => "decimal" in outcome);
}

export function readingOfOffer(method: Method, candidate: Priced): Reading {
  const { amount, ...rest } = candidate;
  const names = [...rest.subject.names, ...rest.offer.names];
  return { ...rest, ...amount, method, isUndecided: false, why: "", names };
}

export function agree(one: Reading, other: Reading): boolean {
  const isOneCurrency = one.currency === null || other.currency === null ||
    one.currency === other.currency;
  return isOneCurrency && compareDecimals(one.decimal, other.decimal) === 0;
}

/** `price` is in minor units of `currency`. */
export type PricedReading = Reading & { readonly price: number; readonly currency: string };

export function withCurrencies(
  readings: readonly Reading[],
  { page, identity, shown }: ReadingSide & { readonly shown: ShownReading | null },
): readonly Reading[] {
  const known = readings.filter(({ currency }) => currency !== null);
  return readings.map((reading) => {
    if (reading.currency !== null) return reading;
    const fellow = known.find((other) => agree(reading, other)) ?? known[0];
    const currency = fellow?.currency ?? metaCurrency(page) ??
      currencyShownWith(reading, shown, identity.currency);
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
  const named = [...html?.metas ?? []].filter(([name]) =>
    /^(?:(?:og|product):.{0,90}|price)?currency$/.test(name)
  );
  return named.flatMap(([, texts]) => texts.flatMap((text) => currencyOf(text) ?? []))[0] ?? null;
}

export function inMinorUnits(reading: Reading): PricedReading[] {
  const { currency } = reading;
  const exponent = currency === null ? null : currencyExponent(currency);
  if (currency === null || exponent === null) return [];
  const price = minorOfDecimal(reading.decimal, exponent);
  return price === null || price === 0 ? [] : [{ ...reading, currency, price }];
}
