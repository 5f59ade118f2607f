/** The stored form of the offers of a product: one row of short arrays. */
import { decoder, encoder, joinDocuments } from "../../base/bytes.ts";
import type { Availability } from "../../base/codes.ts";
import { NO_FORMER_PRICES, type Offer } from "./offer.ts";

const SECOND_MS = 1_000;
type OfferExtras = readonly [
  /** Bit 1: the match is equivalent; bit 2: the page shows no price. */
  matchType: number,
  condition: string | null,
  seller: string | null,
  shippingCents: number | null,
  verdict: string | null,
  heldAtMs: number | null,
  /** 1 if the extractor's selector no longer finds a price. */
  selector?: 0 | 1,
  listPriceCents?: number | null,
  lowest30Cents?: number | null,
];

/** The last error, or the start of the failures in seconds, or both; null without failures. */
type StoredError = string | null | number | readonly [failingSince: number, error: string];

/** Time without a price change before `observedAtMs`, and the previous price if it is known. */
type OfferPast = number | readonly [unchangedMs: number, previousCents: number];

const NO_EXTRAS: OfferExtras = [0, null, null, null, null, null];

/** Older rows contain the word `in_stock`. */
const IN_STOCK = 1;
/** Older rows contain the word `ok`. */
const OK = 1;
/** Means that `checkedAtMs` equals `observedAtMs`. Older rows repeat the time. */
const WHEN_SEEN = "";

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
  /** Absent or 0 if the match is exact and the offer has no extra values. */
  extras?: OfferExtras | 0,
  /** Absent if the start of the current price is unknown, as in older rows. */
  past?: OfferPast,
];

/** A value of the store may have 65,536 bytes. */
const ROW_BYTES_MAX = 65_000;

/** If the row is too large, drops error messages, then previous, list and lowest prices. */
export function encodeOffers(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  const bytes = encode(offers);
  if (bytes.length <= ROW_BYTES_MAX) return bytes;
  const short = offers.map((offer) => ({ ...offer, error: null }));
  const fewer = encode(short);
  return fewer.length <= ROW_BYTES_MAX ? fewer : encode(
    short.map((one) => ({ ...one, ...NO_FORMER_PRICES, previousCents: null, sinceMs: null })),
  );
}

function encode(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(offers.map(toRow)));
}

/** Accepts only rows of this or an earlier version. */
export function decodeOffers(bytes: Uint8Array): Offer[] {
  const rows: OfferRow[] = JSON.parse(decoder.decode(bytes));
  return rows.map(fromRow);
}

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
  const unchangedMs = observedAtMs - sinceMs;
  return [extras, previousCents === null ? unchangedMs : [unchangedMs, previousCents]];
}

function pastFrom(
  past: OfferPast | undefined,
  observedAtMs: number | null,
): Pick<Offer, "previousCents" | "sinceMs"> {
  if (past === undefined || observedAtMs === null) return { previousCents: null, sinceMs: null };
  const [unchangedMs, previousCents] = typeof past === "number" ? [past, null] : past;
  return { previousCents, sinceMs: observedAtMs - unchangedMs };
}

function extrasOf(offer: Offer): OfferExtras | 0 {
  const { condition, seller, shippingCents, verdict, heldAtMs, isSelectorDead } = offer;
  const { listPriceCents, lowest30Cents } = offer;
  const type = (offer.matchType === "equivalent" ? 1 : 0) + (offer.noPrice ? 2 : 0);
  const dead = isSelectorDead ? 1 : 0;
  const base = [type, condition, seller, shippingCents, verdict, heldAtMs] as const;
  const extras: OfferExtras = listPriceCents !== null || lowest30Cents !== null
    ? [...base, dead, listPriceCents, lowest30Cents]
    : dead === 1
    ? [...base, dead]
    : base;
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
  const [type, condition, seller, shippingCents, verdict, heldAtMs, ...more] = extras === 0
    ? NO_EXTRAS
    : extras;
  const [selector, listPriceCents = null, lowest30Cents = null] = more;
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
    listPriceCents,
    lowest30Cents,
    verdict,
    heldAtMs,
    isSelectorDead: selector === 1,
  };
}
