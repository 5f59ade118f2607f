/**
 * Keys (`W`: id of the workspace): `o W productId` → the product's offers as JSON bytes.
 *
 * The row of a product is an array with one `OfferRow` per offer.
 *
 * A product's SKU assigns it to one of 64 shards. Each shard has a version counter for offers. A
 * commit that writes offers must set the counter of the product's shard. To detect concurrent
 * changes, a commit for one product checks the product's row (`checkOffers`). A commit for many
 * products checks the counters (`offerVersions.check`), which must be read before the offers.
 */
import { idBytes } from "../../base/id.ts";
import {
  markAwaited,
  markForSchedule,
  noteProduct,
  offerVersions,
} from "../../catalogue/products/change_log_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { BytesAt } from "../../platform/store/direct_reads.ts";
import { getBytes, getBytesAt, listBytes, pagesOf } from "../../platform/store/rows.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { followOffers } from "./failing_and_held_store.ts";
import { NO_OLD_PRICES, type Offer, showsOtherProduct, trackingCompetitors } from "./offer.ts";
import { decoder, encoder, joinDocuments } from "../../base/bytes.ts";
import type { Availability } from "../../base/codes.ts";

const ROWS_PER_READ = 1_000;

const ofWorkspace = (workspaceId: string) => ["o", idBytes(workspaceId)];
export const offersKey = (workspaceId: string, productId: string) => [
  ...ofWorkspace(workspaceId),
  idBytes(productId),
];

export const trackedProducts = defineTable<TrackedCount, "competitorId">({
  prefix: "ct",
  about:
    "u64, the number of products with an enabled match at the shop; changed together with the offers rows",
  key: { competitorId: "id" },
  value: "count",
});

interface TrackedCount {
  readonly competitorId: string;
  readonly count: number;
}

export interface StoredOffers {
  readonly productId: string;
  readonly offers: readonly Offer[];
  readonly versionstamp: string | null;
}

export async function findOffers(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<StoredOffers> {
  const [row] = await getBytesAt(store, [offersKey(workspaceId, productId)]);
  return readRow(productId, row);
}

export async function findOffersOf(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<StoredOffers[]> {
  const rows = await getBytes(store, ofWorkspace(workspaceId), productIds);
  const byId = new Map(rows.map((row) => [row.part, row]));
  return productIds.map((id) => readRow(id, byId.get(id)));
}

export async function* walkOffers(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<StoredOffers> {
  const prefix = ofWorkspace(workspaceId);
  const read = (...range: [string | null, number]) => listBytes(store, prefix, ...range);
  for await (const page of pagesOf(read, ({ part }) => part, ROWS_PER_READ)) {
    for (const row of page) yield readRow(row.part, row);
  }
}

export async function listOfferRows(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly bytes: Uint8Array }[]> {
  const rows = await listBytes(store, ofWorkspace(workspaceId), after, limit);
  return rows.map(({ part, value }) => ({ id: part, bytes: value }));
}

export function readRow(productId: string, row: BytesAt | undefined): StoredOffers {
  if (!row) return { productId, offers: [], versionstamp: null };
  return { productId, offers: decodeOffers(row.value), versionstamp: row.versionstamp };
}

export function checkOffers(write: Write, workspaceId: string, found: StoredOffers): void {
  write.check(offersKey(workspaceId, found.productId), found.versionstamp);
}

/** The caller must add version checks to the commit (`checkOffers` or `offerVersions.check`). */
export function putOffers(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): void {
  const key = offersKey(workspaceId, product.id);
  if (after.length === 0) write.delete(key);
  else write.set(key, encodeOffers(after));
  noteProduct(write, workspaceId, product.id);
  offerVersions.set(write, workspaceId, shard(product.sku));
  followOffers(write, workspaceId, product.id, { before, after });
  if (hasSameTerms(before, after)) return;
  if (hasResumed(before, after)) markAwaited(write, workspaceId, product.id);
  else if (!hasSameTargets(before, after)) markForSchedule(write, workspaceId, product.id);
  const were = trackingCompetitors(before);
  const are = trackingCompetitors(after);
  const count = (competitorId: string, amount: number) =>
    write.sum(trackedProducts.keyOf({ workspaceId }, { competitorId }), amount);
  for (const id of are.difference(were)) count(id, 1);
  for (const id of were.difference(are)) count(id, -1);
}

function hasSameTerms(before: readonly Offer[], after: readonly Offer[]): boolean {
  return before.length === after.length && after.every((offer, at) => {
    const old = before[at];
    return old === offer || (old?.matchId === offer.matchId && old.urlHash === offer.urlHash &&
      old.competitorId === offer.competitorId && old.enabled === offer.enabled);
  });
}

function hasResumed(before: readonly Offer[], after: readonly Offer[]): boolean {
  const paused = new Set(before.flatMap(({ enabled, matchId }) => enabled ? [] : [matchId]));
  return after.some(({ enabled, matchId }) => enabled && paused.has(matchId));
}

function hasSameTargets(before: readonly Offer[], after: readonly Offer[]): boolean {
  const targetsOf = (offers: readonly Offer[]) =>
    offers.filter(({ enabled }) => enabled).map(({ urlHash }) => urlHash).sort().join();
  return targetsOf(before) === targetsOf(after);
}

export async function countTracked(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<number[]> {
  const found = await trackedProducts.getMany(workspace, ids.map((id) => ({ competitorId: id })));
  return found.map((one) => one?.row.count ?? 0);
}

export function movedOffer(
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): Offer | null {
  const afterById = new Map(after.map((offer) => [offer.matchId, offer]));
  return before.find((one) => counted(one) !== counted(afterById.get(one.matchId))) ?? null;
}

function counted(offer: Offer | undefined): string {
  if (!offer?.enabled || offer.priceCents === null) return "";
  const { priceCents, packFactor, matchType } = offer;
  return [priceCents, packFactor, matchType, showsOtherProduct(offer)].join(" ");
}

const SECOND_MS = 1_000;
type OfferExtras = readonly [
  /** Bit flags: 1 if the page shows an equivalent product, 2 if the page shows no price. */
  matchType: number,
  condition: string | null,
  seller: string | null,
  shippingCents: number | null,
  verdict: string | null,
  heldAtMs: number | null,
  selector?: 0 | 1,
  listPriceCents?: number | null,
  lowest30Cents?: number | null,
];

/** Text of the last error, time of the first failure in seconds, or both; null if both are null. */
type StoredError = string | null | number | readonly [failingSince: number, error: string];

type OfferPast = number | readonly [unchangedMs: number, previousCents: number];

const NO_EXTRAS: OfferExtras = [0, null, null, null, null, null];

/** Stored instead of `in_stock` to save space; earlier versions of Kurant stored `in_stock`. */
const IN_STOCK = 1;
/** Stored instead of `ok` to save space; earlier versions of Kurant stored `ok`. */
const OK = 1;
/** Stored for `checkedAtMs` if it equals `observedAtMs`, to save space. */
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
  extras?: OfferExtras | 0,
  past?: OfferPast,
];

const ROW_BYTES_MAX = 65_000;

/** If the row is too large, omits error messages, then also old prices and `sinceMs`. */
export function encodeOffers(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  const bytes = encode(offers);
  if (bytes.length <= ROW_BYTES_MAX) return bytes;
  const short = offers.map((offer) => ({ ...offer, error: null }));
  const fewer = encode(short);
  return fewer.length <= ROW_BYTES_MAX ? fewer : encode(
    short.map((one) => ({ ...one, ...NO_OLD_PRICES, previousCents: null, sinceMs: null })),
  );
}

function encode(offers: readonly Offer[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(offers.map(toRow)));
}

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
