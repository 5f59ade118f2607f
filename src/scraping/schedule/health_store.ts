/**
 * Keys: `hc W competitorId hour 0|1` → u64, fetches of an hour that brought a price (0) or did not
 * (1); `hd W competitorId date` → the same of a day, as far as its hours are in no row of their own
 * any more; `he W competitorId` → the last error, and since when nothing else came.
 */

import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import type { CompetitorHealth, HealthOf } from "../../shops/competitor.ts";
import { findCompetitorLoads, perDayMax } from "./schedule_store.ts";

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;
/** Both outcomes of each hour of two days. */
const HOURS_AT_ONCE = 100;

const hoursPrefix = (workspaceId: string, competitorId: string) => [
  "hc",
  idBytes(workspaceId),
  idBytes(competitorId),
];
const daysPrefix = (workspaceId: string, competitorId: string) => [
  "hd",
  idBytes(workspaceId),
  idBytes(competitorId),
];
const errorKey = (workspaceId: string, competitorId: string) => [
  "he",
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** The owner of the rows. */
export interface ShopPlace {
  readonly workspaceId: string;
  readonly competitorId: string;
}

function shopIn(key: Deno.KvKey): ShopPlace {
  return { workspaceId: idIn(key, 1), competitorId: idIn(key, 2) };
}

/** The last error of a shop. */
export interface LastError {
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /** The first of a row of fetches that the shop did not answer; null when it answered the last one. */
  readonly failingSince: string | null;
  /** True when people were told. */
  readonly isAnnounced: boolean;
}

export interface StoredError {
  readonly error: LastError | null;
  readonly versionstamp: string | null;
}

export async function findLastError(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<StoredError> {
  const { value, versionstamp } = await store.kv.get<LastError>(
    errorKey(workspaceId, competitorId),
  );
  return { error: value, versionstamp };
}

/** The commit fails when it was changed since it was read. */
export function saveLastError(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: StoredError,
  error: LastError,
): void {
  const key = errorKey(workspaceId, competitorId);
  write.check(key, versionstamp);
  write.set(key, error);
}

/** The shops that have had an error, over all workspaces. */
export async function* listShopsWithErrors({ kv }: Store): AsyncGenerator<ShopPlace> {
  for await (const { key } of kv.list({ prefix: ["he"] })) yield shopIn(key);
}

export function deleteLastError(write: Write, { workspaceId, competitorId }: ShopPlace): void {
  write.delete(errorKey(workspaceId, competitorId));
}

export function countFetch(
  write: Write,
  workspaceId: string,
  competitorId: string,
  atMs: number,
  outcome: "ok" | "failed",
): void {
  const hour = Math.floor(atMs / HOUR_MS);
  const key = [...hoursPrefix(workspaceId, competitorId), hour, outcome === "ok" ? 0 : 1];
  write.sum(key, 1);
}

/** Fetches and what they came to. */
export interface FetchCounts {
  /** Those that brought a price, or an answer that is as good. */
  readonly ok: number;
  readonly failed: number;
}

/** The fetches of an hour that had one outcome. */
export interface CountedHour extends FetchCounts {
  readonly startMs: number;
  readonly key: Deno.KvKey;
}

/** Of a shop, the oldest first, as far as they have not gone into days. */
export async function* listHours(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  { fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER } = {},
): AsyncGenerator<CountedHour> {
  const prefix = hoursPrefix(workspaceId, competitorId);
  const selector = {
    start: [...prefix, Math.floor(fromMs / HOUR_MS)],
    end: [...prefix, Math.floor(beforeMs / HOUR_MS)],
  };
  const rows = store.kv.list<Deno.KvU64>(selector, { batchSize: HOURS_AT_ONCE });
  for await (const { key, value } of rows) {
    const count = Number(value.value);
    const [ok, failed] = key[4] === 0 ? [count, 0] : [0, count];
    yield { startMs: Number(key[3]) * HOUR_MS, ok, failed, key };
  }
}

/** Fetches of the last 24 hours, in whole hours. */
export async function sumFetches(
  workspace: WorkspaceStore,
  competitorId: string,
  nowMs: number,
): Promise<FetchCounts> {
  const sums = { ok: 0, failed: 0 };
  const fromMs = nowMs - (HOURS_SHOWN - 1) * HOUR_MS;
  for await (const { ok, failed } of listHours(workspace, competitorId, { fromMs })) {
    sums.ok += ok;
    sums.failed += failed;
  }
  return sums;
}

/** The shops that have hours before then, over all workspaces; each may come more than once. */
export async function* listShopsWithHours(
  { kv }: Store,
  beforeMs: number,
): AsyncGenerator<ShopPlace> {
  const oldest = Math.floor(beforeMs / HOUR_MS);
  let last = "";
  for await (const { key } of kv.list({ prefix: ["hc"] }, { batchSize: 1_000 })) {
    const shop = shopIn(key);
    const name = `${shop.workspaceId} ${shop.competitorId}`;
    if (Number(key[3]) >= oldest || name === last) continue;
    last = name;
    yield shop;
  }
}

export function deleteHour(write: Write, { key }: Pick<CountedHour, "key">): void {
  write.delete(key);
}

/** The hours that a day's row contains. */
export interface StoredDay {
  readonly counts: FetchCounts;
  readonly versionstamp: string | null;
}

const NO_FETCHES: FetchCounts = { ok: 0, failed: 0 };

export async function findDay(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  date: string,
): Promise<StoredDay> {
  const key = [...daysPrefix(workspaceId, competitorId), date];
  const { value, versionstamp } = await store.kv.get<FetchCounts>(key);
  return { counts: value ?? NO_FETCHES, versionstamp };
}

/** The commit fails when the day was written since it was read: so hours go into it once. */
export function saveDay(
  write: Write,
  { workspaceId, competitorId, date }: {
    readonly workspaceId: string;
    readonly competitorId: string;
    readonly date: string;
  },
  { versionstamp }: Pick<StoredDay, "versionstamp">,
  counts: FetchCounts,
): void {
  const key = [...daysPrefix(workspaceId, competitorId), date];
  write.check(key, versionstamp);
  write.set(key, counts);
}

/** The days of a shop from a date on, by date. */
export async function findDays(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  from: string,
): Promise<Map<string, FetchCounts>> {
  const prefix = daysPrefix(workspaceId, competitorId);
  const selector = { prefix, start: [...prefix, from] };
  const days = new Map<string, FetchCounts>();
  for await (const { key, value } of store.kv.list<FetchCounts>(selector)) {
    days.set(String(key[3]), value);
  }
  return days;
}

/** The days before a date, over all workspaces. */
export async function* listOldDays({ kv }: Store, before: string): AsyncGenerator<Deno.KvKey> {
  for await (const { key } of kv.list({ prefix: ["hd"] }, { batchSize: 1_000 })) {
    if (String(key[3]) < before) yield key;
  }
}

export function deleteDay(write: Write, day: Deno.KvKey): void {
  write.delete(day);
}

const MILLI = 1_000;

/** How fetching from competitors goes, for those who show them. */
export function createHealthOf(delayMs: number): HealthOf {
  return async (ctx, ids) => {
    const loads = await findCompetitorLoads(ctx, ids);
    return await Promise.all(ids.map(async (id, at): Promise<CompetitorHealth> => {
      const [fetches, { error }] = await Promise.all([
        sumFetches(ctx, id, ctx.now().getTime()),
        findLastError(ctx, id),
      ]);
      return {
        ok24h: fetches.ok,
        failed24h: fetches.failed,
        lastError: error && { code: error.errorCode, message: error.message, at: error.at },
        due: Math.ceil((loads[at] ?? 0) / MILLI),
        perDayMax: perDayMax(delayMs),
      };
    }));
  };
}
