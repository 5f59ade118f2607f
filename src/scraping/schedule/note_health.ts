import { findWorkspace, requireWorkspace } from "../../accounts/workspace_store.ts";
import { dateIn, daysBefore } from "../../base/time.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { requireCompetitor } from "../../shops/read_competitors.ts";
import {
  type CountedHour,
  countFetch,
  deleteDay,
  deleteHour,
  deleteLastError,
  findDay,
  findDays,
  findLastError,
  type LastError,
  listHours,
  listOldDays,
  listShopsWithErrors,
  listShopsWithHours,
  saveDay,
  saveLastError,
  type ShopPlace,
} from "./health_store.ts";
import { z } from "@hono/zod-openapi";

const DAY_MS = 86_400_000;

const FAILING_MS = 24 * 3_600_000;

/** Failures that mean that a shop does not answer; a page without a price is an answer. */
const NO_ANSWER = new Set(["blocked", "http_error", "timeout", "dns_error", "unreachable"]);

/** A fetch that brought no price. */
export interface FailedFetch {
  readonly errorCode: string;
  readonly message: string | null;
  /** False when the shop gave no answer although the code does not say so. */
  readonly isAnswered?: boolean | undefined;
}

/**
 * Counts a fetch for the health of its competitor; `failed` is null after a success. A shop that
 * has answered nothing for 24 h is announced, once until it answers again
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
  countFetch(write, ctx.workspaceId, competitor.id, now.getTime(), outcome);
  const stored = await findLastError(ctx, competitor.id);
  const before = stored.error;
  if (failed === null) {
    if (before === null || before.failingSince === null) return;
    const after = { ...before, failingSince: null, isAnnounced: false };
    saveLastError(write, ctx.workspaceId, competitor.id, stored, after);
    return;
  }
  const after = withError(before, failed, now);
  saveLastError(write, ctx.workspaceId, competitor.id, stored, after);
  if (!after.isAnnounced || before?.isAnnounced || after.failingSince === null) return;
  announce(write, ctx, [{
    type: "domain.failing",
    data: { domain: competitor.domain, since: after.failingSince, lastError: failed.message },
  }]);
}

/** A page of which people know that it shows no price. */
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
): LastError {
  const { errorCode, message } = failed;
  const at = now.toISOString();
  const error = { errorCode, message, at };
  if (isAnswer(failed)) return { ...error, failingSince: null, isAnnounced: false };
  const failingSince = before?.failingSince ?? at;
  const isLong = now.getTime() - Date.parse(failingSince) >= FAILING_MS;
  return { ...error, failingSince, isAnnounced: isLong };
}

/** As many days are kept, today among them. */
export const FETCH_DAYS = 30;

export const FetchDays = z.object({
  days: z.array(z.object({
    date: z.iso.date().meta({ description: "In the zone of the workspace" }),
    ok: z.int().meta({ description: "Fetches that brought a price, or an answer as good" }),
    failed: z.int(),
  })).meta({ description: `The last ${FETCH_DAYS}, oldest first, today the last` }),
}).meta({ id: "FetchDays" });

export type FetchDays = z.output<typeof FetchDays>;

/** Days without a fetch have 0 of both. Refuses with `not_found`. */
export async function readFetchDays(ctx: Context, id: string): Promise<FetchDays> {
  const { competitor } = await requireCompetitor(ctx, id);
  const { timeZone } = await requireWorkspace(ctx);
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const dates = Array.from({ length: FETCH_DAYS }, (_, at) => daysBefore(today, at)).toReversed();
  const days = await findDays(ctx, competitor.id, dates[0] ?? today);
  const fromMs = now.getTime() - FETCH_DAYS * DAY_MS;
  for await (const { startMs, ok, failed } of listHours(ctx, competitor.id, { fromMs })) {
    const date = dateIn(new Date(startMs), timeZone);
    const day = days.get(date);
    days.set(date, { ok: (day?.ok ?? 0) + ok, failed: (day?.failed ?? 0) + failed });
  }
  return {
    days: dates.map((date) => {
      const { ok = 0, failed = 0 } = days.get(date) ?? {};
      return { date, ok, failed };
    }),
  };
}

const ROWS_PER_COMMIT = 500;

/**
 * The counts of fetches in hours before then become those of their day, on the calendar of the
 * workspace; of shops that are gone they just go, and their last errors with them. Answers how many
 * rows that were.
 */
export async function sweepCounts(store: Store, countedBefore: Date): Promise<number> {
  const beforeMs = countedBefore.getTime();
  let count = 0;
  for await (const place of listShopsWithHours(store, beforeMs)) {
    const { competitorId } = place;
    const shop = { store, ...place };
    const workspace = await findWorkspace(store, place.workspaceId);
    const isKept = workspace !== null && await findCompetitor(shop, competitorId) !== null;
    count += isKept
      ? await foldHours(shop, workspace.timeZone, beforeMs)
      : await removeInBatches(store, listHours(shop, competitorId), ROWS_PER_COMMIT, deleteHour);
  }
  return count + await removeInBatches(store, lostErrors(store), ROWS_PER_COMMIT, deleteLastError);
}

/** Deleted shops with a remaining error row; no new one is created for them. */
async function* lostErrors(store: Store): AsyncGenerator<ShopPlace> {
  for await (const shop of listShopsWithErrors(store)) {
    if (await findCompetitor({ store, ...shop }, shop.competitorId) === null) yield shop;
  }
}

type Shop = WorkspaceStore & { readonly competitorId: string };

/** A day a commit: after a crash what has gone into its day is in no row of hours any more. */
async function foldHours(shop: Shop, timeZone: string, beforeMs: number): Promise<number> {
  const { competitorId } = shop;
  const old = await Array.fromAsync(listHours(shop, competitorId, { beforeMs }));
  const dates = new Set(old.map(({ startMs }) => dateIn(new Date(startMs), timeZone)));
  let count = 0;
  for (const date of dates) {
    count += await transact(shop, async (write) => {
      // Read before its hours: a process that has folded some of them since has written the day.
      const day = await findDay(shop, competitorId, date);
      const hours = await hoursOf(shop, date, timeZone, beforeMs);
      if (hours.length === 0) return 0;
      const counts = hours.reduce((sum, hour) => ({
        ok: sum.ok + hour.ok,
        failed: sum.failed + hour.failed,
      }), day.counts);
      for (const hour of hours) deleteHour(write, hour);
      saveDay(write, { ...shop, date }, day, counts);
      return hours.length;
    });
  }
  return count;
}

async function hoursOf(
  shop: Shop,
  date: string,
  timeZone: string,
  beforeMs: number,
): Promise<CountedHour[]> {
  const noonMs = Date.parse(`${date}T12:00:00Z`);
  // Whatever the zone, its day is in there.
  const around = { fromMs: noonMs - 2 * DAY_MS, beforeMs: Math.min(beforeMs, noonMs + 2 * DAY_MS) };
  const hours = await Array.fromAsync(listHours(shop, shop.competitorId, around));
  return hours.filter(({ startMs }) => dateIn(new Date(startMs), timeZone) === date);
}

/** Forgets the days before then; answers how many. */
export async function sweepDays(store: Store, countedBefore: Date): Promise<number> {
  const old = listOldDays(store, countedBefore.toISOString().slice(0, 10));
  return await removeInBatches(store, old, ROWS_PER_COMMIT, deleteDay);
}
