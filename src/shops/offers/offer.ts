import type { Availability } from "../../base/codes.ts";
import { utf8Bytes } from "../../base/text.ts";
import { joinDocuments } from "../../catalogue/products/product_wire.ts";
import { CAUSE_OF } from "./repair_cause.ts";

/**
 * Who disabled or removed a match: an import restores only matches that an import removed
 * (docs/decisions/imports.md).
 */
export type Disabler = "person" | "import";

/** Whether a match's page has the very article, or one that may be compared with it. */
export const MATCH_TYPES = ["exact", "equivalent"] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** The state of one match for prices and product pages. All offers of a product are in one row. */
export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  /** 32 hex characters: names the URL within the product. */
  readonly urlHash: string;
  /** The match's own switch; a disabled competitor's offers count as disabled too. */
  readonly enabled: boolean;
  /** Null while enabled. */
  readonly disabledBy: Disabler | null;
  /** The competitor sells this many of ours for the price. */
  readonly packFactor: number;
  readonly matchType: MatchType;
  /** A person has said that the page shows no price: that none is found there is no failure. */
  readonly noPrice: boolean;
  /** As seen, in minor units of `currency`, for `packFactor` pieces; null when never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** The previous price in the same currency; `null`: none or unknown. */
  readonly previousCents: number | null;
  /** The time of the first observation of the price, in milliseconds; `null` when unknown. */
  readonly sinceMs: number | null;
  /** Time of the last successful visit or push, in milliseconds. */
  readonly checkedAtMs: number | null;
  /**
   * `ok` or the error code of the last fetch (docs/decisions/scraping.md); null before the first.
   */
  readonly status: string | null;
  readonly error: string | null;
  /**
   * In what state the article is: at most `OFFER_CODE_MAX` characters of ASCII; null if the page
   * says nothing, or that it is new.
   */
  readonly condition: string | null;
  /** The seller, where it is not the shop itself: at most `SELLER_BYTES_MAX` bytes as JSON. */
  readonly seller: string | null;
  /** The shop's shipping cost of one parcel, in minor units of `currency`; `null` when unknown. */
  readonly shippingCents: number | null;
  /** A code of whether the page has our article: at most `OFFER_CODE_MAX` characters of ASCII. */
  readonly verdict: string | null;
  /** The time since when the price waits for review, in milliseconds; `null` when it does not. */
  readonly heldAtMs: number | null;
  /**
   * Since when every fetch has failed, whatever with, in milliseconds of a whole second; null when the
   * last one did not.
   */
  readonly failingSinceMs: number | null;
  /** The place of the price that a person pointed at is not on the page any more. */
  readonly isSelectorDead: boolean;
}

/**
 * True if the page shows another product than the one that it is linked to: its price counts for
 * nothing. An equivalent one was never meant to be the same.
 */
export function showsOtherProduct({ verdict, matchType }: Pick<Offer, "verdict" | "matchType">) {
  return verdict === "different" && matchType === "exact";
}

export const OFFER_CODE_MAX = 12;
/** Longest name of a seller, in bytes of its JSON without the quotation marks. */
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

/** The part of an observation that an offer keeps. */
export interface OfferObservation {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly confidence: number;
  readonly observedAtMs: number;
}

/**
 * The offer after an observation: the newest one stands. One that comes late or comes again changes
 * nothing, and the very same offer is answered: a push that is sent twice is no second cause to judge.
 * Facts with a time after `latestMs` were stored before the clock was set back, and are replaced.
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

/** Only exceptions are stored: most articles are new and sold by the shop itself. */
export function saleTerms({ condition, seller, shippingCents }: SaleTerms): SaleTerms {
  return {
    condition: condition === "new" ? null : condition,
    seller: seller === null ? null : shortenedTo(SELLER_BYTES_MAX, seller),
    shippingCents,
  };
}

/** The offer after a failed fetch: the last known price stays (docs/decisions/competitors.md). */
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

/** 200 offers of one product share a value of 64 KiB. */
const ERROR_BYTES_MAX = 88;

/** With a sign that something is missing; counted as JSON without its quotation marks. */
export function shortenedTo(bytesMax: number, message: string): string {
  let text = message.toWellFormed();
  while (utf8Bytes(JSON.stringify(text)) > bytesMax + 2) {
    text = `${[...text].slice(0, -2).join("").replace(/…$/, "")}…`;
  }
  return text;
}

/** The competitors that have an enabled offer here: what `trackedProducts` counts. */
export function trackingCompetitors(offers: readonly Offer[]): Set<string> {
  return new Set(offers.filter(({ enabled }) => enabled).map(({ competitorId }) => competitorId));
}

const SECOND_MS = 1_000;
type OfferExtras = readonly [
  /** 1: it is equivalent; 2 is added where its page shows no price. */
  matchType: number,
  condition: string | null,
  seller: string | null,
  shippingCents: number | null,
  verdict: string | null,
  heldAtMs: number | null,
  /** 1: the taught place is gone. */
  selector?: 1,
];

/** The last failure, and since when every fetch has failed, in seconds, where that is known. */
type StoredError = string | null | number | readonly [failingSince: number, error: string];

/**
 * For how long before its newest sighting the price has stood, in milliseconds, and what it was before,
 * where that is known.
 */
type OfferPast = number | readonly [standsMs: number, previousCents: number];

const NO_EXTRAS: OfferExtras = [0, null, null, null, null, null];

/** In place of `in_stock`, which most offers are; older rows spell it out. */
const IN_STOCK = 1;
/** In place of the status of a fetch that went well; older rows spell it out. */
const OK = 1;
/** In place of when it was looked at, where that is when its price was seen; older rows say it again. */
const WHEN_SEEN = "";

/** As stored: an array, because 100,000 rows are read in one pass. */
type OfferRow = readonly [
  matchId: string,
  competitorId: string,
  urlHash: string,
  /** 0: off by a person; 1: on; 2: off by an import. */
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
  /** Absent or 0 for an exact match of which nothing of it is known. */
  extras?: OfferExtras | 0,
  /** Absent if the start of its price is unknown, as in older rows. */
  past?: OfferPast,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Of one row; a value of the store holds 65,536. */
const ROW_BYTES_MAX = 65_000;

/**
 * The bytes of a product's offers row. If 200 offers do not fit in a value, first the error messages are
 * dropped, then the previous prices; codes stay.
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

/** The inverse of `encodeOffers`; only for bytes that it made, today or before. */
export function decodeOffers(bytes: Uint8Array): Offer[] {
  const rows: OfferRow[] = JSON.parse(decoder.decode(bytes));
  return rows.map(fromRow);
}

/** As `decodeOffers` for many rows at once: half the work of single ones. */
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

/** The inverse, for an offer with a price. */
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
