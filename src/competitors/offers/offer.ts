import { type Availability } from "../../base/availability.ts";
import { utf8Bytes } from "../../base/text.ts";
import { joinDocuments } from "../../catalogue/products/product_wire.ts";

/**
 * Who switched a match off, or took one away: an import gives back only what an import took
 * (docs/decisions/imports.md).
 */
export type Disabler = "person" | "import";

/**
 * What is known of one match for price maths and product pages: the moving half of a match. All of
 * one product's lie in one row of the store.
 */
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
  /** As seen, in minor units of `currency`, for `packFactor` pieces; null when never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  /** 0 to 1. */
  readonly confidence: number | null;
  /** When the price above was seen, in milliseconds. */
  readonly observedAtMs: number | null;
  /** When it was last looked at with success, in milliseconds. */
  readonly checkedAtMs: number | null;
  /**
   * `ok` or the error code of the last fetch (docs/decisions/scraping.md); null before the first.
   */
  readonly status: string | null;
  /** What the last fetch failed with, for people. */
  readonly error: string | null;
}

/** The part of an offer that its match decides. */
export type OfferTerms = Pick<
  Offer,
  "matchId" | "competitorId" | "urlHash" | "enabled" | "disabledBy" | "packFactor"
>;

/** An offer of a match that was never looked at. */
export function blankOffer(terms: OfferTerms): Offer {
  return {
    ...terms,
    priceCents: null,
    currency: null,
    availability: null,
    confidence: null,
    observedAtMs: null,
    checkedAtMs: null,
    status: null,
    error: null,
  };
}

/** What an observation says of an offer. */
export interface Sighting {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly confidence: number;
  readonly observedAtMs: number;
}

/**
 * The offer after an observation: the newest one stands. One that comes late or comes again changes
 * nothing, and the very same offer is answered: a push that is sent twice is no second cause to judge.
 * What is known from after `latestMs` was noted before the clock was set back, and gives way.
 */
export function withSighting(offer: Offer, seen: Sighting, latestMs: number): Offer {
  const { observedAtMs } = offer;
  const isLate = observedAtMs !== null && seen.observedAtMs < observedAtMs;
  if (isLate && observedAtMs <= latestMs) return offer;
  if (isKnown(offer, seen)) return offer;
  return { ...offer, ...seen, checkedAtMs: seen.observedAtMs, status: "ok", error: null };
}

function isKnown(offer: Offer, seen: Sighting): boolean {
  return offer.status === "ok" && offer.checkedAtMs === seen.observedAtMs &&
    offer.observedAtMs === seen.observedAtMs && offer.priceCents === seen.priceCents &&
    offer.currency === seen.currency && offer.availability === seen.availability &&
    offer.confidence === seen.confidence;
}

/** The offer after a failed fetch: the last known price stays (docs/decisions/competitors.md). */
export function withFailedFetch(offer: Offer, errorCode: string, message: string): Offer {
  return { ...offer, status: errorCode, error: shortened(message) };
}

/** 200 offers of one product share a value of 64 KiB. */
const ERROR_BYTES_MAX = 100;

function shortened(message: string): string {
  let text = message.toWellFormed();
  while (utf8Bytes(JSON.stringify(text)) > ERROR_BYTES_MAX + 2) {
    text = `${[...text].slice(0, -2).join("").replace(/…$/, "")}…`;
  }
  return text;
}

/** The competitors that have an enabled offer here: what `trackedProducts` counts. */
export function trackingCompetitors(offers: readonly Offer[]): Set<string> {
  return new Set(offers.filter(({ enabled }) => enabled).map(({ competitorId }) => competitorId));
}

const ENABLED = 1;
const OFF_BY_PERSON = 0;
const OFF_BY_IMPORT = 2;

/** As stored: an array, because 100,000 rows are read in one pass. */
type OfferRow = readonly [
  matchId: string,
  competitorId: string,
  urlHash: string,
  switched: typeof ENABLED | typeof OFF_BY_PERSON | typeof OFF_BY_IMPORT,
  priceCents: number | null,
  currency: string | null,
  availability: Availability | null,
  packFactor: number,
  confidence: number | null,
  observedAtMs: number | null,
  status: string | null,
  checkedAtMs: number | null,
  error: string | null,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a product's offers row. */
export function encodeOffers(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(offers.map(toRow)));
}

/** The inverse of `encodeOffers`; only for bytes that it made. */
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
  const off = offer.disabledBy === "import" ? OFF_BY_IMPORT : OFF_BY_PERSON;
  return [
    offer.matchId,
    offer.competitorId,
    offer.urlHash,
    offer.enabled ? ENABLED : off,
    offer.priceCents,
    offer.currency,
    offer.availability,
    offer.packFactor,
    offer.confidence,
    offer.observedAtMs,
    offer.status,
    offer.checkedAtMs,
    offer.error,
  ];
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
  ]: OfferRow,
): Offer {
  const enabled = switched === ENABLED;
  const off = switched === OFF_BY_IMPORT ? "import" : "person";
  return {
    matchId,
    competitorId,
    urlHash,
    enabled,
    disabledBy: enabled ? null : off,
    packFactor,
    priceCents,
    currency,
    availability,
    confidence,
    observedAtMs,
    checkedAtMs,
    status,
    error,
  };
}
