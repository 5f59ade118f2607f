/** Requests that several screens share, the state of jobs, and the first rules that are suggested. */
import { type Call, get, where, type Wire } from "../api/call.ts";
import { useApp, useDocument } from "../app/app.ts";
import { dayOf, endOfDay } from "../formats/day.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";

const WATCH_MS = 30_000;
const SUGGESTIONS_MS = 10_000;

/** True for a job that has not ended. */
export function isUnderWay({ status }: { readonly status: JobStatus }): boolean {
  return status === "queued" || status === "running";
}

export function useCauses() {
  return useDocument(get("/api/alerts/causes"), { everyMs: WATCH_MS });
}

/** Open proposals that expire today, without deferred proposals. */
export function useExpiring(limit: number) {
  const { timeZone } = useApp().show;
  const expiresBefore = endOfDay(dayOf(new Date().toISOString(), timeZone), timeZone);
  return useDocument(
    get("/api/proposals", where({ status: "open", expiresBefore, later: "false", limit })),
  );
}

/** Open suggestions by certainty; null until loaded. */
export function useSuggestionCounts(everyMs = SUGGESTIONS_MS): Wire<"SuggestionCounts"> | null {
  const { data } = useDocument(get("/api/match-suggestions/counts"), { everyMs });
  return data ?? null;
}

interface SummaryQuery {
  /** If absent, the summary has a single row for all products. */
  readonly by?: "category" | "competitor" | "category,competitor";
  readonly roomAbovePct?: number;
  readonly marginBelowPct?: number;
}

export function useMarketSummary(query: SummaryQuery = {}, everyMs: number | false = false) {
  return useDocument(get("/api/market/summary", where({ ...query })), { everyMs });
}

/** Null until loaded. */
export function useProductCount(
  query: Readonly<Record<string, string | number | boolean>>,
  everyMs: number | false = WATCH_MS,
): number | null {
  const count = get("/api/products", where({ ...query, limit: 1 }));
  return useDocument(count, { everyMs }).data?.total ?? null;
}

const POLL_MS = 500;
const POLLS = 20;

/** Number of a new rule's open proposals, when it stops growing or after ten seconds. */
export async function firstProposals(call: Call, ruleId: string): Promise<number> {
  const query = { status: "open", ruleId, limit: 1 } as const;
  let last = 0;
  for (let n = 0; n < POLLS; n++) {
    const { total } = await call(get("/api/proposals", where(query)));
    if (total !== null && total > 0 && total === last) break;
    last = total ?? 0;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return last;
}

/** Each rule covers all products and only proposes prices. */
export const FIRST_RULES = {
  room: { kind: "cheapest", pct: -1, direction: "raise", floorPct: null },
  lowest: { kind: "cheapest", pct: null, direction: "lower", floorPct: 8 },
  middle: { kind: "median", pct: 3, direction: "lower", floorPct: 0 },
} as const;

export type FirstRule = keyof typeof FIRST_RULES;

export const FIRST_RULE_NAMES: readonly FirstRule[] = ["room", "lowest", "middle"];

export function firstRuleBody(rule: FirstRule, name: string) {
  const { kind, pct, direction, floorPct } = FIRST_RULES[rule];
  return {
    name,
    when: { trigger: "market_index" as const, always: true },
    scope: { mode: "all" as const },
    marginFloor: floorPct === null ? null : { pct: floorPct },
    actions: [{
      type: "propose_price" as const,
      price: { reference: { kind }, adjust: pct === null ? null : { pct }, direction },
    }],
  };
}
