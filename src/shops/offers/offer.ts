import type { Availability } from "../../base/codes.ts";
import { utf8Bytes } from "../../base/text.ts";
import { joinDocuments } from "../../catalogue/products/product_wire.ts";
import { CAUSE_OF } from "./repair_cause.ts";

/**
 * Who disabled or removed a match. An import restores only matches that an import removed
 * (docs/decisions/imports.md).
 */
export type Disabler = "person" | "import";

/** Whether a match's page has exactly our product or an equivalent one. */
export const MATCH_TYPES = ["exact", "equivalent"] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** The state of one match for rules and product pages. All offers of a product are in one row. */
export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  /** 32 hex characters that identify the URL within the product. */
  readonly urlHash: string;
  /** Whether the match itself is enabled; offers of a disabled competitor count as disabled too. */
  readonly enabled: boolean;
  /** Null if enabled. */
  readonly disabledBy: Disabler | null;
  /** Number of our pieces that the competitor sells for the price. */
  readonly packFactor: number;
  readonly matchType: MatchType;
  /**
   * True if a person has said that the page shows no price, so that a missing price is no failure.
   */
  readonly noPrice: boolean;
  /**
   * The observed price in minor units of `currency`, for `packFactor` pieces; null if never
   * observed.
   */
  readonly priceCents: number | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** The previous price in the same currency; null if none or unknown. */
  readonly previousCents: number | null;
  /** The time of the first observation of the current price, in milliseconds; null if unknown. */
  readonly sinceMs: number | null;
  /** Time of the last successful visit or push, in milliseconds. */
  readonly checkedAtMs: number | null;
  /**
   * `ok` or the error code of the last fetch (docs/decisions/scraping.md); null before the first
   * fetch.
   */
  readonly status: string | null;
  readonly error: string | null;
  /**
   * Condition of the article, at most `OFFER_CODE_MAX` ASCII characters; null if it is new or the
   * page does not show it.
   */
  readonly condition: string | null;
  /** The seller if it is not the shop itself, at most `SELLER_BYTES_MAX` bytes as JSON. */
  readonly seller: string | null;
  /** The shop's shipping cost of one parcel, in minor units of `currency`; null if unknown. */
  readonly shippingCents: number | null;
  /** Code for whether the page shows our product, at most `OFFER_CODE_MAX` ASCII characters. */
  readonly verdict: string | null;
  /** Since when the price waits for review, in milliseconds; null if it does not wait. */
  readonly heldAtMs: number | null;
  /**
   * Since when every fetch has failed, for any reason, in milliseconds rounded to seconds; null if
   * the last one did not fail.
   */
  readonly failingSinceMs: number | null;
  /** True if the page no longer has the place of the price that a person has taught. */
  readonly isSelectorDead: boolean;
}

/**
 * True if the page shows a different product than the linked one, so that its price never counts.
 * Always false for an equivalent match, whose page shows another product on purpose.
 */
export function showsOtherProduct({ verdict, matchType }: Pick<Offer, "verdict" | "matchType">) {
  return verdict === "different" && matchType === "exact";
}

export const OFFER_CODE_MAX = 12;
/** Maximum length of a seller's name, in bytes of its JSON without quotation marks. */
export const SELLER_BYTES_MAX = 52;

export type OfferTerms = Pick<
  Offer,
  | "matchId"
  | "competitorId"
  | "urlHash"
  | "enabled"
  | "disabledBy"
  | "packFactor"
  | "matchType"
  | "noPrice"
>;

export function blankOffer(terms: OfferTerms): Offer {
  return {
    ...terms,
    priceCents: null,
    currency: null,
    availability: null,
    confidence: null,
    observedAtMs: null,
    previousCents: null,
    sinceMs: null,
    checkedAtMs: null,
    status: null,
    error: null,
    condition: null,
    seller: null,
    shippingCents: null,
    verdict: null,
    heldAtMs: null,
    failingSinceMs: null,
    isSelectorDead: false,
  };
}

/** The part of an observation that an offer stores. */
export interface OfferObservation {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly confidence: number;
  readonly observedAtMs: number;
}

/**
 * Returns the offer after an observation. An older or repeated observation changes nothing and
 * returns the same object, so that repeating a push does not trigger rules again. Facts with a time
 * after `latestMs` were stored before the clock was set back; they are replaced.
 */
export function withObservation(
  offer: Offer,
  { priceCents, currency, availability, confidence, observedAtMs: atMs }: OfferObservation,
  latestMs: number,
): Offer {
  const seen = { priceCents, currency, availability, confidence, observedAtMs: atMs };
  const { observedAtMs } = offer;
  const isLate = observedAtMs !== null && seen.observedAtMs < observedAtMs;
  if (isLate && observedAtMs <= latestMs) return offer;
  if (isKnown(offer, seen)) return offer;
  const checked = { checkedAtMs: seen.observedAtMs, status: "ok", error: null };
  const past = isLate ? { previousCents: null, sinceMs: seen.observedAtMs } : pastOf(offer, seen);
  return { ...offer, ...seen, ...past, ...checked, failingSinceMs: null };
}

function pastOf(offer: Offer, seen: OfferObservation): Pick<Offer, "previousCents" | "sinceMs"> {
  const { priceCents, currency, previousCents, sinceMs } = offer;
  const isSameCurrency = currency === seen.currency;
  if (isSameCurrency && priceCents === seen.priceCents) return { previousCents, sinceMs };
  return { previousCents: isSameCurrency ? priceCents : null, sinceMs: seen.observedAtMs };
}

const SEEN = ["observedAtMs", "priceCents", "currency", "availability", "confidence"] as const;

function isKnown(offer: Offer, seen: OfferObservation): boolean {
  return offer.status === "ok" && offer.checkedAtMs === seen.observedAtMs &&
    SEEN.every((field) => offer[field] === seen[field]);
}

export type SaleTerms = Pick<Offer, "condition" | "seller" | "shippingCents">;

/**
 * Converts terms of sale to their stored form. `new` is stored as null, because most articles are
 * new.
 */
export function saleTerms({ condition, seller, shippingCents }: SaleTerms): SaleTerms {
  return {
    condition: condition === "new" ? null : condition,
    seller: seller === null ? null : shortenedTo(SELLER_BYTES_MAX, seller),
    shippingCents,
  };
}

/**
 * Returns the offer after a failed fetch. The last known price stays
 * (docs/decisions/competitors.md).
 */
export function withFailedFetch(
  offer: Offer,
  { errorCode, message }: { readonly errorCode: string; readonly message: string },
  atMs: number,
): Offer {
  const sinceMs = offer.failingSinceMs ?? Math.floor(atMs / SECOND_MS) * SECOND_MS;
  const failingSinceMs = CAUSE_OF.has(errorCode) ? sinceMs : null;
  return {
    ...offer,
    status: errorCode,
    error: shortenedTo(ERROR_BYTES_MAX, message),
    failingSinceMs,
  };
}

/** Limited because 200 offers of a product share a value of 64 KiB. */
const ERROR_BYTES_MAX = 88;

/** Shortens a text, with an ellipsis, to a number of bytes as JSON without quotation marks. */
export function shortenedTo(bytesMax: number, message: string): string {
  let text = message.toWellFormed();
  while (utf8Bytes(JSON.stringify(text)) > bytesMax + 2) {
    text = `${[...text].slice(0, -2).join("").replace(/…$/, "")}…`;
  }
  return text;
}

/** Returns the competitors with an enabled offer of the product, for `trackedProducts`. */
export function trackingCompetitors(offers: readonly Offer[]): Set<string> {
  return new Set(offers.filter(({ enabled }) => enabled).map(({ competitorId }) => competitorId));
}

const SECOND_MS = 1_000;
type OfferExtras = readonly [
  /** Bit 1: the match is equivalent; bit 2: its page shows no price. */
  matchType: number,
  condition: string | null,
  seller: string | null,
  shippingCents: number | null,
  verdict: string | null,
  heldAtMs: number | null,
  /** 1 if the page no longer has the taught place. */
  selector?: 1,
];

/** The message of the last failure, and if known, since when every fetch has failed, in seconds. */
type StoredError = string | null | number | readonly [failingSince: number, error: string];

/**
 * How long before its newest observation the price has been the same, in milliseconds, and if
 * known, the previous price.
 */
type OfferPast = number | readonly [standsMs: number, previousCents: number];

const NO_EXTRAS: OfferExtras = [0, null, null, null, null, null];

/** Stored instead of `in_stock`, the most frequent value; older rows contain the word. */
const IN_STOCK = 1;
/** Stored instead of the status `ok`; older rows contain the word. */
const OK = 1;
/** Stored instead of `checkedAtMs` if it equals `observedAtMs`; older rows repeat the time. */
const WHEN_SEEN = "";

/** The stored form: an array, because 100,000 rows are read in one pass. */
type OfferRow = readonly [
  matchId: string,
  competitorId: string,
  urlHash: string,
  /** 0: disabled by a person; 1: enabled; 2: disabled by an import. */
  switched: 0 | 1 | 2,
  priceCents: number | null,
  currency: string | null,
  availability: Availability | typeof IN_STOCK | null,
  packFactor: number,
  confidence: number | null,
  observedAtMs: number | null,
  status: string | typeof OK | null,
  checkedAtMs: number | typeof WHEN_SEEN | null,
  error: StoredError,
  /** Absent or 0 for an exact match without any of these values. */
  extras?: OfferExtras | 0,
  /** Absent if the start of the current price is unknown, as in older rows. */
  past?: OfferPast,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Maximum size of a row; a value of the store has at most 65,536 bytes. */
const ROW_BYTES_MAX = 65_000;

/**
 * Encodes a product's offers row. If it does not fit into a value, error messages are dropped
 * first, then previous prices; codes are always kept.
 */
export function encodeOffers(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  const bytes = encode(offers);
  if (bytes.length <= ROW_BYTES_MAX) return bytes;
  const short = offers.map((offer) => ({ ...offer, error: null }));
  const fewer = encode(short);
  return fewer.length <= ROW_BYTES_MAX
    ? fewer
    : encode(short.map((offer) => ({ ...offer, previousCents: null, sinceMs: null })));
}

function encode(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(offers.map(toRow)));
}

/** The inverse of `encodeOffers`; accepts only bytes from this or an earlier version of it. */
export function decodeOffers(bytes: Uint8Array): Offer[] {
  const rows: OfferRow[] = JSON.parse(decoder.decode(bytes));
  return rows.map(fromRow);
}

/** Like `decodeOffers` for many rows at once, which takes half the time. */
export function decodeOfferRows(values: readonly Uint8Array[]): Offer[][] {
  const rows: OfferRow[][] = JSON.parse(decoder.decode(joinDocuments("[", values, "]")));
  return rows.map((offers) => offers.map(fromRow));
}

function toRow(offer: Offer): OfferRow {
  const isSeenWhenChecked = offer.checkedAtMs !== null && offer.checkedAtMs === offer.observedAtMs;
  return [
    offer.matchId,
    offer.competitorId,
    offer.urlHash,
    offer.enabled ? 1 : offer.disabledBy === "import" ? 2 : 0,
    offer.priceCents,
    offer.currency,
    offer.availability === "in_stock" ? IN_STOCK : offer.availability,
    offer.packFactor,
    offer.confidence,
    offer.observedAtMs,
    offer.status === "ok" ? OK : offer.status,
    isSeenWhenChecked ? WHEN_SEEN : offer.checkedAtMs,
    errorRow(offer),
    ...tailOf(offer),
  ];
}

function errorRow({ error, failingSinceMs }: Offer): StoredError {
  if (failingSinceMs === null) return error;
  const failingSince = failingSinceMs / SECOND_MS;
  return error === null ? failingSince : [failingSince, error];
}

function errorOf(row: StoredError): Pick<Offer, "error" | "failingSinceMs"> {
  if (row === null || typeof row === "string") return { error: row, failingSinceMs: null };
  if (typeof row === "number") return { error: null, failingSinceMs: row * SECOND_MS };
  const [failingSince, error] = row;
  return { error, failingSinceMs: failingSince * SECOND_MS };
}

function tailOf(offer: Offer): [(OfferExtras | 0)?, OfferPast?] {
  const extras = extrasOf(offer);
  const { observedAtMs, sinceMs, previousCents } = offer;
  if (observedAtMs === null || sinceMs === null) return extras === 0 ? [] : [extras];
  const standsMs = observedAtMs - sinceMs;
  return [extras, previousCents === null ? standsMs : [standsMs, previousCents]];
}

/** The inverse of encoding the past, for an offer with a price. */
function pastFrom(
  past: OfferPast | undefined,
  observedAtMs: number | null,
): Pick<Offer, "previousCents" | "sinceMs"> {
  if (past === undefined || observedAtMs === null) return { previousCents: null, sinceMs: null };
  const [standsMs, previousCents] = typeof past === "number" ? [past, null] : past;
  return { previousCents, sinceMs: observedAtMs - standsMs };
}

function extrasOf(offer: Offer): OfferExtras | 0 {
  const { condition, seller, shippingCents, verdict, heldAtMs, isSelectorDead } = offer;
  const type = (offer.matchType === "equivalent" ? 1 : 0) + (offer.noPrice ? 2 : 0);
  const dead: [1?] = isSelectorDead ? [1] : [];
  const extras: OfferExtras = [type, condition, seller, shippingCents, verdict, heldAtMs, ...dead];
  return extras.every((value) => value === null || value === 0) ? 0 : extras;
}

function fromRow(
  [
    matchId,
    competitorId,
    urlHash,
    switched,
    priceCents,
    currency,
    availability,
    packFactor,
    confidence,
    observedAtMs,
    status,
    checkedAtMs,
    error,
    extras = 0,
    past,
  ]: OfferRow,
): Offer {
  const [type, condition, seller, shippingCents, verdict, heldAtMs, selector] = extras === 0
    ? NO_EXTRAS
    : extras;
  return {
    matchId,
    competitorId,
    urlHash,
    enabled: switched === 1,
    disabledBy: switched === 1 ? null : switched === 2 ? "import" : "person",
    packFactor,
    matchType: type % 2 === 1 ? "equivalent" : "exact",
    noPrice: type >= 2,
    priceCents,
    currency,
    availability: availability === IN_STOCK ? "in_stock" : availability,
    confidence,
    observedAtMs,
    ...pastFrom(past, observedAtMs),
    checkedAtMs: checkedAtMs === WHEN_SEEN ? observedAtMs : checkedAtMs,
    status: status === OK ? "ok" : status,
    ...errorOf(error),
    condition,
    seller,
    shippingCents,
    verdict,
    heldAtMs,
    isSelectorDead: selector === 1,
  };
}
