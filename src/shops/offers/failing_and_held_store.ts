/**
 * Stores and counts failing pages: linked pages whose last fetch failed for one of `REPAIR_CAUSES`.
 * Also stores prices in quarantine, and prices that a person has released from quarantine. A commit
 * that changes offers must also update these tables, and check the version of the offers.
 */
import { batchesOf } from "../../base/collections.ts";
import { idAt, idText } from "../../base/id.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { CAUSE_OF, type Offer, type OfferObservation, type RepairCause } from "./offer.ts";
import { countRows } from "../../platform/store/rows.ts";

export interface FailingPage {
  readonly competitorId: string;
  readonly productId: string;
  readonly cause: RepairCause;
  readonly sinceMs: number;
  readonly matchId: string;
}

export type FailingGroup = Pick<FailingPage, "competitorId" | "cause">;
export type FailingPlace = Pick<FailingPage, "cause" | "sinceMs" | "matchId">;

export const failingPages = defineTable<FailingPage, "competitorId" | keyof FailingPlace>({
  prefix: "fo",
  about: "a page without a price, by cause and start of the failure",
  key: { competitorId: "id", cause: "text", sinceMs: "number", matchId: "id" },
  codec: {
    encode: ({ productId }) => Uint8Array.fromHex(productId),
    decode: (bytes: Uint8Array) => ({ productId: idText(bytes) }),
  },
});

const failingCounts = defineTable<CountedGroup, keyof FailingGroup>({
  prefix: "foc",
  about: "u64, the number of a shop's pages without a price, by cause",
  key: { competitorId: "id", cause: "text" },
  value: "pages",
});

type CountedGroup = FailingGroup & { readonly pages: number };

/** Updates failing pages and quarantine; must be called in each commit that writes offers. */
export function followOffers(
  write: Write,
  workspaceId: string,
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): void {
  const left = new Map(before.map((offer) => [offer.matchId, offer]));
  for (const offer of after) {
    const old = left.get(offer.matchId) ?? null;
    left.delete(offer.matchId);
    if (old === offer) continue;
    moveFailing(write, workspaceId, productId, old, offer);
    if (old) dropHeld(write, workspaceId, old, offer);
  }
  for (const old of left.values()) {
    moveFailing(write, workspaceId, productId, old, null);
    dropHeld(write, workspaceId, old, null);
    releasedPrices.drop(write, { workspaceId }, { productId, matchId: old.matchId });
  }
}

function moveFailing(
  write: Write,
  workspaceId: string,
  productId: string,
  before: Offer | null,
  after: Offer | null,
): void {
  const was = before && placeOf(before);
  const is = after && placeOf(after);
  if (was?.cause === is?.cause && was?.sinceMs === is?.sinceMs) return;
  if (before && was) {
    const { competitorId } = before;
    failingPages.drop(write, { workspaceId }, { competitorId, ...was });
    write.sum(failingCounts.keyOf({ workspaceId }, { competitorId, cause: was.cause }), -1);
  }
  if (after && is) {
    const { competitorId } = after;
    failingPages.put(write, { workspaceId }, { competitorId, productId, ...is });
    write.sum(failingCounts.keyOf({ workspaceId }, { competitorId, cause: is.cause }), 1);
  }
}

export function placeOf(
  { matchId, enabled, noPrice, status, failingSinceMs: sinceMs, observedAtMs }: Offer,
): FailingPlace | null {
  const cause = CAUSE_OF.get(status ?? "");
  if (!enabled || noPrice || cause === undefined || sinceMs === null) return null;
  const isOther = cause === "nothing_found" && observedAtMs !== null;
  return { cause: isOther ? "layout_changed" : cause, sinceMs, matchId };
}

export async function listFailingCounts(
  workspace: WorkspaceStore,
  competitorId: string | null = null,
): Promise<CountedGroup[]> {
  const within = competitorId === null ? {} : { competitorId };
  const found = await failingCounts.list(workspace, { within });
  return found.flatMap(({ row }) => row.pages === 0 ? [] : [row]);
}

export async function countFailingPages(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { row: { cause, pages } } of failingCounts.walkAll(store)) {
    counts.set(cause, (counts.get(cause) ?? 0) + pages);
  }
  return counts;
}

export async function countFailing(
  workspace: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
): Promise<number> {
  const groups = await listFailingCounts(workspace, competitorId);
  return groups.filter((one) => cause === null || one.cause === cause)
    .reduce((sum, { pages }) => sum + pages, 0);
}

/** Lists failing pages, sorted by cause and, within a cause, by the start of the failure. */
export async function listFailing(
  workspace: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
  after: FailingPlace | null,
  limit: number,
): Promise<FailingPage[]> {
  const within = cause === null ? { competitorId } : { competitorId, cause };
  const found = await failingPages.list(workspace, { within, after, limit });
  return found.map(({ row }) => row);
}

export interface HeldPrice extends OfferObservation {
  readonly productId: string;
  readonly sku: string;
  readonly matchId: string;
  readonly competitorId: string;
  readonly source: "scrape" | "push";
  readonly heldAtMs: number;
  readonly code: string;
  readonly againstCents: number | null;
}

export interface FoundHeld extends HeldPrice {
  readonly id: string;
}

export const heldPrices = defineTable<FoundHeld, "id">({
  prefix: "qu",
  about: "a competitor's price that waits for a person's decision",
  key: { id: "id" },
});

function heldId({ matchId, heldAtMs }: Pick<HeldPrice, "matchId" | "heldAtMs">): string {
  return idAt(heldAtMs, `${matchId} ${heldAtMs}`);
}

export function heldIdOf({ matchId, heldAtMs }: Offer): string | null {
  return heldAtMs === null ? null : heldId({ matchId, heldAtMs });
}

/** The caller must write `heldAtMs` to the offer in the same commit. */
export function putHeld(write: Write, workspaceId: string, held: HeldPrice): void {
  heldPrices.put(write, { workspaceId }, { ...held, id: heldId(held) });
}

function dropHeld(write: Write, workspaceId: string, before: Offer, after: Offer | null): void {
  const id = heldIdOf(before);
  if (id === null || (after && heldIdOf(after) === id)) return;
  heldPrices.drop(write, { workspaceId }, { id });
}

/** Finds the offers' prices in quarantine; the keys of the map are match ids. */
export async function findHeld(
  workspace: WorkspaceStore,
  offers: readonly Offer[],
): Promise<ReadonlyMap<string, FoundHeld>> {
  const ids = offers.flatMap((offer) => heldIdOf(offer) ?? []);
  const found = await heldPrices.getMany(workspace, ids.map((id) => ({ id })));
  return new Map(found.flatMap((one) => one ? [[one.row.matchId, one.row]] : []));
}

/** The price that has waited longest comes first. */
export async function* walkHeld(
  workspace: WorkspaceStore,
  after: string | null = null,
): AsyncGenerator<FoundHeld> {
  const range = { after: after === null ? null : { id: after } };
  for await (const { row } of heldPrices.walk(workspace, range)) yield row;
}

const HELD_AT_ONCE = 100;

/** Skips prices of deleted products, which wait until the product is restored. */
export async function* walkActiveHeld(
  workspace: WorkspaceStore,
  fits: (held: FoundHeld) => boolean,
  after: string | null = null,
  most = Infinity,
): AsyncGenerator<FoundHeld> {
  let scanned = 0;
  for await (const some of batchesOf(walkHeld(workspace, after), HELD_AT_ONCE)) {
    const fitting = some.filter(fits);
    const ids = new Set(fitting.map(({ productId }) => productId));
    const active = new Set((await findDocuments(workspace, [...ids])).map(({ id }) => id));
    yield* fitting.filter(({ productId }) => active.has(productId));
    if ((scanned += some.length) >= most) return;
  }
}

export async function findReleased(
  workspace: WorkspaceStore,
  productId: string,
): Promise<ReleasedPrice[]> {
  const prefix = releasedPrices.keyOf(workspace, { productId, matchId: productId }).slice(0, -1);
  if (await countRows(workspace.store, prefix, 1) === 0) return [];
  const released = await releasedPrices.list(workspace, { within: { productId } });
  return released.map(({ row }) => row);
}

type ReleasedPrice = Pick<HeldPrice, "productId" | "matchId" | "priceCents" | "currency">;

export const releasedPrices = defineTable<ReleasedPrice, "productId" | "matchId">({
  prefix: "qr",
  about: "the last price that a person has released from quarantine",
  key: { productId: "id", matchId: "id" },
  codec: {
    encode: ({ priceCents, currency }) => [priceCents, currency],
    decode: ([priceCents, currency]: [number, string]) => ({ priceCents, currency }),
  },
});
