import { listWorkspaces, requireWorkspace } from "../../accounts/workspace_store.ts";
import { dateIn, DAY_MS, daysBefore } from "../../base/time.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { competitors } from "../../shops/competitor_store.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { requireCompetitor } from "../../shops/require_competitors.ts";
import {
  type CountedHour,
  countFetch,
  FETCH_DAYS,
  type FetchCounts,
  fetchDays,
  fetchHours,
  type LastError,
  lastErrors,
  listShopsWithHours,
  sumFetches,
  walkHours,
} from "./health_store.ts";
import { z } from "@hono/zod-openapi";

/** Errors that mean that a shop does not answer; a page without a price is an answer. */
const NO_ANSWER = new Set(["blocked", "http_error", "timeout", "dns_error", "unreachable"]);

export interface FailedFetch {
  readonly errorCode: string;
  readonly message: string | null;
  /** False if the shop did not answer and `errorCode` does not imply it. */
  readonly isAnswered?: boolean | undefined;
}

/**
 * Counts a fetch for the health of its competitor; `failed` is null after a success. An event
 * reports a shop that has not answered for 24 h, once until it answers again
 * (docs/decisions/scraping.md).
 */
export async function noteHealth(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  live: LiveMatch | null,
  failed: FailedFetch | null,
): Promise<void> {
  if (live === null || isExpected(live, failed)) return;
  const { competitor } = live;
  const now = ctx.now();
  const outcome = failed === null ? "ok" : "failed";
  countFetch(write, ctx, competitor.id, now.getTime(), outcome);
  const stored = await lastErrors.find(ctx, { competitorId: competitor.id });
  const before = stored?.row ?? null;
  if (failed === null) {
    if (before === null || before.failedSince === null) return;
    const after = { ...before, failingSince: null, failedSince: null, isAnnounced: false };
    lastErrors.save(write, ctx, stored, after);
    if (before.isAnnounced) {
      publish(write, ctx, [{ type: "domain.answering", data: { domain: competitor.domain } }]);
    }
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

/** True for an answer of a page that a person has marked as showing no price. */
function isExpected({ match }: LiveMatch, failed: FailedFetch | null): boolean {
  return match.noPrice === true && failed !== null && isAnswer(failed);
}

function isAnswer({ errorCode, isAnswered = !NO_ANSWER.has(errorCode) }: FailedFetch): boolean {
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
    date: z.iso.date().meta({ description: "In the workspace's time zone" }),
    ok: z.int().meta({
      description: "Number of fetches with a price or another successful answer",
    }),
    failed: z.int(),
  })).meta({ description: `The last ${FETCH_DAYS} days including today, oldest first` }),
}).meta({ id: "FetchDays" });

export type FetchDays = z.output<typeof FetchDays>;

const NO_FETCHES: FetchCounts = { ok: 0, failed: 0 };

/** Returns the fetches by day; days without a fetch have 0. Throws `not_found`. */
export async function readFetchDays(ctx: Context, id: string): Promise<FetchDays> {
  const { row: competitor } = await requireCompetitor(ctx, id);
  const { timeZone } = await requireWorkspace(ctx);
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const dates = Array.from({ length: FETCH_DAYS }, (_, at) => daysBefore(today, at)).toReversed();
  const days = new Map<string, FetchCounts>();
  for await (const { row } of fetchDays.walk(ctx, { within: { competitorId: competitor.id } })) {
    days.set(row.date, row);
  }
  const fromMs = now.getTime() - FETCH_DAYS * DAY_MS;
  for await (const hour of walkHours(ctx, competitor.id, { fromMs })) {
    const date = dateIn(new Date(hour.startMs), timeZone);
    days.set(date, sumFetches([hour, days.get(date) ?? NO_FETCHES]));
  }
  return {
    days: dates.map((date) => {
      const { ok, failed } = days.get(date) ?? NO_FETCHES;
      return { date, ok, failed };
    }),
  };
}

const ROWS_PER_COMMIT = 500;

/**
 * Adds the hourly counts before a time to their days in the workspace's time zone. Counts and last
 * errors of deleted shops are deleted. Returns the number of processed rows.
 */
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

/**
 * Processes one day per commit, so that after a crash no hour is counted both in its day and
 * separately.
 */
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
      // The day is read before its hours. If another process adds some of them meanwhile, it writes
      // the day, and this commit fails.
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
