/**
 * Keys: `qs W slot competitorId` → u64, how many of a shop's offers were seen in ten hours, each once,
 * summed in the commits of the sights while the workspace holds prices; `qj W competitorId pattern
 * productId` → when the price of the product there took the pattern, in milliseconds; `qa W competitorId
 * pattern` → that the shop has the pattern, and its prices wait. `qj` and `qa` expire by themselves, of
 * `qs` the nightly sweep takes what is two days old.
 */

import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { getRows, removeRows } from "../../platform/store/rows.ts";
import { patternName, type ShopPattern } from "./hold_sight.ts";

const SLOT_MS = 10 * 3_600_000;
/** A run of a shop: less than a day, so that what comes every night is none with the night before. */
export const RUN_MS = 2 * SLOT_MS;

const seenOf = (workspaceId: string) => ["qs", idBytes(workspaceId)];
const seenKey = (workspaceId: string, slot: number, competitorId: string) => [
  ...seenOf(workspaceId),
  slot,
  idBytes(competitorId),
];
const changesOf = (workspaceId: string, { competitorId, pattern }: PatternOfShop) => [
  "qj",
  idBytes(workspaceId),
  idBytes(competitorId),
  patternName(pattern),
];
const alarmsOf = (workspaceId: string, competitorId: string) => [
  "qa",
  idBytes(workspaceId),
  idBytes(competitorId),
];

const alarmKey = (workspaceId: string, { competitorId, pattern }: PatternOfShop) => [
  ...alarmsOf(workspaceId, competitorId),
  patternName(pattern),
];

const slotOf = (nowMs: number) => Math.floor(nowMs / SLOT_MS);

/** Since when the run of now lasts, in milliseconds. */
export function runStartMs(nowMs: number): number {
  return (slotOf(nowMs) - 1) * SLOT_MS;
}

/** True for a sight that is the first one of the offer in the slot of now. */
export function isFirstSight(checkedAtMs: number | null, nowMs: number): boolean {
  return checkedAtMs === null || checkedAtMs < slotOf(nowMs) * SLOT_MS;
}

/** Counts first sights in the commit that records them; one mutation for each shop. */
export function countSights(
  write: Write,
  workspaceId: string,
  nowMs: number,
  counts: ReadonlyMap<string, number>,
): void {
  for (const [id, count] of counts) write.sum(seenKey(workspaceId, slotOf(nowMs), id), count);
}

/** How many offers of the shop were seen in the run of now; what is seen in both slots counts twice. */
export async function findSights(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  nowMs: number,
): Promise<number> {
  const slots = [slotOf(nowMs) - 1, slotOf(nowMs)];
  const keys = slots.map((slot) => seenKey(workspaceId, slot, competitorId));
  const rows = await getRows<Deno.KvU64>(store, keys);
  return rows.reduce((sum, { value }) => sum + Number(value?.value ?? 0n), 0);
}

/** Removes up to `limit` counts from before a time; answers their number. */
export async function removeSights(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, seenOf(workspaceId), limit, slotOf(beforeMs));
}

/** A pattern in a shop's prices. */
export interface PatternOfShop {
  readonly competitorId: string;
  readonly pattern: ShopPattern;
}

/** A price of a shop that took a pattern. */
export interface PatternedChange extends PatternOfShop {
  readonly productId: string;
  readonly atMs: number;
}

/** The same one again is the same row. */
export function putChange(
  write: Write,
  workspaceId: string,
  change: PatternedChange,
): void {
  const key = [...changesOf(workspaceId, change), idBytes(change.productId)];
  write.set(key, change.atMs, RUN_MS);
}

/** The products whose price took the pattern since then, up to `limit`. */
export async function listChanged(
  { store, workspaceId }: WorkspaceStore,
  of: PatternOfShop,
  sinceMs: number,
  limit = Infinity,
): Promise<string[]> {
  const prefix = changesOf(workspaceId, of);
  const found: string[] = [];
  const options = limit === Infinity ? { batchSize: 1_000 } : { batchSize: 50 };
  for await (const { key, value } of store.kv.list<number>({ prefix }, options)) {
    if (value < sinceMs) continue;
    if (found.push(lastIdOf(key)) >= limit) break;
  }
  return found;
}

/** That prices of a shop have a pattern. */
export interface ShopAlarm {
  readonly pattern: ShopPattern;
  /** When it was noticed, in milliseconds. */
  readonly sinceMs: number;
  /** When a price was held last because of it. */
  readonly lastMs: number;
  /**
   * The time when a person released the waiting prices: the pattern is believed until the run ends;
   * `null` before.
   */
  readonly releasedMs: number | null;
  /** True when all that had it before it was noticed waits. */
  readonly isWhole: boolean;
  /** So many products had it when it was noticed, … */
  readonly count: number;
  /** … of so many that were seen. */
  readonly seen: number;
}

export interface StoredAlarm {
  readonly alarm: ShopAlarm | null;
  readonly versionstamp: string | null;
}

/** True while prices with the pattern wait. */
export function isOpen(alarm: ShopAlarm | null, nowMs: number): alarm is ShopAlarm {
  return alarm !== null && alarm.releasedMs === null && nowMs < alarm.lastMs + RUN_MS;
}

/** True while the pattern is believed because a person confirmed it. */
export function isBelieved(alarm: ShopAlarm | null, nowMs: number): boolean {
  return alarm !== null && alarm.releasedMs !== null && nowMs < alarm.releasedMs + RUN_MS;
}

export async function findAlarm(
  { store, workspaceId }: WorkspaceStore,
  of: PatternOfShop,
): Promise<StoredAlarm> {
  const { value, versionstamp } = await store.kv.get<ShopAlarm>(alarmKey(workspaceId, of));
  return { alarm: value, versionstamp };
}

/** All of a shop that have not expired. */
export async function listAlarms(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<{ readonly alarm: ShopAlarm; readonly versionstamp: string }[]> {
  const prefix = alarmsOf(workspaceId, competitorId);
  const rows = await Array.fromAsync(store.kv.list<ShopAlarm>({ prefix }));
  return rows.map(({ value, versionstamp }) => ({ alarm: value, versionstamp }));
}

/** The commit fails when the alarm was changed since `versionstamp`. */
export function checkAlarm(
  write: Write,
  workspaceId: string,
  of: PatternOfShop,
  versionstamp: string | null,
): void {
  write.check(alarmKey(workspaceId, of), versionstamp);
}

export function putAlarm(
  write: Write,
  workspaceId: string,
  competitorId: string,
  alarm: ShopAlarm,
): void {
  write.set(alarmKey(workspaceId, { competitorId, pattern: alarm.pattern }), alarm, 2 * RUN_MS);
}

const PER_COMMIT = 500;

/** Forgets how much of shops was seen before then; answers how many counts. */
export async function sweepSights(store: Store, before: Date): Promise<number> {
  return await commitInWorkspaces(store, "old counts of sights", PER_COMMIT, (write, workspace) => {
    return removeSights(write, workspace, before.getTime(), PER_COMMIT);
  });
}
