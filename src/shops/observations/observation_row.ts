import type { Availability } from "../../base/codes.ts";
import type { Observation, ObservationSource } from "./observation.ts";

/** As stored: product and time are in the key. Nulls at the end are left out. */
export type ObservationRow = readonly [
  matchId: string,
  competitorId: string,
  priceCents: number,
  currency: string,
  availability: Availability,
  confidence: number,
  source: ObservationSource,
  method?: string | null,
  runId?: string | null,
  listPriceCents?: number | null,
  shippingCents?: number | null,
  held?: 1,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function toRow(observation: Observation): ObservationRow {
  const { method, runId, listPriceCents, shippingCents } = observation;
  const known = [
    observation.matchId,
    observation.competitorId,
    observation.priceCents,
    observation.currency,
    observation.availability,
    observation.confidence,
    observation.source,
  ] as const;
  if (observation.isHeld) return [...known, method, runId, listPriceCents, shippingCents, 1];
  if (listPriceCents !== null || shippingCents !== null) {
    return [...known, method, runId, listPriceCents, shippingCents];
  }
  return method === null && runId === null ? known : [...known, method, runId];
}

export function fromRow(
  row: ObservationRow,
  { productId, observedAtMs }: Pick<Observation, "productId" | "observedAtMs">,
): Observation {
  const [matchId, competitorId, priceCents, currency, availability, confidence, source] = row;
  const [, , , , , , , method, runId, listPriceCents, shippingCents, held] = row;
  return {
    productId,
    matchId,
    competitorId,
    priceCents,
    currency,
    availability,
    listPriceCents: listPriceCents ?? null,
    shippingCents: shippingCents ?? null,
    method: method ?? null,
    confidence,
    source,
    runId: runId ?? null,
    observedAtMs,
    ...held && { isHeld: true },
  };
}

/** The bytes of an observation's row. */
export function encodeRow(observation: Observation): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(toRow(observation)));
}

/** The inverse of `encodeRow`; only for bytes that it made. */
export function decodeRow(
  bytes: Uint8Array,
  place: Pick<Observation, "productId" | "observedAtMs">,
): Observation {
  const row: ObservationRow = JSON.parse(decoder.decode(bytes));
  return fromRow(row, place);
}
