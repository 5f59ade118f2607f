import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, byId } from "../../api/call.ts";
import { useDocument, useList } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { Button } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { type Column, column, NARROW, useSelection } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { useMedia } from "../../parts/use_media.ts";
import { useSettled } from "../../parts/use_settled.ts";
import { AcceptDialog } from "./accept_dialog.tsx";
import { DecideFooter, type MarketOffers } from "./decide_footer.tsx";
import {
  countOf,
  isMatching,
  type Matching,
  type Target,
} from "../../parts/decision/decide_in_bulk.ts";
import {
  CHIP_NAMES,
  decisionFilter,
  groupByRule,
  type InboxRow,
  isGroup,
  isOpenOf,
  listQuery,
  PROPOSAL_FILTERS,
  type ProposalFilter,
  type RuleGroup,
  sortOf,
  SORTS,
  summaryQuery,
} from "./proposal_query.ts";
import { MarkedBar, RefusedNote, useProposalColumns } from "./proposal_columns.tsx";
import { ProposalCard, ProposalChips } from "./proposal_chips.tsx";
import { ProposalWhy } from "./proposal_why.tsx";
import { type Decisions, useDecisions } from "./use_decisions.ts";

/** Rows per page: as many as the service gives at once. */
const LIMIT = 200;
/** So many open ones are loaded by themselves, so that those of a rule are marked together. */
const LOADED_MAX = 1_000;
const EVERY_MS = 30_000;
const SETTLED_MS = 150;
const CARD_PX = 216;
const BESIDE = "(min-width: 1100px)";

const CHANGED_DAYS = 30;

/** Approved prices and all other changes of own prices of the last days. */
function changedPrices(now: Date) {
  const since = new Date(now.getTime() - CHANGED_DAYS * 86_400_000).toISOString().slice(0, 10);
  return {
    csv: addressOf("/api/price-changes", { format: "csv", dialect: "excel", since }),
    xlsx: addressOf("/api/price-changes", { format: "xlsx", since }),
  };
}

/** The inbox: waiting decisions with their reasons, by mouse or keyboard. */
export function ProposalsScreen() {
  const { words, show, may } = useApp();
  const texts = words.proposals;
  const filter = useFilter(PROPOSAL_FILTERS);
  const isOpen = isOpenOf(filter.values);
  const isLater = isOpen && filter.values.later === "true";
  const now = new Date();
  const query = listQuery(filter.values, show, now);
  const list = useList({
    key: ["proposals", query],
    read: (api, page) => api.GET("/api/proposals", { params: { query: { ...query, ...page } } }),
    limit: LIMIT,
    everyMs: isOpen && EVERY_MS,
  });
  const ofSummary = summaryQuery(filter.values, show, now);
  const summary = useDocument({
    key: ["proposals", "summary", ofSummary],
    read: (api) => api.GET("/api/proposals/summary", { params: { query: ofSummary } }),
    everyMs: () => EVERY_MS,
  }).data ?? null;
  const decisions = useDecisions();
  const isPhone = useMedia(NARROW);
  const isBeside = useMedia(BESIDE);
  const mayDecide = may("manager") && isOpen;
  const proposals = useMemo(
    () => isOpen ? list.rows.filter(({ id }) => !decisions.hidden.has(id)) : list.rows,
    [list.rows, decisions.hidden, isOpen],
  );
  const isGrouped = isOpen && sortOf(filter.values) === "rule" && !isPhone;
  const rows = useMemo(
    (): readonly InboxRow[] => isGrouped ? groupByRule(proposals) : proposals,
    [proposals, isGrouped],
  );
  useEffect(() => {
    if (isOpen && !list.error && list.rows.length < LOADED_MAX) list.more();
    // A decision refetches the list, which cancels the loading of a page.
  }, [isOpen, list.hasMore, list.rows.length, list.isLoadingMore]);
  const selection = useSelection(filter.key);
  // Proposals decided here are subtracted until the list is read again.
  const total = list.hasMore && list.first?.total
    ? list.first.total - (list.rows.length - proposals.length)
    : proposals.length;
  const all: Target = list.hasMore
    ? { filter: decisionFilter(query), count: total, loaded: proposals }
    : proposals;
  const marked: Target = selection.isAll ? all : proposals.filter(({ id }) => selection.has(id));
  const [currentId, setCurrentId] = useState<string | null>(null);
  const current = proposals.find(({ id }) => id === currentId) ?? null;
  const offers = useOffers(current);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const price = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const approveAll = (target: Target, onDone = () => {}) =>
    setAsked({ target: isMatching(target) ? asOfNow(target) : target, onDone });
  const approveMarked = (target: Target) => {
    if (countOf(target) > 1) return approveAll(target, selection.clear);
    decisions.approve(target);
    selection.clear();
  };
  useInboxKeys({
    mayDecide,
    decisions,
    marked,
    current,
    onApprove: approveMarked,
    onClear: selection.clear,
    onCounter: () => price.current?.select(),
  });
  const open = (proposal: Proposal) => {
    setCurrentId(proposal.id);
    setPanelOpen(true);
  };
  const columns = useProposalColumns(isOpen);
  const card: readonly Column<InboxRow>[] = [
    column(
      "card",
      texts.title,
      320,
      (row) =>
        isGroup(row) ? null : (
          <ProposalCard
            proposal={row}
            decisions={decisions}
            mayDecide={mayDecide}
            onOpen={open}
          />
        ),
    ),
  ];
  const isNarrowed = filter.values.q !== "" ||
    CHIP_NAMES.some((name) => filter.values[name] !== "");
  const footer = current && (
    <DecideFooter
      proposal={current}
      offers={offers}
      decisions={decisions}
      priceRef={price}
      onDone={() => setPanelOpen(false)}
    />
  );
  return (
    <>
      <PageHead
        title={texts.title}
        beside={isOpen && proposals.length > 0 && (
          <span class="soft">
            {isLater ? texts.putOffCount(show.number(total)) : texts.open(show.number(total))}
            {!isLater && summary?.expiring
              ? ` · ${texts.expiring(show.number(summary.expiring))}`
              : ""}
          </span>
        )}
      >
        {isOpen && !isPhone && <SortChoice filter={filter} />}
        <FileLinks what={texts.changedPrices} {...changedPrices(now)} />
      </PageHead>
      <ProposalChips filter={filter} summary={summary}>
        {mayDecide && isNarrowed && proposals.length > 0 && (
          <Button onClick={() => approveAll(all)}>{texts.approveAll(show.number(total))}</Button>
        )}
      </ProposalChips>
      <RefusedNote decisions={decisions} />
      <div class="inbox">
        <div class="inbox-list">
          <DataTable
            label={texts.title}
            density="double"
            columns={isPhone ? card : columns}
            cardPx={CARD_PX}
            list={{ ...list, rows }}
            total={isOpen ? total : null}
            files={filesOf("/api/proposals", query)}
            idOf={({ id }) => id}
            onActive={(row) => setCurrentId(row?.id ?? null)}
            isDone={(id) => decisions.hidden.has(id)}
            onOpen={(row) => !isGroup(row) && open(row)}
            headingOf={(row) =>
              isGroup(row)
                ? (
                  <GroupHead
                    group={row}
                    query={query}
                    isCut={list.hasMore && row.proposals.at(-1) === proposals.at(-1)}
                    {...(mayDecide && { selection, onApprove: approveAll })}
                  />
                )
                : null}
            {...(mayDecide && !isPhone && { selection })}
            empty={<NoProposals filter={filter} />}
          />
          {mayDecide && countOf(marked) > 0 && (
            <MarkedBar
              marked={marked}
              all={list.hasMore && !selection.isAll ? total : null}
              onAll={() => selection.selectAll(proposals.map(({ id }) => id))}
              decisions={decisions}
              onApprove={() => approveMarked(marked)}
              isLater={isLater}
              onClear={selection.clear}
            />
          )}
        </div>
        {isBeside && proposals.length > 0 && (
          <aside class="inbox-panel" aria-label={texts.panel}>
            <h2>{texts.panel}</h2>
            {current
              ? (
                <>
                  <div class="inbox-why" tabIndex={0} role="region" aria-label={texts.panel}>
                    <ProposalWhy proposal={current} offers={offers} />
                  </div>
                  <footer>{footer}</footer>
                </>
              )
              : <PanelHint />}
          </aside>
        )}
      </div>
      {asked !== null && (
        <AcceptDialog
          target={asked.target}
          onClose={() => setAsked(null)}
          onAccept={(some) => {
            decisions.approve(asked.target, some);
            asked.onDone();
            setAsked(null);
          }}
        />
      )}
      {!isBeside && isPanelOpen && current !== null && (
        <Dialog
          kind="panel"
          title={texts.panel}
          onClose={() => setPanelOpen(false)}
          actions={footer}
        >
          <ProposalWhy proposal={current} offers={offers} />
        </Dialog>
      )}
    </>
  );
}

/** The offers of now; null until they are read, which waits until keys rest. */
function useOffers(current: Proposal | null): MarketOffers | null {
  const id = useSettled(current?.id ?? null, SETTLED_MS);
  const { data } = useDocument({
    key: ["proposals", "one", id],
    read: (api) => api.GET("/api/proposals/{id}", byId(id ?? "")),
    isWanted: id !== null,
  });
  return data && data.id === current?.id ? data.offers : null;
}

/** The proposals to accept, after their preview. */
interface Asked {
  readonly target: Target;
  onDone(): void;
}

/** Proposals that arrive during the preview are excluded. */
function asOfNow(target: Matching): Matching {
  return { ...target, filter: { ...target.filter, createdBefore: new Date().toISOString() } };
}

function SortChoice({ filter }: { filter: ProposalFilter }) {
  const { words } = useApp();
  const sort = sortOf(filter.values);
  return (
    <div class="segments" role="group" aria-label={words.proposals.order}>
      {SORTS.map((one) => (
        <Button
          key={one}
          isPressed={one === sort}
          onClick={() => filter.set("sort", one)}
        >
          {words.proposals.sorts[one]}
        </Button>
      ))}
    </div>
  );
}

interface GroupHeadProps {
  readonly group: RuleGroup;
  /** The query of the list. */
  readonly query: Readonly<Record<string, string>>;
  /** There may be more of the rule than is loaded. */
  readonly isCut: boolean;
  readonly selection?: ReturnType<typeof useSelection>;
  readonly onApprove?: (target: Target) => void;
}

/** The rule above its proposals: marks or accepts all of them. */
function GroupHead({ group, query, isCut, selection, onApprove }: GroupHeadProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { ruleName, proposals } = group;
  const ofRule = { ...query, ruleId: proposals[0]?.ruleId ?? "" };
  const { data: whole } = useDocument({
    key: ["proposals", "of rule", ofRule],
    read: (api) => api.GET("/api/proposals", { params: { query: { ...ofRule, limit: 1 } } }),
    isWanted: isCut,
  });
  const total = isCut ? whole?.total ?? null : proposals.length;
  const target: Target | null = !isCut
    ? proposals
    : total === null
    ? null
    : { filter: decisionFilter(ofRule), count: total, loaded: proposals };
  const count = show.number(total ?? proposals.length);
  const isEvery = proposals.every(({ id }) => selection?.has(id));
  const toggle = () => {
    for (const { id } of proposals) if (selection?.has(id) === isEvery) selection.toggle(id);
  };
  return (
    <div class="group-head">
      {selection && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.markRule(ruleName)}
          checked={isEvery}
          indeterminate={!isEvery && proposals.some(({ id }) => selection.has(id))}
          onChange={toggle}
        />
      )}
      <span title={ruleName}>{ruleName}</span>
      <small>{texts.ofRule(count)}</small>
      {onApprove && target !== null && (
        <button
          type="button"
          class="link"
          onClick={() => onApprove(target)}
        >
          {texts.approveAll(count)}
        </button>
      )}
    </div>
  );
}

interface InboxKeys {
  readonly mayDecide: boolean;
  readonly decisions: Decisions;
  readonly marked: Target;
  readonly current: Proposal | null;
  onApprove(target: Target): void;
  onClear(): void;
  onCounter(): void;
}

/** `a`, `r` and `s` decide on what is marked, else on the row where the keys stand; `u` takes it back. */
function useInboxKeys({ mayDecide, decisions, marked, current, ...on }: InboxKeys): void {
  const wanted = countOf(marked) > 0 ? marked : current ? [current] : [];
  const decide = (action: (target: readonly Proposal[]) => void) => () => {
    // Invisible proposals are decided by the bar, which asks.
    if (!mayDecide || isMatching(wanted)) return;
    action(wanted);
    on.onClear();
  };
  useKeys({
    a: () => mayDecide && on.onApprove(wanted),
    r: decide((proposals) => decisions.reject(proposals)),
    s: decide(decisions.later),
    e: () => mayDecide && on.onCounter(),
    u: decisions.undo,
    Escape: on.onClear,
  });
}

function PanelHint() {
  const { words } = useApp();
  const texts = words.proposals;
  return (
    <>
      <p class="soft">{texts.panelHint}</p>
      <dl class="key-list">
        {texts.keysHint.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function NoProposals({ filter }: { filter: ProposalFilter }) {
  const { words } = useApp();
  const texts = words.proposals;
  if (filter.isAny) {
    return (
      <EmptyState icon="search" title={texts.noneTitle} text={texts.noneText}>
        <Button onClick={filter.clear}>{texts.showOpen}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="proposals" title={texts.emptyTitle} text={texts.emptyText}>
      <a class="button plain" href="/rules">{texts.toRules}</a>
    </EmptyState>
  );
}
