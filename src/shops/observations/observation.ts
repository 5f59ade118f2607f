/**
 * An observation is a competitor's price at one time (docs/decisions/competitors.md). The
 * observation's id is derived from linked page, time and price, so storing the same price again
 * overwrites its row. All lists of observations are sorted by time, then by id.
 */
import { z } from "@hono/zod-openapi";
import { AVAILABILITIES, type Availability, isInStock } from "../../base/codes.ts";
import { idAt } from "../../base/id.ts";
import { compareTexts } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { Offer } from "../offers/offer.ts";

export const OBSERVATION_SOURCES = ["scrape", "push"] as const;
type ObservationSource = (typeof OBSERVATION_SOURCES)[number];

export interface Observation {
  readonly productId: string;
  readonly matchId: string;
  readonly competitorId: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly listPriceCents: number | null;
  readonly shippingCents: number | null;
  /** Lowest price of 30 days that the page states; absent if the page states none. */
  readonly lowest30Cents?: number | undefined;
  /** Method by which the price was read from the page; null if a client sent the price. */
  readonly method: string | null;
  /** Reliability of the price, from 0 to 1. */
  readonly confidence: number;
  readonly source: ObservationSource;
  readonly runId: string | null;
  readonly observedAtMs: number;
  /** True if the price was put into quarantine. */
  readonly isHeld?: boolean | undefined;
}

export function isAccepted(
  { isHeld, priceCents, currency }: Observation,
  offer: Pick<Offer, "priceCents" | "currency"> | undefined,
): boolean {
  return !isHeld || (offer?.priceCents === priceCents && offer.currency === currency);
}

export type Seen = Omit<Observation, "productId" | "matchId" | "competitorId">;

export interface Position {
  readonly atMs: number;
  readonly id: string;
}

function observationId(
  { matchId, observedAtMs, priceCents }: Pick<
    Observation,
    "matchId" | "observedAtMs" | "priceCents"
  >,
): string {
  return idAt(observedAtMs, `${matchId} ${observedAtMs} ${priceCents}`);
}

export interface PlacedObservation extends Position {
  readonly observation: Observation;
}

export function positionOf(observation: Observation): Position {
  return { atMs: observation.observedAtMs, id: observationId(observation) };
}

export function positionText({ atMs, id }: Position): string {
  return `${String(atMs).padStart(16, "0")} ${id}`;
}

export function comparePositions(a: Position, b: Position): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  return compareTexts(a.id, b.id);
}

export const ObservationDocument = z.object({
  id: z.string(),
  productId: z.string(),
  sku: z.string(),
  competitorProductId: z.string(),
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  domain: z.string(),
  url: z.string(),
  price: z.int().describe("Minor units of `currency`, as observed"),
  currency: z.string(),
  inStock: z.boolean().nullable().describe("Null if the shop does not say"),
  availability: z.enum(AVAILABILITIES),
  listPrice: z.int().nullable(),
  lowest30: z.int().nullable(),
  shipping: z.int().nullable(),
  method: z.string().nullable().describe("The extraction method; null if pushed"),
  confidence: z.number(),
  source: z.enum(OBSERVATION_SOURCES).describe("Whether a visit or a push is the source"),
  runId: z.string().nullable(),
  observedAt: z.iso.datetime(),
}).meta({ id: "Observation" });
export type ObservationDocument = z.infer<typeof ObservationDocument>;

type ObservationNames = Pick<ObservationDocument, "sku" | "competitor" | "domain" | "url">;

export function toObservationDocument(
  { id, observation }: PlacedObservation,
  names: ObservationNames,
): ObservationDocument {
  return {
    id,
    productId: observation.productId,
    competitorProductId: observation.matchId,
    competitorId: observation.competitorId,
    ...names,
    price: observation.priceCents,
    currency: observation.currency,
    inStock: isInStock(observation.availability),
    availability: observation.availability,
    listPrice: observation.listPriceCents,
    lowest30: observation.lowest30Cents ?? null,
    shipping: observation.shippingCents,
    method: observation.method,
    confidence: observation.confidence,
    source: observation.source,
    runId: observation.runId,
    observedAt: new Date(observation.observedAtMs).toISOString(),
  };
}

export const ORDERS = ["desc", "asc"] as const;
type Order = (typeof ORDERS)[number];

/** Both ends of the time range are inclusive. `after` is the last observation already read. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: Order;
  readonly after: Position | null;
}

export function withoutTwins<T extends Position>(sorted: readonly T[]): T[] {
  return sorted.filter((row, at) => {
    const before = sorted[at - 1];
    return !before || comparePositions(before, row) !== 0;
  });
}

export function changedObservations(
  { id: productId, sku }: { readonly id: string; readonly sku: string },
  before: Offer | undefined,
  after: Offer,
  source: ObservationSource,
): OutboxEvent[] {
  const { matchId, competitorId, priceCents, currency, observedAtMs } = after;
  if (priceCents === null || currency === null || observedAtMs === null) return [];
  if (before === after || (before && isSame(before, after))) return [];
  const data = {
    observationId: observationId({ matchId, observedAtMs, priceCents }),
    productId,
    sku,
    competitorProductId: matchId,
    competitorId,
    price: priceCents,
    previousPrice: before?.priceCents ?? null,
    currency,
    inStock: isInStock(after.availability),
    previousInStock: isInStock(before?.availability ?? null),
    source,
    observedAt: new Date(observedAtMs).toISOString(),
  };
  return [{ type: "observation.changed", data }];
}

function isSame(old: Offer, { priceCents, currency, availability }: Offer): boolean {
  return old.priceCents === priceCents && old.currency === currency &&
    isInStock(old.availability) === isInStock(availability);
}

const LOOSE_DAYS = 30;

export function packLimitMs(now: Date): number {
  return now.getTime() - LOOSE_DAYS * DAY_MS;
}

/** Of observations before this time, only the lowest price per linked page and UTC day is kept. */
export function thinLimitMs(now: Date, retentionDays: number): number {
  return dayOf(now.getTime() - retentionDays * DAY_MS);
}

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

export function endOfDay(dayMs: number): number {
  return dayMs + DAY_MS - 1;
}
