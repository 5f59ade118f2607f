/**
 * The position of our price in the market (docs/decisions/market.md), computed from exact amounts.
 * In the results, money is rounded half up, and percentages to 2 decimals.
 */

import {
  compareFractions,
  divide,
  type Fraction,
  multiply,
  roundOf,
  subtract,
  whole,
} from "../../base/fraction.ts";
import {
  cheapestOffers,
  comparesDelivered,
  DEFAULT_OPTIONS,
  maxAgeMs,
  medianOf,
  oldestMsOf,
  rankOf,
  type References,
  selectReferences,
  sumOf,
} from "./reference.ts";
import {
  delivered,
  marginPct,
  type Market,
  type Offer,
  ownShippingOf,
  type PricedOffer,
  readMarket,
  type Situation,
} from "./situation.ts";

/** `ok`: an offer can be compared with our price. All other states say why not. */
export const MARKET_STATES = [
  "no_links",
  "unreadable",
  "never_seen",
  "not_comparable",
  "stale",
  "sold_out",
  "ok",
] as const;
export type MarketState = (typeof MARKET_STATES)[number];

export const MARKET_POSITIONS = ["cheapest", "middle", "dearest"] as const;
export type MarketPosition = (typeof MARKET_POSITIONS)[number];

/** Amounts are in minor units per piece, with VAT if our price includes VAT. */
export type MarketFacts = ReturnType<typeof marketFacts>;

export function marketFacts(situation: Situation) {
  const market = readMarket(situation);
  const references = marketReferences(market);
  const { offers } = references;
  // A price of 0 is treated like a missing price, as in rules (docs/decisions/rules.md).
  const ourPriceCents = situation.product.ourPriceCents || null;
  const comparedCents = ourPriceCents && comparedPrice(market, ourPriceCents);
  const hasOffers = offers.length > 0;
  const sum = sumOf(offers);
  return {
    state: hasOffers ? "ok" : stateWithoutOffers(market),
    links: situation.offers.length,
    offers,
    cheapest: cheapestOf(market, references),
    medianCents: hasOffers ? roundOf(medianOf(offers)) : null,
    averageCents: hasOffers ? roundOf(divide(sum, whole(offers.length))) : null,
    comparedCents,
    own: hasOffers && comparedCents !== null ? placeOf(comparedCents, references, sum) : null,
    newestAtMs: newestOf(situation),
    marginPct: marginPct(market, ourPriceCents),
    /** The next time at which an offer becomes too old to be compared. */
    changesAtMs: changesAtMs(market),
  };
}

export function marketReferences(market: Market): References {
  const references = selectReferences({ ...DEFAULT_OPTIONS, withShipping: false }, market);
  return { ...references, offers: marketUnits(references.offers, market) };
}

export function marketUnits(offers: readonly PricedOffer[], market: Market) {
  return comparesDelivered(DEFAULT_OPTIONS, market) ? delivered(offers, market) : offers;
}

export function comparedPrice(market: Market, ourPriceCents: number): number {
  if (!comparesDelivered(DEFAULT_OPTIONS, market)) return ourPriceCents;
  return ourPriceCents + (ownShippingOf(market.situation) ?? 0);
}

export function lacksShipping(market: Market, { shippingCents = null }: Offer): boolean {
  return shippingCents === null && comparesDelivered(DEFAULT_OPTIONS, market);
}

function stateWithoutOffers(market: Market): MarketState {
  const { offers } = market.situation;
  if (offers.length === 0) return "no_links";
  if (offers.every(({ priceCents }) => priceCents === null)) {
    const hasFailed = offers.some(({ status = null }) => status !== null && status !== "ok");
    return hasFailed ? "unreadable" : "never_seen";
  }
  if (market.priced.length === 0) return "not_comparable";
  return market.priced.some((offer) => isFresh(market, offer)) ? "sold_out" : "stale";
}

function isFresh(market: Market, { observedAtMs }: PricedOffer): boolean {
  return observedAtMs >= oldestMsOf(DEFAULT_OPTIONS, market);
}

function changesAtMs(market: Market): number | null {
  const fresh = market.priced.filter((offer) => isFresh(market, offer));
  if (fresh.length === 0) return null;
  const firstMs = Math.min(...fresh.map(({ observedAtMs }) => observedAtMs));
  return firstMs + maxAgeMs(DEFAULT_OPTIONS, market.situation.mode) + 1;
}

function newestOf({ offers }: Situation): number | null {
  const newestMs = Math.max(...offers.map(({ observedAtMs }) => observedAtMs ?? -Infinity));
  return newestMs === -Infinity ? null : newestMs;
}

function cheapestOf(market: Market, references: References) {
  // If totals are equal, the lowest price before shipping comes first, then the oldest link.
  const [first] = references.offers;
  if (!first) return null;
  const { competitorId, competitor, matchType = "exact", inStock } = first.offer;
  return {
    cents: roundOf(first.unit),
    competitorId,
    competitor,
    matchType,
    inStock: inStock === true ? true as const : null,
    count: cheapestOffers(references).length,
    lacksShipping: lacksShipping(market, first.offer),
    observedAtMs: first.observedAtMs,
  };
}

function placeOf(ourPriceCents: number, references: References, sum: Fraction) {
  const { offers } = references;
  const ours = whole(ourPriceCents);
  const cheapest = offers[0]?.unit ?? whole(0);
  const gap = subtract(ours, cheapest);
  const rank = rankOf(ourPriceCents, references);
  const index = shareOf(whole(ourPriceCents * offers.length), sum);
  return {
    gapCents: roundOf(gap),
    gapPct: shareOf(gap, cheapest),
    roomPct: shareOf(subtract(cheapest, ours), ours),
    /** The cheapest price has rank 1, and equal prices share a rank. */
    rank,
    position: rank === 1 ? "cheapest" : rank > offers.length ? "dearest" : "middle",
    indexPct: index && index.pct,
  };
}

const HUNDREDTHS = whole(10_000);

/**
 * Returns `part` in percent of `all`; `all` must not be negative. `rest` is 1 if the exact
 * percentage is above the rounded `pct`, -1 if below, and 0 if equal.
 */
function shareOf(part: Fraction, all: Fraction) {
  if (compareFractions(all, whole(0)) === 0) return null;
  const exact = divide(multiply(part, HUNDREDTHS), all);
  const hundredths = roundOf(exact);
  return { pct: hundredths / 100, rest: compareFractions(exact, whole(hundredths)) };
}
