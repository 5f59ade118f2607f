/** The list of the inbox: proposals grouped by rule, and the bar for the marked ones. */
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { Button } from "../../parts/controls.tsx";
import { countOf, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { filesOf } from "../../parts/file_links.tsx";
import { EmptyState } from "../../parts/page.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { column } from "../../parts/table/table.tsx";
import { MarkedBar } from "./marked_bar.tsx";
import { ProposalCard } from "./proposal_card.tsx";
import { useProposalColumns } from "./proposal_columns.tsx";
import {
  decisionFilter,
  type InboxRow,
  isGroup,
  type ProposalFilter,
  type RuleGroup,
} from "./proposal_query.ts";
import type { Inbox } from "./use_inbox.ts";

const CARD_PX = 216;

interface InboxListProps {
  readonly inbox: Inbox;
  /** Told which proposal the keys stand on. */
  onCurrent(id: string | null): void;
  onOpen(id: string): void;
  /** Accepts all that is marked. */
  onApprove(): void;
  /** Accepts these, after their preview. */
  onApproveAll(target: Target): void;
}

export function InboxList({ inbox, onCurrent, onOpen, onApprove, onApproveAll }: InboxListProps) {
  const { words } = useApp();
  const texts = words.proposals;
  const { list, query, proposals, total, marked, selection, decisions, mayDecide } = inbox;
  const columns = useProposalColumns(inbox.isOpen);
  const card = column(
    "card",
    texts.title,
    320,
    (row: InboxRow) =>
      !isGroup(row) && <ProposalCard proposal={row} inbox={inbox} onOpen={onOpen} />,
  );
  return (
    <div class="inbox-list">
      <DataTable
        label={texts.title}
        density="double"
        columns={inbox.isPhone ? [card] : columns}
        cardPx={CARD_PX}
        list={list}
        total={inbox.isOpen ? total : null}
        files={filesOf("/api/proposals", query)}
        idOf={({ id }) => id}
        onActive={(row) => onCurrent(row?.id ?? null)}
        isDone={(id) => decisions.hidden.has(id)}
        onOpen={(row) => !isGroup(row) && onOpen(row.id)}
        headingOf={(row) =>
          isGroup(row) ? <GroupHead group={row} inbox={inbox} onApprove={onApproveAll} /> : null}
        {...(mayDecide && !inbox.isPhone && { selection })}
        empty={<NoProposals filter={inbox.filter} />}
      />
      {mayDecide && countOf(marked) > 0 && (
        <MarkedBar
          marked={marked}
          all={list.hasMore && !selection.isAll ? total : null}
          onAll={() => selection.selectAll(proposals.map(({ id }) => id))}
          decisions={decisions}
          onApprove={onApprove}
          isLater={inbox.isLater}
          onClear={selection.clear}
        />
      )}
    </div>
  );
}

interface GroupHeadProps {
  readonly group: RuleGroup;
  readonly inbox: Inbox;
  onApprove(target: Target): void;
}

/** The rule above its proposals: marks or accepts all of them. */
function GroupHead({ group: { ruleName, proposals }, inbox, onApprove }: GroupHeadProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { query, list, selection, mayDecide } = inbox;
  // There may be more of the rule than is loaded.
  const isCut = list.hasMore && proposals.at(-1) === inbox.proposals.at(-1);
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
  const isEvery = proposals.every(({ id }) => selection.has(id));
  const toggle = () => {
    for (const { id } of proposals) if (selection.has(id) === isEvery) selection.toggle(id);
  };
  return (
    <div class="group-head">
      {mayDecide && (
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
      {mayDecide && target !== null && (
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
