/**
 * Stores prices in quarantine, and prices that a person has released from quarantine. A commit that
 * writes these rows must fail if the offers of the product have changed.
 */
import { idAt } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { countRows } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { Offer, OfferObservation } from "./offer.ts";

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

export function heldIdsOf(offers: readonly Offer[]): string[] {
  return offers.flatMap((offer) => heldIdOf(offer) ?? []);
}

/** A commit that calls this function must also write `heldAtMs` to the offer. */
export function putHeld(write: Write, workspaceId: string, held: HeldPrice): void {
  heldPrices.put(write, { workspaceId }, { ...held, id: heldId(held) });
}

/** Removes prices that left quarantine. A commit that writes offers must call this function. */
export function dropHeld(
  write: Write,
  workspaceId: string,
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): void {
  const left = new Map(after.map((offer) => [offer.matchId, offer]));
  for (const old of before) {
    const offer = left.get(old.matchId);
    if (offer === old) continue;
    if (!offer) releasedPrices.drop(write, { workspaceId }, { productId, matchId: old.matchId });
    const id = heldIdOf(old);
    if (id === null || (offer && heldIdOf(offer) === id)) continue;
    heldPrices.drop(write, { workspaceId }, { id });
  }
}

export async function findHeld(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<(FoundHeld | null)[]> {
  const found = await heldPrices.getMany(workspace, ids.map((id) => ({ id })));
  return found.map((one) => one && one.row);
}

/** The price that has waited longest comes first. */
export async function* walkHeld(
  workspace: WorkspaceStore,
  after: string | null = null,
): AsyncGenerator<FoundHeld> {
  const range = { after: after === null ? null : { id: after } };
  for await (const { row } of heldPrices.walk(workspace, range)) yield row;
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

interface ReleasedPrice {
  readonly productId: string;
  readonly matchId: string;
  readonly priceCents: number;
  readonly currency: string;
}

export const releasedPrices = defineTable<ReleasedPrice, "productId" | "matchId">({
  prefix: "qr",
  about: "the last price that a person has released",
  key: { productId: "id", matchId: "id" },
  codec: {
    encode: ({ priceCents, currency }) => [priceCents, currency],
    decode: ([priceCents, currency]: [number, string]) => ({ priceCents, currency }),
  },
});
