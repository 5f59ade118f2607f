/**
 * Stores the health of a shop: number of fetches by hour and day, number of due fetches, the last
 * error, and outages.
 */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { sumOf } from "../../base/collections.ts";
import { clockIn, dateIn, DAY_MS, daysBefore, HOUR_MS } from "../../base/time.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import {
  type Competitor,
  type HealthOf,
  listCompetitors,
  requireCompetitor,
} from "../../shops/competitor_store.ts";
import type { LiveMatch } from "../../shops/matches/list_matches.ts";
import { CAUSE_OF, REPAIR_CAUSES } from "../../shops/offers/offer.ts";

const HOURS = 24;

interface FetchCounts {
  ok: number;
  failed: number;
}

const noFetches = (): FetchCounts => ({ ok: 0, failed: 0 });

interface FetchDay {
  readonly competitorId: string;
  readonly date: string;
}

export const FETCH_DAYS = 30;

const isOldDay = ({ date }: FetchDay, before: Date) => date < before.toISOString().slice(0, 10);

/** `outcome` is 0 for a price or an answer such as `sold_out`, and 1 for a failed fetch. */
export const fetchDays = defineTable<
  FetchDay & { readonly outcome: number; readonly count: number },
  "competitorId" | "date" | "outcome"
>({
  prefix: "hs",
  about: "u64, the number of fetches of a shop on a day in the workspace's time zone, by outcome",
  key: { competitorId: "id", date: "text", outcome: "number" },
  value: "count",
  keep: { what: "daily counts of fetches per shop", days: FETCH_DAYS, isOld: isOldDay },
});

export const fetchDaySums = defineTable<FetchDay & Readonly<FetchCounts>, keyof FetchDay>({
  prefix: "hd",
  about: "the fetches of a day, counted by an earlier version",
  key: { competitorId: "id", date: "text" },
  keep: { what: "daily fetch counts of an earlier version", days: FETCH_DAYS, isOld: isOldDay },
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
    "u64, the number of fetches of a shop in an hour, by outcome: 0 without a failure, 1 for a failure of unknown cause, 2 and above one number for each cause",
  key: { competitorId: "id", hour: "number", outcome: "number" },
  value: "count",
  keep: {
    what: "hourly counts of fetches per shop",
    days: 2,
    isOld: ({ hour }, before) => hour < Math.floor(before.getTime() / HOUR_MS),
  },
});

/** Keys of `fetchHours` contain an index of this list: keep its order. `null`: unknown cause. */
const OUTCOMES = ["ok", null, ...REPAIR_CAUSES] as const;

export function countFetch(
  write: Write,
  owner: Pick<WorkspaceStore, "workspaceId">,
  { competitorId, atMs, timeZone, outcome, count = 1 }: {
    readonly competitorId: string;
    readonly atMs: number;
    readonly timeZone: string;
    readonly outcome: (typeof OUTCOMES)[number];
    readonly count?: number;
  },
): void {
  if (count === 0) return;
  const hour = Math.floor(atMs / HOUR_MS);
  const date = dateIn(new Date(atMs), timeZone);
  const key = { competitorId, hour, outcome: OUTCOMES.indexOf(outcome) };
  write.sum(fetchHours.keyOf(owner, key), count);
  const day = { competitorId, date, outcome: Math.min(key.outcome, 1) };
  write.sum(fetchDays.keyOf(owner, day), count);
}

const countsOf = ({ outcome, count }: Pick<FetchHour, "outcome" | "count">): FetchCounts => ({
  ok: outcome === 0 ? count : 0,
  failed: outcome === 0 ? 0 : count,
});

export const shopLoads = defineTable<{ competitorId: string; load: number }, "competitorId">({
  prefix: "dc",
  about: "u64, due fetches per day at the shop, in thousandths",
  key: { competitorId: "id" },
  value: "load",
});

/** Returns each competitor's scheduled fetches per day, in thousandths of a fetch. */
export async function findCompetitorLoads(
  workspace: WorkspaceStore,
  competitorIds: readonly string[],
): Promise<number[]> {
  const keys = competitorIds.map((competitorId) => ({ competitorId }));
  return (await shopLoads.getMany(workspace, keys)).map((found) => found?.row.load ?? 0);
}

export function perDayMax(delayMs: number): number {
  return Math.floor(DAY_MS / Math.max(delayMs, 1));
}

export function createHealthOf(delayMs: number): HealthOf {
  return async (ctx, id) => {
    const [load = 0] = await findCompetitorLoads(ctx, [id]);
    const after = { hour: Math.floor(ctx.now().getTime() / HOUR_MS) - HOURS };
    const hours = await fetchHours.list(ctx, { within: { competitorId: id }, after });
    const counts = hours.map(({ row }) => countsOf(row));
    const [ok, failed] = [sumOf(counts, ({ ok }) => ok), sumOf(counts, ({ failed }) => failed)];
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
  for await (const { row } of fetchDaySums.walk(ctx, range)) add(days.get(row.date), row);
  for await (const { row } of fetchDays.walk(ctx, range)) add(days.get(row.date), countsOf(row));
  for await (const { row } of fetchHours.walk(ctx, { within: { competitorId } })) {
    const { date, time } = clockIn(new Date(row.hour * HOUR_MS), timeZone);
    const counts = countsOf(row);
    if (date === today) add(hours[Number(time.slice(0, 2))], counts);
    const last = lastHours[row.hour - firstHour];
    add(last, counts);
    const cause = OUTCOMES[row.outcome];
    if (cause && cause !== "ok") last?.causes.push({ cause, failed: row.count });
  }
  for (const { causes } of lastHours) causes.sort((a, b) => b.failed - a.failed);
  return { hours, lastHours, days };
}

interface LastError {
  readonly competitorId: string;
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /** Time of the first fetch without an answer; null if the shop answered the last fetch. */
  readonly failingSince: string | null;
  /** Time of the first failed fetch since the last success; null after a success. */
  readonly failedSince: string | null;
  readonly isAnnounced: boolean;
}

export const lastErrors = defineTable<LastError, "competitorId">({
  prefix: "he",
  about: "the last error of a shop, and since when it has not answered; expires after 90 days",
  key: { competitorId: "id" },
  expireInMs: 90 * DAY_MS,
  // Rows of earlier versions of Kurant have no `failedSince`.
  codec: { decode: (value: Partial<LastError>) => ({ failedSince: value.failingSince, ...value }) },
});

export function endOutage(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  found: Found<LastError>,
  { domain }: Pick<Competitor, "domain">,
): void {
  if (found.row.failedSince === null) return;
  const ended = { failingSince: null, failedSince: null, isAnnounced: false };
  lastErrors.save(write, ctx, found, { ...found.row, ...ended });
  if (found.row.isAnnounced) publish(write, ctx, [{ type: "domain.answering", data: { domain } }]);
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
  const { timeZone } = await requireWorkspace(ctx);
  const fetched = { competitorId: competitor.id, atMs: now.getTime(), timeZone };
  countFetch(write, ctx, { ...fetched, outcome });
  const stored = await lastErrors.find(ctx, { competitorId: competitor.id });
  const before = stored?.row ?? null;
  if (failed === null) {
    if (stored) endOutage(write, ctx, stored, competitor);
    return;
  }
  const after = { competitorId: competitor.id, ...withError(before, failed, now) };
  lastErrors.save(write, ctx, stored, after);
  if (after.isAnnounced === (before?.isAnnounced ?? false)) return;
  const { id: competitorId, displayName, domain } = competitor;
  const { failedSince: since } = after;
  const failing = { competitorId, competitor: displayName, since, lastError: failed.errorCode };
  publish(write, ctx, [
    after.isAnnounced
      ? { type: "domain.failing", data: { ...failing, domain } }
      : { type: "domain.answering", data: { domain } },
  ]);
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
