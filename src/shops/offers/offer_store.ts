/**
 * Keys: `o W productId` → the product's offers as JSON bytes.
 *
 * Every commit that writes an offers row must also set the version counter of the offers of its
 * shard. A commit that writes one offers row checks this row (`checkOffers`). A commit that writes
 * many rows reads the version counters first, then products and rows, and checks the counters
 * (`checkOfferVersionCounter`).
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import { noteProduct } from "../../catalogue/products/change_log_store.ts";
import { setOfferVersionCounter } from "../../catalogue/products/version_counter_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { markAwaited, markForSchedule } from "../../catalogue/products/schedule_mark_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { BytesAt } from "../../platform/store/direct_reads.ts";
import { pagesOf } from "../../platform/store/pages_of.ts";
import { getBytes, getBytesAt, listBytes } from "../../platform/store/rows.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { putFailing } from "./failing_page_store.ts";
import { dropHeld } from "./held_price_store.ts";
import { type Offer, showsOtherProduct, trackingCompetitors } from "./offer.ts";
import { decodeOffers, encodeOffers } from "./offer_row.ts";

const ROWS_PER_READ = 1_000;

export const offersKey = (workspaceId: string, productId: string) => [
  "o",
  keptIdBytes(workspaceId),
  idBytes(productId),
];
export const trackedProducts = defineTable<TrackedCount, "competitorId">({
  prefix: "ct",
  about:
    "u64, the number of products with an enabled match at the shop; changed together with the offers rows",
  key: { competitorId: "id" },
  codec: { decode: (value) => ({ count: Number(Object(value).value) }) },
});

interface TrackedCount {
  readonly competitorId: string;
  readonly count: number;
}

/** The offers are in the order in which their matches were created. */
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

/** In the order of `productIds`. */
export async function findOffersOf(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<StoredOffers[]> {
  const rows = await getBytes(store, ["o", keptIdBytes(workspaceId)], productIds);
  const byId = new Map(rows.map((row) => [row.part, row]));
  return productIds.map((id) => readRow(id, byId.get(id)));
}

/** In the order of product ids. */
export async function* walkOffers(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<StoredOffers> {
  const prefix = ["o", keptIdBytes(workspaceId)];
  const read = (...range: [string | null, number]) => listBytes(store, prefix, ...range);
  for await (const page of pagesOf(read, ({ part }) => part, ROWS_PER_READ)) {
    for (const row of page) yield readRow(row.part, row);
  }
}

/** Sorted by product id. `after` is exclusive. */
export async function listOfferRows(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly bytes: Uint8Array }[]> {
  const prefix = ["o", keptIdBytes(workspaceId)];
  const rows = await listBytes(store, prefix, after, limit);
  return rows.map(({ part, value }) => ({ id: part, bytes: value }));
}

function readRow(productId: string, row: BytesAt | undefined): StoredOffers {
  if (!row) return { productId, offers: [], versionstamp: null };
  return { productId, offers: decodeOffers(row.value), versionstamp: row.versionstamp };
}

/** The commit fails if the product's offers have been written since they were read. */
export function checkOffers(write: Write, workspaceId: string, found: StoredOffers): void {
  write.check(offersKey(workspaceId, found.productId), found.versionstamp);
}

/** Checks nothing. Deletes the row if `after` is empty. Updates version counter and counts. */
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
  setOfferVersionCounter(write, workspaceId, shard(product.sku));
  putFailing(write, workspaceId, product.id, { before, after });
  dropHeld(write, workspaceId, product.id, { before, after });
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

/** In the order of `ids`. */
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

/** The fields that rules read; empty for an offer that rules ignore. */
function counted(offer: Offer | undefined): string {
  if (!offer?.enabled || offer.priceCents === null) return "";
  const { priceCents, packFactor, matchType } = offer;
  return [priceCents, packFactor, matchType, showsOtherProduct(offer)].join(" ");
}
