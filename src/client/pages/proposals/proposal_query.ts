/** The address of the inbox, and the request that follows from it. */
import type { Show } from "../../../engine/wording/show.ts";
import { startOfTomorrow } from "../../formats/day.ts";
import type { Filter } from "../../parts/filter.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";

/** The names are those of the service's query, but `expires`; without a status the open ones are shown. */
export const PROPOSAL_FILTERS = [
  "q",
  "status",
  "ruleId",
  "sku",
  "later",
  "expires",
  "changeBelowPct",
  "direction",
  "marginBelowPct",
  "hasMarketMoved",
  "decidedSince",
  "sort",
] as const;

export type ProposalFilter = Filter<(typeof PROPOSAL_FILTERS)[number]>;

type Values = ProposalFilter["values"];

/** Filters that a chip stands for. */
export const CHIP_NAMES = [
  "expires",
  "changeBelowPct",
  "direction",
  "marginBelowPct",
  "hasMarketMoved",
] as const;

export const SORTS = ["rule", "effect", "expires"] as const;
type InboxSort = (typeof SORTS)[number];

export function isOpenOf({ status }: Values): boolean {
  return status === "" || status === "open";
}

export function sortOf({ sort }: Values): InboxSort {
  return SORTS.find((one) => one === sort) ?? "rule";
}

/** The threshold that the chips count and filter by. */
export const SMALL_PCT = "3";
export const THIN_PCT = "10";

export function listQuery(values: Values, show: Show, now: Date): Record<string, string> {
  const { q, ruleId, sku, status, decidedSince } = values;
  const named = { q, ruleId, sku };
  if (!isOpenOf(values)) {
    return { ...named, status: status === "all" ? "" : status, decidedSince, order: "desc" };
  }
  const { later, expires, changeBelowPct, direction, marginBelowPct, hasMarketMoved } = values;
  return {
    ...named,
    status: "open",
    later: later || "false",
    changeBelowPct,
    direction,
    marginBelowPct,
    hasMarketMoved,
    expiresBefore: expires === "today" ? startOfTomorrow(show.timeZone, now) : "",
    sort: sortOf(values),
  };
}

/** The list's filter in the form that a decision about all of its proposals takes. */
export function decisionFilter(
  { status: _status, sort: _sort, ...filter }: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
}

/** The bounds of the counts on the chips. */
export function summaryQuery(values: Values, show: Show, now: Date): Record<string, string> {
  const { q, ruleId, sku, changeBelowPct } = values;
  return {
    q,
    ruleId,
    sku,
    changeBelowPct: changeBelowPct || SMALL_PCT,
    marginBelowPct: THIN_PCT,
    expiresBefore: startOfTomorrow(show.timeZone, now),
  };
}

/** Rows of the inbox: proposals, and a heading per rule. */
export interface RuleGroup {
  readonly id: string;
  readonly ruleName: string;
  readonly proposals: readonly Proposal[];
}

export type InboxRow = Proposal | RuleGroup;

export function isGroup(row: InboxRow): row is RuleGroup {
  return "proposals" in row;
}

/** Proposals of a rule stand together already, in the order of the service. */
export function groupByRule(proposals: readonly Proposal[]): InboxRow[] {
  const groups = Map.groupBy(proposals, ({ ruleId }) => ruleId);
  return [...groups].flatMap(([ruleId, group]): InboxRow[] => [
    { id: `rule ${ruleId}`, ruleName: group[0]?.ruleName ?? "", proposals: group },
    ...group,
  ]);
}
