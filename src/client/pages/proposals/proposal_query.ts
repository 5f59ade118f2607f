/** Reads the filters of the inbox from the address, and builds the queries of its requests. */
import type { Show } from "../../../engine/wording/show.ts";
import { startOfTomorrow } from "../../formats/day.ts";
import type { Filter } from "../../parts/filter.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { THIN_PCT } from "../../parts/percentages.tsx";

/**
 * Every filter except `expires` is named like the service's query parameter. An empty status means
 * open.
 */
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

/** The default percentage of the chip for small changes. */
export const SMALL_PCT = "3";

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
    sort: sortOf(values) === "rule" ? "ruleEffect" : sortOf(values),
  };
}

export function decisionFilter(
  { status: _status, sort: _sort, ...filter }: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
}

export function summaryQuery(values: Values, show: Show, now: Date): Record<string, string> {
  const { q, ruleId, sku, changeBelowPct } = values;
  return {
    q,
    ruleId,
    sku,
    changeBelowPct: changeBelowPct || SMALL_PCT,
    marginBelowPct: String(THIN_PCT),
    expiresBefore: startOfTomorrow(show.timeZone, now),
  };
}

export interface RuleGroup {
  readonly id: string;
  readonly ruleName: string;
  readonly proposals: readonly Proposal[];
}

export type InboxRow = Proposal | RuleGroup;

export function isGroup(row: InboxRow): row is RuleGroup {
  return "proposals" in row;
}

/** The proposals must be sorted by rule. */
export function groupByRule(proposals: readonly Proposal[]): InboxRow[] {
  const groups = Map.groupBy(proposals, ({ ruleId }) => ruleId);
  return [...groups].flatMap(([ruleId, group]): InboxRow[] => [
    { id: `rule ${ruleId}`, ruleName: group[0]?.ruleName ?? "", proposals: group },
    ...group,
  ]);
}
