/**
 * Keys: `qu W id` → a competitor's price that waits for somebody to look at it; the id follows from
 * the match and from when its offers row says that it is held. `qr W productId matchId` →
 * `[priceCents, currency]`: the price that a person has let through last; `fo W competitorId cause sinceMs
 * matchId` → productId: a page that brings no price, by cause and since when; `foc W competitorId cause` →
 * u64, how many such pages there are.
 *
 * Rows go with the offers that they belong to (`offer_store.ts`), so the checks on offers rows hold
 * for them.
 */

import type { Availability } from "../../base/codes.ts";
import { idAt, idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf, selectorAfter } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import type { Offer } from "./offer.ts";
import { failingOf, REPAIR_CAUSES, type RepairCause } from "./repair_cause.ts";

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
  /** The price that it was compared with; `null`: none. */
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

/** Removes held prices that offers no longer name; called by every writer of offers rows. */
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

/** Waiting prices, the longest wait first, after the id `after`. */
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

const ofCompetitor = (workspaceId: string, competitorId: string) => [
  "fo",
  keptIdBytes(workspaceId),
  idBytes(competitorId),
];
const countsPrefix = (workspaceId: string) => ["foc", keptIdBytes(workspaceId)];

/** The pages of one shop with one thing the matter. */
export interface FailingGroup {
  readonly competitorId: string;
  readonly cause: RepairCause;
}

/** Where a failing page stands among those of its shop. */
export interface FailingPlace {
  readonly cause: RepairCause;
  readonly sinceMs: number;
  readonly matchId: string;
}

export interface FailingPage extends FailingPlace {
  readonly productId: string;
}

/** How many pages the groups have more or fewer. */
export type FailingTally = Map<string, { readonly group: FailingGroup; amount: number }>;

/** The rows of one product's offers as they become others; the counts are for `saveFailingTally`. */
export function putFailing(
  write: Write,
  workspaceId: string,
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
  tally: FailingTally,
): void {
  const left = new Map(before.map((offer) => [offer.matchId, offer]));
  for (const offer of after) {
    const old = left.get(offer.matchId);
    left.delete(offer.matchId);
    if (old !== offer) putOne(write, workspaceId, productId, old ?? null, offer, tally);
  }
  for (const old of left.values()) putOne(write, workspaceId, productId, old, null, tally);
}

function putOne(
  write: Write,
  workspaceId: string,
  productId: string,
  before: Offer | null,
  after: Offer | null,
  tally: FailingTally,
): void {
  const was = before && placeOf(before);
  const is = after && placeOf(after);
  if (was?.cause === is?.cause && was?.sinceMs === is?.sinceMs) return;
  if (before && was) {
    write.delete(placeKey(workspaceId, before.competitorId, was));
    count(tally, { competitorId: before.competitorId, cause: was.cause }, -1);
  }
  if (after && is) {
    write.set(placeKey(workspaceId, after.competitorId, is), idBytes(productId));
    count(tally, { competitorId: after.competitorId, cause: is.cause }, 1);
  }
}

/** Where the page of an offer stands among the failing ones; null when it is none. */
export function placeOf(offer: Offer): FailingPlace | null {
  const failing = failingOf(offer);
  return failing && { ...failing, matchId: offer.matchId };
}

function placeKey(workspaceId: string, competitorId: string, place: FailingPlace): Deno.KvKey {
  const { cause, sinceMs, matchId } = place;
  return [...ofCompetitor(workspaceId, competitorId), cause, sinceMs, idBytes(matchId)];
}

function count(tally: FailingTally, group: FailingGroup, amount: number): void {
  const key = `${group.competitorId} ${group.cause}`;
  const known = tally.get(key);
  if (known) known.amount += amount;
  else tally.set(key, { group, amount });
}

/** One mutation for each group that has more or fewer pages. */
export function saveFailingTally(write: Write, workspaceId: string, tally: FailingTally): void {
  for (const { group: { competitorId, cause }, amount } of tally.values()) {
    if (amount === 0) continue;
    write.sum([...countsPrefix(workspaceId), idBytes(competitorId), cause], amount);
  }
}

/** Every group with pages and its count, including competitors that are not fetched. */
export async function listFailingCounts(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string | null = null,
): Promise<(FailingGroup & { readonly pages: number })[]> {
  const shop = competitorId === null ? [] : [idBytes(competitorId)];
  const prefix = [...countsPrefix(workspaceId), ...shop];
  const groups: (FailingGroup & { readonly pages: number })[] = [];
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    const pages = Number(value.value);
    if (pages !== 0) groups.push({ competitorId: idIn(key, 2), cause: causeOf(key[3]), pages });
  }
  return groups;
}

/** How many pages fail in all workspaces, by cause. */
export async function countFailingPages({ kv }: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const rows = kv.list<Deno.KvU64>({ prefix: ["foc"] }, { batchSize: 500 });
  for await (const { key: [, , , cause], value } of rows) {
    const name = causeOf(cause);
    counts.set(name, (counts.get(name) ?? 0) + Number(value.value));
  }
  return counts;
}

/** How many pages a group has. */
export async function countFailing(
  workspace: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
): Promise<number> {
  const causes = cause === null ? REPAIR_CAUSES : [cause];
  const keys = causes.map((one) => [
    ...countsPrefix(workspace.workspaceId),
    idBytes(competitorId),
    one,
  ]);
  const rows = await getRows<Deno.KvU64>(workspace.store, keys);
  return rows.reduce((sum, { value }) => sum + Number(value?.value ?? 0n), 0);
}

/** Up to `limit` failing pages of a shop (null: by cause, any), behind `after`; of a cause the longest first. */
export async function listFailing(
  { store, workspaceId }: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
  after: FailingPlace | null,
  limit: number,
): Promise<FailingPage[]> {
  const shop = ofCompetitor(workspaceId, competitorId);
  const prefix = cause === null ? shop : [...shop, cause];
  const selector = after === null ? { prefix } : {
    prefix,
    // The shortest key that is behind the one of `after`.
    start: [...placeKey(workspaceId, competitorId, after), 0],
  };
  const rows = store.kv.list<Uint8Array>(selector, { limit, batchSize: Math.min(limit, 500) });
  return (await Array.fromAsync(rows)).map(({ key, value }) => pageAt(key, value));
}

/** Every failing page of the workspace, for checks of the store. */
export async function* walkFailing(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<FailingPage & { readonly competitorId: string }> {
  const prefix = ["fo", keptIdBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 1_000 })) {
    yield { competitorId: idIn(key, 2), ...pageAt(key, value) };
  }
}

function pageAt(key: Deno.KvKey, productId: Uint8Array): FailingPage {
  return {
    cause: causeOf(key[3]),
    sinceMs: Number(key[4]),
    matchId: idIn(key, 5),
    productId: productId.toHex(),
  };
}

function causeOf(part: Deno.KvKeyPart | undefined): RepairCause {
  const cause = REPAIR_CAUSES.find((one) => one === part);
  if (cause === undefined) throw new Error(`A failing page has the cause "${String(part)}"`);
  return cause;
}
