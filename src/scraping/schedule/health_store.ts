/** The results of fetching from shops: counts by hour and by day, and the last error. */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { clockIn, dateIn, DAY_MS, daysBefore, HOUR_MS } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { CompetitorHealth, HealthOf } from "../../shops/competitor.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { findCompetitorLoads, perDayMax } from "./schedule_store.ts";

const HOURS_SHOWN = 24;
const MILLI = 1_000;

export interface LastError {
  readonly competitorId: string;
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /**
   * Time of the first of the consecutive fetches without an answer; null if the shop answered the
   * last one.
   */
  readonly failingSince: string | null;
  /** Time of the first failed fetch after the last successful one; null after a success. */
  readonly failedSince: string | null;
  /** True if people were notified. */
  readonly isAnnounced: boolean;
}

export const lastErrors = defineTable<LastError, "competitorId">({
  prefix: "he",
  about: "the last error of a shop, and since when it has not answered",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  // Rows of earlier versions lack the time.
  codec: { decode: (value) => ({ failedSince: Object(value).failingSince, ...Object(value) }) },
});

export interface FetchCounts {
  /** Number of fetches with a price, or with an answer that counts as success. */
  readonly ok: number;
  readonly failed: number;
}

interface FetchDay extends FetchCounts {
  readonly competitorId: string;
  readonly date: string;
}

/** Number of days that are kept, including today. */
export const FETCH_DAYS = 30;

export const fetchDays = defineTable<FetchDay, "competitorId" | "date">({
  prefix: "hd",
  about: "the fetches of a day, without the hours that still have separate rows",
  key: { competitorId: "id", date: "text" },
  keyOnly: ["competitorId", "date"],
  keep: {
    what: "daily counts of fetches per shop",
    days: FETCH_DAYS,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
  },
});

interface FetchHour {
  readonly competitorId: string;
  /** Hours since 1970. */
  readonly hour: number;
  /** 0 for fetches with a price. */
  readonly outcome: number;
  readonly count: number;
}

export const fetchHours = defineTable<FetchHour, "competitorId" | "hour" | "outcome">({
  prefix: "hc",
  about:
    "u64, the number of fetches in an hour with a price (0) or without (1), until they are added to their day",
  key: { competitorId: "id", hour: "number", outcome: "number" },
  keyOnly: ["competitorId", "hour", "outcome"],
  codec: { decode: (value) => ({ count: Number(Object(value).value) }) },
});

export function countFetch(
  write: Write,
  owner: Pick<WorkspaceStore, "workspaceId">,
  competitorId: string,
  atMs: number,
  outcome: "ok" | "failed",
): void {
  const hour = Math.floor(atMs / HOUR_MS);
  const key = { competitorId, hour, outcome: outcome === "ok" ? 0 : 1 };
  write.sum(fetchHours.keyOf(owner, key), 1);
}

export interface CountedHour extends FetchHour, FetchCounts {
  readonly startMs: number;
}

/** Yields the hourly counts of a shop that are not yet added to their day, oldest first. */
export async function* walkHours(
  workspace: WorkspaceStore,
  competitorId: string,
  { fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER } = {},
): AsyncGenerator<CountedHour> {
  const range = { within: { competitorId }, after: { hour: Math.floor(fromMs / HOUR_MS) - 1 } };
  for await (const { row } of fetchHours.walk(workspace, range)) {
    if (row.hour >= Math.floor(beforeMs / HOUR_MS)) return;
    const [ok, failed] = row.outcome === 0 ? [row.count, 0] : [0, row.count];
    yield { ...row, startMs: row.hour * HOUR_MS, ok, failed };
  }
}

export async function listShopsWithHours(
  workspace: WorkspaceStore,
  beforeMs: number,
): Promise<ReadonlySet<string>> {
  const shops = new Set<string>();
  for await (const { row } of fetchHours.walk(workspace)) {
    if (row.hour < Math.floor(beforeMs / HOUR_MS)) shops.add(row.competitorId);
  }
  return shops;
}

export function sumFetches(counts: readonly FetchCounts[]): FetchCounts {
  return {
    ok: counts.reduce((sum, { ok }) => sum + ok, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Provides the health of competitors, for rooms that show them. */
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
        downSince: error && failed > 0 && ok === 0 ? error.failedSince ?? error.at : null,
        lastError: error ? { code: error.errorCode, message: error.message, at: error.at } : null,
        due: Math.ceil((loads[at] ?? 0) / MILLI),
        perDayMax: perDayMax(delayMs),
      };
    }));
  };
}

const DAYS = 14;
const HOURS = 24;

const Counts = z.object({
  ok: z.int().meta({ description: "Number of successful fetches" }),
  failed: z.int(),
});

export const ShopFetches = z.object({
  date: z.iso.date().meta({ description: "Today in the workspace's time zone" }),
  items: z.array(z.object({
    competitorId: z.string(),
    hours: z.array(Counts).meta({ description: `The ${HOURS} hours of today` }),
    days: z.array(Counts).meta({
      description: `The last ${DAYS} days including today, oldest first`,
    }),
  })),
}).meta({ id: "ShopFetches" });

export async function readFetches(ctx: Context): Promise<z.output<typeof ShopFetches>> {
  const [{ timeZone }, shops] = await Promise.all([
    requireWorkspace(ctx),
    listCompetitors(ctx, null, null),
  ]);
  const now = ctx.now();
  const date = dateIn(now, timeZone);
  const dates = Array.from({ length: DAYS }, (_, at) => daysBefore(date, DAYS - 1 - at));
  const fromMs = now.getTime() - DAYS * DAY_MS;
  const items = shops.filter(({ enabled }) => enabled).map(async ({ id: competitorId }) => {
    const hours = Array.from({ length: HOURS }, (): FetchCounts => ({ ok: 0, failed: 0 }));
    const days = new Map(dates.map((day): [string, FetchCounts] => [day, { ok: 0, failed: 0 }]));
    const range = { within: { competitorId }, after: { date: daysBefore(date, DAYS) } };
    for await (const { row } of fetchDays.walk(ctx, range)) addTo(days, row.date, row);
    for await (const hour of walkHours(ctx, competitorId, { fromMs })) {
      const { date: day, time } = clockIn(new Date(hour.startMs), timeZone);
      addTo(days, day, hour);
      const place = Number(time.slice(0, 2));
      const before = hours[place];
      if (day === date && before) hours[place] = sumFetches([before, hour]);
    }
    return { competitorId, hours, days: [...days.values()] };
  });
  return { date, items: await Promise.all(items) };
}

function addTo(days: Map<string, FetchCounts>, day: string, counts: FetchCounts): void {
  const before = days.get(day);
  if (before) days.set(day, sumFetches([before, counts]));
}
