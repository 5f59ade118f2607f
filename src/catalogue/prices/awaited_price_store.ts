/**
 * Keys: `xa W productId tier` → a price that the ERP has fetched and that its imports should bring;
 * `xas W productId tier` → what an import brought in its place, by its job; `xj W jobId` → empty, an
 * import by which awaited prices are still to be judged (`"clock"` for those that are too old); `xi W
 * jobId` → how many of them it brought, and until that is known how far judging has come. Tiers
 * compare as they are written; the unnamed one is the empty text.
 * `xe W at id` → an export of price changes that was read to its end, by when that was.
 */

import { idBytes, idText, keptIdBytes } from "../../base/id.ts";
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow, getRows, removeRows } from "../../platform/store/rows.ts";
import type { PriceChange } from "./price_history.ts";

/** `not_arrived`: an import brought another price. `missing`: none brought any. */
export const ARRIVAL_STATUSES = ["waiting", "not_arrived", "missing"] as const;
export type ArrivalStatus = (typeof ARRIVAL_STATUSES)[number];

export interface AwaitedPrice {
  readonly productId: string;
  /** Of the product when it was told. */
  readonly tier: string | null;
  readonly cents: number;
  readonly currency: string;
  /** When its export was fetched. */
  readonly toldAtMs: number;
  readonly status: ArrivalStatus;
  /** Full loads with prices since that did not have this one. */
  readonly misses: number;
  /** The price that came instead. */
  readonly seen: SeenPrice | null;
}

/** An own price as an import brought it. */
export interface SeenPrice {
  readonly jobId: string;
  readonly cents: number | null;
  readonly currency: string;
}

/** Where an awaited price stands. */
type AwaitedPlace = Pick<AwaitedPrice, "productId" | "tier">;

/** How many prices were awaited of an import, arrived with it, and have not arrived by now. */
interface Arrival {
  readonly expected: number;
  readonly arrived: number;
  readonly missing: number;
}

/** An arrival that is being counted. */
export interface ArrivalCount extends Arrival {
  /** Prices of `missing` that were not reported before. */
  readonly fresh: number;
  /** Judged up to here; null: all are. */
  readonly after: AwaitedPlace | null;
  readonly isDone: boolean;
}

/** Judged by age alone. */
export const BY_CLOCK = "clock";

const tableOf = (table: "xa" | "xas" | "xi" | "xj", workspaceId: string) => [
  table,
  keptIdBytes(workspaceId),
];
const placeKey = (table: "xa" | "xas", workspaceId: string, { productId, tier }: AwaitedPlace) => [
  ...tableOf(table, workspaceId),
  idBytes(productId),
  tier ?? "",
];
const jobPart = (jobId: string) => jobId === BY_CLOCK ? BY_CLOCK : idBytes(jobId);

type Row = Omit<AwaitedPrice, "productId" | "tier">;

/** In place of what was awaited there before. */
export function putAwaitedPrice(write: Write, workspaceId: string, price: AwaitedPrice): void {
  const { productId: _product, tier: _tier, ...row } = price;
  write.set(placeKey("xa", workspaceId, price), row satisfies Row);
}

export function removeAwaitedPrice(write: Write, workspaceId: string, place: AwaitedPlace): void {
  write.delete(placeKey("xa", workspaceId, place));
  write.delete(placeKey("xas", workspaceId, place));
}

/** From behind `after` on, by product. */
export async function* walkAwaitedPrices(
  { store, workspaceId }: WorkspaceStore,
  after: AwaitedPlace | null = null,
): AsyncGenerator<AwaitedPrice> {
  const prefix = tableOf("xa", workspaceId);
  const selector = after === null
    ? { prefix }
    // `true` sorts behind every text: the first row that is not the one named.
    : { prefix, start: [...placeKey("xa", workspaceId, after), true] };
  for await (const { key, value } of store.kv.list<Row>(selector, { batchSize: 200 })) {
    yield { ...value, productId: idIn(key, 2), tier: String(key[3]) || null };
  }
}

export async function awaitsAny({ store, workspaceId }: WorkspaceStore): Promise<boolean> {
  return await firstRow(store, { prefix: tableOf("xa", workspaceId) }) !== null;
}

/** Those of the places at which a price is awaited. */
export async function awaitedAmong<Place extends AwaitedPlace>(
  { store, workspaceId }: WorkspaceStore,
  places: readonly Place[],
): Promise<Place[]> {
  const rows = await getRows(store, places.map((one) => placeKey("xa", workspaceId, one)));
  return places.filter((_, n) => rows[n]?.versionstamp);
}

export function putSeenPrice(
  write: Write,
  workspaceId: string,
  place: AwaitedPlace,
  seen: SeenPrice,
): void {
  write.set(placeKey("xas", workspaceId, place), seen);
}

/** The latest imported prices, in the order of `places`; `null` for none. */
export async function findSeenPrices(
  { store, workspaceId }: WorkspaceStore,
  places: readonly AwaitedPlace[],
): Promise<(SeenPrice | null)[]> {
  const keys = places.map((one) => placeKey("xas", workspaceId, one));
  return (await getRows<SeenPrice>(store, keys)).map(({ value }) => value);
}

/** Has awaited prices judged by an import that has ended, or by the clock. */
export function queueArrival(write: Write, workspaceId: string, jobId: string): void {
  write.set([...tableOf("xj", workspaceId), jobPart(jobId)], null);
}

/** Waiting judgements of a workspace. */
export async function listQueuedArrivals(
  { store, workspaceId }: WorkspaceStore,
): Promise<string[]> {
  const rows = store.kv.list({ prefix: tableOf("xj", workspaceId) }, { limit: 100 });
  return await Array.fromAsync(
    rows,
    ({ key: [, , job] }) => job instanceof Uint8Array ? idText(job) : String(job),
  );
}

/** The count so far, and the version that a commit goes on from. */
export async function readArrivalCount(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<{ readonly count: ArrivalCount | null; readonly versionstamp: string | null }> {
  const key = [...tableOf("xi", workspaceId), jobPart(jobId)];
  const { value, versionstamp } = await store.kv.get<ArrivalCount>(key);
  return { count: value, versionstamp };
}

/** The commit fails when the count has changed since `versionstamp`. */
export function saveArrivalCount(
  write: Write,
  workspaceId: string,
  jobId: string,
  count: ArrivalCount,
  versionstamp: string | null,
): void {
  const key = [...tableOf("xi", workspaceId), jobPart(jobId)];
  write.check(key, versionstamp);
  if (count.isDone) write.delete([...tableOf("xj", workspaceId), jobPart(jobId)]);
  if (count.isDone && jobId === BY_CLOCK) write.delete(key);
  else write.set(key, count);
}

/** With the import that it is of. */
export function removeArrival(write: Write, workspaceId: string, jobId: string): void {
  write.delete([...tableOf("xi", workspaceId), jobPart(jobId)]);
  write.delete([...tableOf("xj", workspaceId), jobPart(jobId)]);
}

/** The awaited prices that an import brought; `null` while unknown. */
export async function findArrival(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<Arrival | null> {
  const { count } = await readArrivalCount(workspace, jobId);
  if (count === null || !count.isDone || count.expected === 0) return null;
  const { expected, arrived, missing } = count;
  return { expected, arrived, missing };
}

/** A finished export of own prices. Times are in milliseconds. */
export interface FinishedExport {
  readonly id: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly format: string;
  /** No older changes were told. */
  readonly fromMs: number;
  /** When it was begun: no younger ones were. */
  readonly toMs: number;
  readonly rows: number;
  /** The same for an export of the same changes. */
  readonly range: string;
}

const rowsOf = (workspaceId: string) => ["xe", idBytes(workspaceId)];

export function putFinishedExport(
  write: Write,
  workspaceId: string,
  { id, atMs, ...row }: FinishedExport,
): void {
  write.set([...rowsOf(workspaceId), atMs, idBytes(id)], row);
}

/** From `fromMs` on, the newest first. */
export async function* walkFinishedExports(
  { store, workspaceId }: WorkspaceStore,
  fromMs: number,
): AsyncGenerator<FinishedExport> {
  const prefix = rowsOf(workspaceId);
  const selector = { prefix, start: [...prefix, fromMs] };
  const options = { reverse: true, batchSize: 200 };
  const rows = store.kv.list<Omit<FinishedExport, "id" | "atMs">>(selector, options);
  for await (const { key, value } of rows) {
    yield { id: lastIdOf(key), atMs: Number(key[2]), ...value };
  }
}

/** Takes away up to `limit` of those before a time; answers how many. */
export async function removeFinishedExports(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, rowsOf(workspaceId), limit, beforeMs);
}

/**
 * True when an export contained the price while it was in force. `endedMs`: the time of the next
 * price. Imported prices are not exported.
 */
export type HasTold = (change: Pick<PriceChange, "at" | "source">, endedMs: number) => boolean;

/**
 * By the exports that were read to their end since a time. A span is told from its beginning on by an
 * export and the ones before it, so time alone decides: rather a price too many than one too few.
 */
export async function exportsSince(workspace: WorkspaceStore, sinceMs: number): Promise<HasTold> {
  const exports = await Array.fromAsync(walkFinishedExports(workspace, sinceMs));
  return ({ at, source }, endedMs) => {
    if (source === "import") return false;
    const atMs = Date.parse(at);
    return exports.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs && toMs < endedMs);
  };
}
