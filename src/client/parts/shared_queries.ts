import { type Ask, get, isUnreachable, where, type Wire } from "../api/call.ts";
import { keyOf, type Touched, useApp, useDocument, useRefresh } from "../app/app.ts";
import { useEffect } from "preact/hooks";
import { dayOf, endOfDay } from "../formats/day.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";

const WATCH_MS = 30_000;
const SUGGESTIONS_MS = 10_000;

export function isUnderWay({ status }: { readonly status: JobStatus }): boolean {
  return status === "queued" || status === "running";
}

const isRefusal = (error: unknown) => error !== null && !isUnreachable(error);

/**
 * Polls a job until it ends or the service refuses; when the job ends, reloads the data in
 * `touches`. After a refusal, `isRunning` is false, so the person can start again.
 */
export function useJob<Job extends { readonly status: JobStatus }>(
  read: Ask<Job> | null,
  everyMs: number,
  touches: Touched = [],
) {
  const refresh = useRefresh(...touches);
  const found = useDocument(read, {
    everyMs: (job, error) => isRefusal(error) || (job && !isUnderWay(job)) ? false : everyMs,
  });
  const hasEnded = found.data !== undefined && !isUnderWay(found.data);
  const isRunning = found.data !== undefined && !hasEnded && !isRefusal(found.error);
  useEffect(() => {
    if (hasEnded) void refresh();
  }, [read && JSON.stringify(keyOf(read)), hasEnded]);
  return { ...found, isRunning, hasEnded };
}

export function useCauses() {
  return useDocument(get("/api/alerts/causes"), { everyMs: WATCH_MS });
}

export function useExpiring(limit: number) {
  const { timeZone } = useApp().show;
  const expiresBefore = endOfDay(dayOf(new Date().toISOString(), timeZone), timeZone);
  return useDocument(
    get("/api/proposals", where({ status: "open", expiresBefore, later: "false", limit })),
  );
}

export function useSuggestionCounts(everyMs = SUGGESTIONS_MS): Wire<"SuggestionCounts"> | null {
  const { data } = useDocument(get("/api/match-suggestions/counts"), { everyMs });
  return data ?? null;
}

interface SummaryQuery {
  readonly by?: "category" | "competitor" | "category,competitor";
  readonly roomAbovePct?: number;
  readonly marginBelowPct?: number;
}

export function useMarketSummary(query: SummaryQuery = {}, everyMs: number | false = false) {
  return useDocument(get("/api/market/summary", where({ ...query })), { everyMs });
}

export function useProductCount(
  query: Readonly<Record<string, string | number | boolean>>,
  everyMs: number | false = WATCH_MS,
): number | null {
  const count = get("/api/products", where({ ...query, limit: 1 }));
  return useDocument(count, { everyMs }).data?.total ?? null;
}
