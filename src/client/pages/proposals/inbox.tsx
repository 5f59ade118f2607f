/**
 * Keeps the inbox's state (filters, proposals, counts, selection), and shows the filters. The chips
 * "open" and "decided" are always shown; other chips appear if they match proposals or are active.
 */
import type { Show } from "../../../engine/wording/show.ts";
import { startOfTomorrow } from "../../formats/day.ts";
import { type Filter, FilterChoice, MainSearch, useFilter } from "../../parts/filter.tsx";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { THIN_PCT } from "../../parts/price_figures.tsx";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp, useDocument, useList, useRequired } from "../../app/app.ts";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { NARROW, useSelection } from "../../parts/table/table.tsx";
import { useMedia } from "../../parts/hooks.ts";
import { type Decisions, type Some, useDecisions } from "./use_decisions.ts";
import { get, PAGE_SIZE_MAX, where } from "../../api/call.ts";
import { PROPOSAL_STATUSES } from "../../../engine/pricing/codes.ts";
import { createContext } from "preact";
import { Button, ListedChip } from "../../parts/controls.tsx";
import { pick } from "../../../base/collections.ts";

const CHIP_NAMES = [
  "expires",
  "changeBelowPct",
  "direction",
  "marginBelowPct",
  "hasMarketMoved",
] as const;

const PROPOSAL_FILTERS = [
  "q",
  "status",
  "ruleId",
  "sku",
  "later",
  ...CHIP_NAMES,
  "decidedSince",
  "sort",
] as const;

type ProposalFilter = Filter<(typeof PROPOSAL_FILTERS)[number]>;

type Values = ProposalFilter["values"];

export const SORTS = ["rule", "effect", "expires"] as const;
function isOpenOf({ status }: Values): boolean {
  return status === "" || status === "open";
}

export function sortOf({ sort }: Values): (typeof SORTS)[number] {
  return SORTS.find((one) => one === sort) ?? "rule";
}

const SMALL_PCT = "3";

function listQuery(values: Values, show: Show, now: Date): Record<string, string> {
  const { status, decidedSince, later, expires } = values;
  const named = pick(values, ["q", "ruleId", "sku"]);
  if (!isOpenOf(values)) {
    return { ...named, status: status === "all" ? "" : status, decidedSince, order: "desc" };
  }
  return {
    ...named,
    ...pick(values, ["changeBelowPct", "direction", "marginBelowPct", "hasMarketMoved"]),
    status: "open",
    later: later || "false",
    expiresBefore: expires === "today" ? startOfTomorrow(show.timeZone, now) : "",
    sort: sortOf(values) === "rule" ? "ruleEffect" : sortOf(values),
  };
}

export function decisionFilter(
  { status: _status, sort: _sort, ...filter }: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
}

function summaryQuery(values: Values, show: Show, now: Date): Record<string, string> {
  return {
    ...pick(values, ["q", "ruleId", "sku"]),
    changeBelowPct: values.changeBelowPct || SMALL_PCT,
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

function groupByRule(proposals: readonly Proposal[]): InboxRow[] {
  const groups = Map.groupBy(proposals, ({ ruleId }) => ruleId);
  return [...groups].flatMap(([ruleId, group]): InboxRow[] => [
    { id: `rule ${ruleId}`, ruleName: group[0]?.ruleName ?? "", proposals: group },
    ...group,
  ]);
}

const LOADED_MAX = 1_000;
const EVERY_MS = 30_000;

type Inbox = ReturnType<typeof useInboxState>;

export const InboxContext = createContext<Inbox | null>(null);

export const useInbox = () => useRequired(InboxContext);

export function useInboxState() {
  const inbox = useListState();
  const [currentId, onCurrent] = useState<string | null>(null);
  const current = inbox.proposals.find(({ id }) => id === currentId) ?? null;
  return {
    ...inbox,
    ...{ current, onCurrent, shown: useShown(inbox, current) },
    ...useAccepting(inbox),
    price: useRef<HTMLInputElement>(null),
  };
}

type ListState = ReturnType<typeof useListState>;

function useListState() {
  const { show, may } = useApp();
  const filter = useFilter(PROPOSAL_FILTERS);
  const isOpen = isOpenOf(filter.values);
  const isPhone = useMedia(NARROW);
  const now = new Date();
  const query = listQuery(filter.values, show, now);
  const list = useList((page) => get("/api/proposals", where({ ...query, ...page })), {
    limit: PAGE_SIZE_MAX,
    everyMs: isOpen && EVERY_MS,
  });
  const ofSummary = summaryQuery(filter.values, show, now);
  const summary =
    useDocument(get("/api/proposals/summary", where(ofSummary)), { everyMs: EVERY_MS })
      .data ?? null;
  const decisions = useDecisions();
  const isGrouped = isOpen && sortOf(filter.values) === "rule";
  const proposals = useMemo(
    () =>
      isOpen
        ? list.rows.filter(({ id }) => !decisions.hidden.has(id) && !decisions.verdicts.has(id))
        : list.rows,
    [list.rows, decisions.hidden, decisions.verdicts, isOpen],
  );
  const inPlace = useInPlace(proposals, decisions.verdicts, filter.key, isOpen && !isPhone);
  const rows = useMemo(
    (): readonly InboxRow[] => isGrouped ? groupByRule(inPlace) : inPlace,
    [inPlace, isGrouped],
  );
  useEffect(() => {
    if (isOpen && !list.error && list.rows.length < LOADED_MAX) list.more();
  }, [isOpen, list.hasMore, list.rows.length, list.isLoadingMore]);
  const selection = useSelection(filter.key);
  const total = list.hasMore && list.first?.total
    ? list.first.total - (list.rows.length - proposals.length)
    : proposals.length;
  const all: Target = list.hasMore
    ? { filter: decisionFilter(query), count: total, loaded: proposals }
    : proposals;
  const marked: Target = selection.isAll ? all : proposals.filter(({ id }) => selection.has(id));
  const isLater = isOpen && filter.values.later === "true";
  const mayDecide = may("manager") && isOpen;
  const shown = { filter, query, list: { ...list, rows }, summary, proposals, total, all, marked };
  return { ...shown, selection, decisions, isOpen, isGrouped, isLater, isPhone, mayDecide };
}

/** Shows a preview before several proposals are accepted. */
function useAccepting({ decisions, selection }: ListState) {
  const [asked, setAsked] = useState<{ target: Target; done(): void } | null>(null);
  const ask = (target: Target, done = () => {}) => setAsked({ target: asOfNow(target), done });
  const closeAsked = () => setAsked(null);
  return {
    asked: asked?.target ?? null,
    ask,
    closeAsked,
    approve: (target: Target) => {
      if (countOf(target) > 1) return ask(target, selection.clear);
      decisions.approve(target);
      selection.clear();
    },
    accept: (some: Some) => {
      if (asked === null) return;
      decisions.approve(asked.target, some);
      asked.done();
      closeAsked();
    },
  };
}

function useInPlace(
  open: readonly Proposal[],
  verdicts: Decisions["verdicts"],
  filterKey: string,
  isKept: boolean,
): readonly Proposal[] {
  const before = useRef<{ key: string; rows: readonly Proposal[] }>({ key: "", rows: [] });
  const rows = useMemo(() => {
    const known = before.current.key === filterKey ? before.current.rows : [];
    const decided = isKept ? known.filter(({ id }) => verdicts.has(id)) : [];
    return decided.length === 0 ? open : withDecided(open, known, new Set(decided));
  }, [open, verdicts, filterKey, isKept]);
  before.current = { key: filterKey, rows };
  return rows;
}

/**
 * Returns the current row's proposal. Without a current row, the list of open proposals keeps the
 * last shown one; after its decision, the first open one follows. If the last shown one has left
 * the list, returns null, so that a person does not decide another proposal by mistake.
 */
function useShown(list: ListState, current: Proposal | null): Proposal | null {
  const { filter, proposals, decisions, isOpen } = list;
  const kept = useRef<{ key: string; id: string } | null>(null);
  const id = kept.current?.key === filter.key ? kept.current.id : null;
  const isDone = id === null || decisions.verdicts.has(id) || decisions.hidden.has(id);
  const next = isDone ? proposals[0] : proposals.find((one) => one.id === id);
  const shown = current ?? (isOpen ? next ?? null : null);
  if (shown !== null) kept.current = { key: filter.key, id: shown.id };
  return shown;
}

function withDecided<Row extends { readonly id: string }>(
  open: readonly Row[],
  before: readonly Row[],
  decided: ReadonlySet<Row>,
): readonly Row[] {
  const rows = [...open];
  let at = 0;
  for (const row of before) {
    if (decided.has(row)) {
      rows.splice(at, 0, row);
      at++;
      continue;
    }
    const place = rows.findIndex(({ id }) => id === row.id);
    if (place >= 0) at = place + 1;
  }
  return rows;
}

/** Proposals created after the person selected all matching ones must not be decided unseen. */
function asOfNow(target: Target): Target {
  if (!isMatching(target)) return target;
  return { ...target, filter: { ...target.filter, createdBefore: new Date().toISOString() } };
}

export function ProposalChips() {
  const { words } = useApp();
  const texts = words.proposals.chips;
  const inbox = useInbox();
  const { filter, summary, isOpen, isLater } = inbox;
  const { values } = filter;
  const isNarrowed = values.q !== "" || CHIP_NAMES.some((name) => values[name] !== "");
  const go = (status: string, later: string) =>
    filter.setAll({
      ...Object.fromEntries(CHIP_NAMES.map((name) => [name, ""])),
      decidedSince: "",
      status,
      later,
    });
  return (
    <search class="filter-bar inbox-filters row flow gap-8">
      <MainSearch label={texts.search} filter={filter} />
      <ul class="chips" aria-label={texts.label}>
        <ListedChip
          text={words.codes.proposalStatuses.open}
          count={summary?.open}
          isOn={isOpen && !isLater}
          onClick={() => go("", "")}
        />
        {isOpen && !isLater && <KindChips />}
        {(isLater || summary?.later !== 0) && (
          <ListedChip
            text={texts.later}
            count={summary?.later}
            isOn={isLater}
            onClick={() => go("", "true")}
          />
        )}
        <ListedChip text={texts.decided} isOn={!isOpen} onClick={() => go("applied", "")} />
      </ul>
      {!isOpen && <DecidedFilter />}
      {values.ruleId && (
        <ul class="chips">
          <ListedChip text={texts.oneRule} isOn drops onClick={() => filter.set("ruleId", "")} />
        </ul>
      )}
      {inbox.mayDecide && isNarrowed && inbox.proposals.length > 0 && (
        <Button onClick={() => inbox.ask(inbox.all)}>
          {words.proposals.approveAll(inbox.total)}
        </Button>
      )}
    </search>
  );
}

function KindChips() {
  const { words: { proposals: { chips: texts } }, show } = useApp();
  const { filter, summary } = useInbox();
  const { values } = filter;
  const pct = values.changeBelowPct || SMALL_PCT;
  const kinds = [
    ["expires", "today", texts.expires, summary?.expiring],
    ["changeBelowPct", SMALL_PCT, texts.small(show.percent(Number(pct))), summary?.small],
    ["direction", "up", texts.up, summary?.up],
    ["marginBelowPct", String(THIN_PCT), texts.thin(show.percent(THIN_PCT)), summary?.thin],
    ["hasMarketMoved", "true", texts.moved, summary?.moved],
  ] as const;
  return (
    <>
      {kinds.map(([name, value, text, count]) =>
        (count !== 0 || values[name] !== "") && (
          <ListedChip
            key={name}
            text={text}
            count={count}
            isOn={values[name] !== ""}
            onClick={() => filter.set(name, values[name] === "" ? value : "")}
          />
        )
      )}
    </>
  );
}

function DecidedFilter() {
  const { words: { proposals: { chips }, codes, fields, all }, show } = useApp();
  const { filter } = useInbox();
  const { decidedSince } = filter.values;
  const decided = pick(codes.proposalStatuses, PROPOSAL_STATUSES.filter((one) => one !== "open"));
  return (
    <>
      <FilterChoice label={fields.state} {...filter.at("status")} options={{ ...decided, all }} />
      {decidedSince && (
        <ul class="chips">
          <ListedChip
            text={chips.decidedSince(show.time(decidedSince))}
            isOn
            drops
            onClick={() => filter.set("decidedSince", "")}
          />
        </ul>
      )}
    </>
  );
}
