/**
 * Keys: `hc W competitorId hour 0|1` → u64, fetches of an hour that brought a price (0) or did not (1),
 * as far as they have not gone into their day.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { CompetitorHealth, HealthOf } from "../../shops/competitor.ts";
import { findCompetitorLoads, perDayMax } from "./schedule_store.ts";

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;
const MILLI = 1_000;

const hoursPrefix = (workspaceId: string, competitorId: string) => [
  "hc",
  idBytes(workspaceId),
  idBytes(competitorId),
];

export interface LastError {
  readonly competitorId: string;
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /** The first of a row of fetches that the shop did not answer; null when it answered the last one. */
  readonly failingSince: string | null;
  /** True when people were told. */
  readonly isAnnounced: boolean;
}

export const lastErrors = defineTable<LastError, "competitorId">({
  prefix: "he",
  about: "the last error of a shop, and since when nothing else came",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
});

export interface FetchCounts {
  /** Those that brought a price, or an answer that is as good. */
  readonly ok: number;
  readonly failed: number;
}

interface FetchDay extends FetchCounts {
  readonly competitorId: string;
  readonly date: string;
}

/** As many days are kept, today among them. */
export const FETCH_DAYS = 30;

export const fetchDays = defineTable<FetchDay, "competitorId" | "date">({
  prefix: "hd",
  about: "the fetches of a day, as far as its hours are in no row of their own any more",
  key: { competitorId: "id", date: "text" },
  keyOnly: ["competitorId", "date"],
  keep: {
    what: "daily counts of fetches per shop",
    days: FETCH_DAYS,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
  },
});

export function countFetch(
  write: Write,
  workspaceId: string,
  competitorId: string,
  atMs: number,
  outcome: "ok" | "failed",
): void {
  const hour = Math.floor(atMs / HOUR_MS);
  write.sum([...hoursPrefix(workspaceId, competitorId), hour, outcome === "ok" ? 0 : 1], 1);
}

/** The fetches of an hour that had one outcome. */
export interface CountedHour extends FetchCounts {
  readonly startMs: number;
  readonly key: Deno.KvKey;
}

/** Of a shop, the oldest first, as far as they have not gone into days. */
export async function* walkHours(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  { fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER } = {},
): AsyncGenerator<CountedHour> {
  const prefix = hoursPrefix(workspaceId, competitorId);
  const selector = {
    start: [...prefix, Math.floor(fromMs / HOUR_MS)],
    end: [...prefix, Math.floor(beforeMs / HOUR_MS)],
  };
  for await (const { key, value } of store.kv.list<Deno.KvU64>(selector)) {
    const count = Number(value.value);
    const counts = key[4] === 0 ? { ok: count, failed: 0 } : { ok: 0, failed: count };
    yield { startMs: Number(key[3]) * HOUR_MS, ...counts, key };
  }
}

export async function listShopsWithHours(
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
): Promise<ReadonlySet<string>> {
  const shops = new Set<string>();
  const rows = store.kv.list({ prefix: ["hc", idBytes(workspaceId)] }, { batchSize: 1_000 });
  for await (const { key } of rows) {
    if (Number(key[3]) < Math.floor(beforeMs / HOUR_MS)) shops.add(idIn(key, 2));
  }
  return shops;
}

export function deleteHour(write: Write, { key }: Pick<CountedHour, "key">): void {
  write.delete(key);
}

export function sumFetches(counts: readonly FetchCounts[]): FetchCounts {
  return {
    ok: counts.reduce((sum, { ok }) => sum + ok, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** How fetching from competitors goes, for those who show them. */
export function createHealthOf(delayMs: number): HealthOf {
  return async (ctx, ids) => {
    const loads = await findCompetitorLoads(ctx, ids);
    const fromMs = ctx.now().getTime() - (HOURS_SHOWN - 1) * HOUR_MS;
    return await Promise.all(ids.map(async (id, at): Promise<CompetitorHealth> => {
      const { ok, failed } = sumFetches(await Array.fromAsync(walkHours(ctx, id, { fromMs })));
      const { row: error } = await lastErrors.find(ctx, { competitorId: id }) ?? {};
      return {
        ok24h: ok,
        failed24h: failed,
        lastError: error ? { code: error.errorCode, message: error.message, at: error.at } : null,
        due: Math.ceil((loads[at] ?? 0) / MILLI),
        perDayMax: perDayMax(delayMs),
      };
    }));
  };
}
