/** Stores the health of a shop: number of fetches by hour and day, the last error, and outages. */
import { z } from "@hono/zod-openapi";
import { listWorkspaces, requireWorkspace } from "../../accounts/workspace.ts";
import { sumOf } from "../../base/collections.ts";
import { clockIn, dateIn, DAY_MS, daysBefore, HOUR_MS } from "../../base/time.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  competitors,
  type HealthOf,
  listCompetitors,
  requireCompetitor,
} from "../../shops/competitor_store.ts";
import type { LiveMatch } from "../../shops/matches/list_matches.ts";
import { CAUSE_OF, REPAIR_CAUSES } from "../../shops/offers/offer.ts";
import { endOutage, type LastError, lastErrors } from "./last_error_store.ts";
import { findCompetitorLoads, perDayMax } from "./schedule.ts";

const HOURS = 24;

interface FetchCounts {
  ok: number;
  failed: number;
}

const noFetches = (): FetchCounts => ({ ok: 0, failed: 0 });

interface FetchDay extends Readonly<FetchCounts> {
  readonly competitorId: string;
  readonly date: string;
}

export const FETCH_DAYS = 30;

export const fetchDays = defineTable<FetchDay, "competitorId" | "date">({
  prefix: "hd",
  about: "the fetches of a day; hours that still have rows of their own are not included",
  key: { competitorId: "id", date: "text" },
  keep: {
    what: "daily counts of fetches per shop",
    days: FETCH_DAYS,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
  },
});

interface FetchHour {
  readonly competitorId: string;
  readonly hour: number;
  readonly outcome: number;
  readonly count: number;
}

export const fetchHours = defineTable<FetchHour, "competitorId" | "hour" | "outcome">({
  prefix: "hc",
  about:
    "u64, the number of fetches of a shop in an hour, by outcome: 0 with a price, 1 without a price, 2 and above one number for each cause; deleted when the sums of the day are stored",
  key: { competitorId: "id", hour: "number", outcome: "number" },
  value: "count",
});

/** A count's key contains an outcome's index in this list. `null` is a failure of unknown cause. */
const OUTCOMES = ["ok", null, ...REPAIR_CAUSES] as const;

export function countFetch(
  write: Write,
  owner: Pick<WorkspaceStore, "workspaceId">,
  { competitorId, atMs, outcome, count = 1 }: {
    readonly competitorId: string;
    readonly atMs: number;
    readonly outcome: (typeof OUTCOMES)[number];
    readonly count?: number;
  },
): void {
  if (count === 0) return;
  const hour = Math.floor(atMs / HOUR_MS);
  const key = { competitorId, hour, outcome: OUTCOMES.indexOf(outcome) };
  write.sum(fetchHours.keyOf(owner, key), count);
}

interface CountedHour extends FetchHour, Readonly<FetchCounts> {
  readonly startMs: number;
}

async function* walkHours(
  workspace: WorkspaceStore,
  competitorId: string,
  { fromMs = 0, beforeMs = Infinity } = {},
): AsyncGenerator<CountedHour> {
  const range = { within: { competitorId }, after: { hour: Math.floor(fromMs / HOUR_MS) - 1 } };
  for await (const { row } of fetchHours.walk(workspace, range)) {
    if (row.hour >= Math.floor(beforeMs / HOUR_MS)) return;
    const [ok, failed] = row.outcome === 0 ? [row.count, 0] : [0, row.count];
    yield { ...row, startMs: row.hour * HOUR_MS, ok, failed };
  }
}

async function listShopsWithHours(
  workspace: WorkspaceStore,
  beforeMs: number,
): Promise<ReadonlySet<string>> {
  const shops = new Set<string>();
  for await (const { row } of fetchHours.walk(workspace)) {
    if (row.hour < Math.floor(beforeMs / HOUR_MS)) shops.add(row.competitorId);
  }
  return shops;
}

function sumFetches(counts: readonly Readonly<FetchCounts>[]): FetchCounts {
  return { ok: sumOf(counts, ({ ok }) => ok), failed: sumOf(counts, ({ failed }) => failed) };
}

export function createHealthOf(delayMs: number): HealthOf {
  return async (ctx, id) => {
    const [load = 0] = await findCompetitorLoads(ctx, [id]);
    const fromMs = ctx.now().getTime() - (HOURS - 1) * HOUR_MS;
    const { ok, failed } = sumFetches(await Array.fromAsync(walkHours(ctx, id, { fromMs })));
    const { row: error } = await lastErrors.find(ctx, { competitorId: id }) ?? {};
    return {
      ok24h: ok,
      failed24h: failed,
      downSince: error && failed > 0 && ok === 0 ? error.failedSince ?? error.at : null,
      lastError: error ? { code: error.errorCode, message: error.message, at: error.at } : null,
      due: Math.ceil(load / 1_000),
      perDayMax: perDayMax(delayMs),
    };
  };
}

const DAYS = 14;

const Counts = z.object({ ok: z.int().describe("Number of successful fetches"), failed: z.int() });

const LastHour = Counts.extend({
  startAt: z.iso.datetime().describe("When the hour began"),
  causes: z.array(z.object({
    cause: z.enum(REPAIR_CAUSES).describe("Why they failed"),
    failed: z.int(),
  })).describe("Failed fetches by known cause, the most frequent cause first"),
});

export const ShopFetches = z.object({
  date: z.iso.date().describe("Today in the workspace's time zone"),
  items: z.array(z.object({
    competitorId: z.string(),
    hours: z.array(Counts).describe(`The ${HOURS} hours of today`),
    lastHours: z.array(LastHour)
      .describe(`The last ${HOURS} hours including the current one, oldest first`),
    days: z.array(Counts).describe(`The last ${DAYS} days including today, oldest first`),
  })),
}).meta({ id: "ShopFetches" });

export async function readFetches(ctx: Context): Promise<z.output<typeof ShopFetches>> {
  const [{ timeZone }, shops] = await Promise.all([
    requireWorkspace(ctx),
    listCompetitors(ctx, null, null),
  ]);
  const items = shops.filter(({ enabled }) => enabled).map(async ({ id: competitorId }) => {
    const { days, ...byHour } = await fetchesOf(ctx, competitorId, timeZone, DAYS);
    return { competitorId, ...byHour, days: [...days.values()] };
  });
  return { date: dateIn(ctx.now(), timeZone), items: await Promise.all(items) };
}

async function fetchesOf(
  ctx: Context,
  competitorId: string,
  timeZone: string,
  dayCount: number,
) {
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const hours = Array.from({ length: HOURS }, noFetches);
  const firstHour = Math.floor(now.getTime() / HOUR_MS) - HOURS + 1;
  const lastHours = Array.from({ length: HOURS }, (_, since): z.output<typeof LastHour> => {
    const startAt = new Date((firstHour + since) * HOUR_MS).toISOString();
    return { startAt, ...noFetches(), causes: [] };
  });
  const days = new Map<string, FetchCounts>();
  for (let age = dayCount - 1; age >= 0; age--) days.set(daysBefore(today, age), noFetches());
  const add = (to: FetchCounts | undefined, { ok, failed }: Readonly<FetchCounts>) => {
    if (!to) return;
    to.ok += ok;
    to.failed += failed;
  };
  const range = { within: { competitorId }, after: { date: daysBefore(today, dayCount) } };
  for await (const { row } of fetchDays.walk(ctx, range)) add(days.get(row.date), row);
  const fromMs = now.getTime() - dayCount * DAY_MS;
  for await (const hour of walkHours(ctx, competitorId, { fromMs })) {
    const { date, time } = clockIn(new Date(hour.startMs), timeZone);
    add(days.get(date), hour);
    if (date === today) add(hours[Number(time.slice(0, 2))], hour);
    const last = lastHours[hour.hour - firstHour];
    add(last, hour);
    const cause = OUTCOMES[hour.outcome];
    if (cause && cause !== "ok") last?.causes.push({ cause, failed: hour.failed });
  }
  for (const { causes } of lastHours) causes.sort((a, b) => b.failed - a.failed);
  return { hours, lastHours, days };
}

const UNANSWERED_ERRORS = new Set(["blocked", "http_error", "timeout", "dns_error", "unreachable"]);

interface FailedFetch {
  readonly errorCode: string;
  readonly message: string | null;
  /** If `isAnswered` is absent, `errorCode` tells whether the shop answered. */
  readonly isAnswered?: boolean | undefined;
}

export async function noteHealth(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  { competitor, match }: LiveMatch,
  failed: FailedFetch | null,
): Promise<void> {
  // If a person said that the page shows no price, an answer without a price is not a failure.
  if (match.noPrice === true && failed !== null && isAnswer(failed)) return;
  const now = ctx.now();
  const outcome = failed === null ? "ok" : CAUSE_OF.get(failed.errorCode) ?? null;
  countFetch(write, ctx, { competitorId: competitor.id, atMs: now.getTime(), outcome });
  const stored = await lastErrors.find(ctx, { competitorId: competitor.id });
  const before = stored?.row ?? null;
  if (failed === null) {
    if (stored) endOutage(write, ctx, stored, competitor);
    return;
  }
  const after = { competitorId: competitor.id, ...withError(before, failed, now) };
  lastErrors.save(write, ctx, stored, after);
  if (!after.isAnnounced || before?.isAnnounced) return;
  const { id: competitorId, displayName, domain } = competitor;
  const { failedSince: since } = after;
  publish(write, ctx, [{
    type: "domain.failing",
    data: { competitorId, competitor: displayName, domain, since, lastError: failed.errorCode },
  }]);
}

function isAnswer(
  { errorCode, isAnswered = !UNANSWERED_ERRORS.has(errorCode) }: FailedFetch,
): boolean {
  return isAnswered;
}

function withError(
  before: LastError | null,
  failed: FailedFetch,
  now: Date,
): Omit<LastError, "competitorId"> & { readonly failedSince: string } {
  const { errorCode, message } = failed;
  const at = now.toISOString();
  const error = { errorCode, message, at, failedSince: before?.failedSince ?? at };
  if (isAnswer(failed)) return { ...error, failingSince: null, isAnnounced: false };
  const failingSince = before?.failingSince ?? at;
  const isLong = now.getTime() - Date.parse(failingSince) >= 24 * 3_600_000;
  return { ...error, failingSince, isAnnounced: isLong };
}

export const FetchDays = z.object({
  days: z.array(z.object({
    date: z.iso.date().describe("In the workspace's time zone"),
    ok: z.int().describe("Number of fetches with a price or another successful answer"),
    failed: z.int(),
  })).describe(`The last ${FETCH_DAYS} days including today, oldest first`),
}).meta({ id: "FetchDays" });
export type FetchDays = z.output<typeof FetchDays>;

export async function readFetchDays(ctx: Context, id: string): Promise<FetchDays> {
  await requireCompetitor(ctx, id);
  const { timeZone } = await requireWorkspace(ctx);
  const { days } = await fetchesOf(ctx, id, timeZone, FETCH_DAYS);
  return { days: [...days].map(([date, counts]) => ({ date, ...counts })) };
}

const ROWS_PER_COMMIT = 500;

export async function sweepCounts(store: Store, countedBefore: Date): Promise<number> {
  const beforeMs = countedBefore.getTime();
  let count = 0;
  for (const { id: workspaceId, timeZone } of await listWorkspaces(store)) {
    const workspace = { store, workspaceId };
    for (const id of await listShopsWithHours(workspace, beforeMs)) {
      count += await competitors.find(workspace, { id }) === null
        ? await removeInBatches(store, walkHours(workspace, id), ROWS_PER_COMMIT, (write, hour) => {
          fetchHours.drop(write, workspace, hour);
        })
        : await foldHours(workspace, id, timeZone, beforeMs);
    }
    for await (const found of lastErrors.walk(workspace)) {
      if (await competitors.find(workspace, { id: found.row.competitorId }) !== null) continue;
      await transact(workspace, (write) => lastErrors.drop(write, workspace, found.row));
      count++;
    }
  }
  return count;
}

async function foldHours(
  workspace: WorkspaceStore,
  competitorId: string,
  timeZone: string,
  beforeMs: number,
): Promise<number> {
  const dateOf = ({ startMs }: CountedHour) => dateIn(new Date(startMs), timeZone);
  const old = () => Array.fromAsync(walkHours(workspace, competitorId, { beforeMs }));
  let count = 0;
  for (const date of new Set((await old()).map(dateOf))) {
    count += await transact(workspace, async (write) => {
      // Read the day's row first, and then the hours. If another process then adds hours to the
      // row, the commit fails and is repeated, so no hour is counted twice.
      const day = await fetchDays.find(workspace, { competitorId, date });
      const hours = (await old()).filter((hour) => dateOf(hour) === date);
      if (hours.length === 0) return 0;
      const counts = sumFetches(day ? [day.row, ...hours] : hours);
      for (const hour of hours) fetchHours.drop(write, workspace, hour);
      fetchDays.save(write, workspace, day, { competitorId, date, ...counts });
      return hours.length;
    });
  }
  return count;
}
