/**
 * Keys: `qu W id` → a competitor's price that waits for somebody to look at it; the id follows from
 * the match and from when its offers row says that it is held. `qr W productId matchId` →
 * `[priceCents, currency]`: the price that a person has let through last.
 *
 * Rows go with the offers that they belong to (`offer_store.ts`), so the checks on offers rows hold
 * for them.
 */

import type { Availability } from "../../base/codes.ts";
import { idAt, idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf, selectorAfter } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import type { Offer } from "./offer.ts";

/** A price that was seen and is not believed yet. */
export interface HeldPrice {
  readonly productId: string;
  readonly sku: string;
  readonly matchId: string;
  readonly competitorId: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly confidence: number;
  readonly source: "scrape" | "push";
  /** When it was seen first, as the offers row says. */
  readonly heldAtMs: number;
  /** When it was seen last. */
  readonly observedAtMs: number;
  /** Why it is held, as a code. */
  readonly code: string;
  /** What it was compared with; null: nothing. */
  readonly againstCents: number | null;
}

export interface FoundHeld extends HeldPrice {
  readonly id: string;
}

const heldOf = (workspaceId: string) => ["qu", keptIdBytes(workspaceId)];
const releasedOf = (workspaceId: string, productId: string) => [
  "qr",
  keptIdBytes(workspaceId),
  idBytes(productId),
];

/** 4 bytes of seconds, 8 bytes of SHA-256: lists are by when prices were held. */
export function heldId({ matchId, heldAtMs }: Pick<HeldPrice, "matchId" | "heldAtMs">): string {
  return idAt(heldAtMs, `${matchId} ${heldAtMs}`);
}

/** The id of what an offer has waiting; null when nothing is. */
export function heldIdOf({ matchId, heldAtMs }: Offer): string | null {
  return heldAtMs === null ? null : heldId({ matchId, heldAtMs });
}

/** Goes into the commit that writes the offers row with its `heldAtMs`. */
export function putHeld(write: Write, workspaceId: string, held: HeldPrice): void {
  write.set([...heldOf(workspaceId), idBytes(heldId(held))], held);
}

/** What offers no longer say goes with them; called by whoever writes offers rows. */
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
    if (!offer) write.delete([...releasedOf(workspaceId, productId), idBytes(old.matchId)]);
    const id = heldIdOf(old);
    if (id === null || (offer && heldIdOf(offer) === id)) continue;
    write.delete([...heldOf(workspaceId), idBytes(id)]);
  }
}

/** In the order of `ids`; null where nothing waits. */
export async function findHeld(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<(FoundHeld | null)[]> {
  const prefix = heldOf(workspaceId);
  const rows = await getRows<HeldPrice>(store, ids.map((id) => [...prefix, idBytes(id)]));
  return rows.map(({ value }, at) => value && { ...value, id: ids[at] ?? "" });
}

/** What waits, the longest first, behind the id `after`. */
export async function* walkHeld(
  { store, workspaceId }: WorkspaceStore,
  after: string | null = null,
): AsyncGenerator<FoundHeld> {
  const prefix = heldOf(workspaceId);
  const selector = selectorAfter(prefix, after);
  for await (const { key, value } of store.kv.list<HeldPrice>(selector, { batchSize: 200 })) {
    yield { ...value, id: lastIdOf(key) };
  }
}

/** A price that a person has let through. */
export interface ReleasedPrice {
  readonly productId: string;
  readonly matchId: string;
  readonly priceCents: number;
  readonly currency: string;
}

export function putReleased(
  write: Write,
  workspaceId: string,
  { productId, matchId, priceCents, currency }: ReleasedPrice,
): void {
  write.set([...releasedOf(workspaceId, productId), idBytes(matchId)], [priceCents, currency]);
}

/** Of one product, or of all of them. */
export async function* walkReleased(
  { store, workspaceId }: WorkspaceStore,
  productId: string | null = null,
): AsyncGenerator<ReleasedPrice> {
  const prefix = productId === null
    ? ["qr", keptIdBytes(workspaceId)]
    : releasedOf(workspaceId, productId);
  for await (const { key, value } of store.kv.list<[number, string]>({ prefix })) {
    const [priceCents, currency] = value;
    yield { productId: idIn(key, 2), matchId: lastIdOf(key), priceCents, currency };
  }
}
