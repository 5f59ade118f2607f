import { useEffect, useState } from "preact/hooks";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { Button } from "../../parts/button.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useColumns } from "../../parts/table/use_columns.ts";
import { useSelection } from "../../parts/table/use_selection.ts";
import { useFilter } from "../../parts/use_filter.ts";
import { useMedia } from "../../parts/use_media.ts";
import { DecisionBars, MarkedBar, SmallChangesBar } from "./decision_bars.tsx";
import { ProposalActions } from "./proposal_actions.tsx";
import { useProposalColumns } from "./proposal_columns.tsx";
import { PROPOSAL_FILTERS, type ProposalFilter, ProposalFilters } from "./proposal_filters.tsx";
import { ProposalWhy } from "./proposal_why.tsx";
import { type Decisions, useDecisions } from "./use_decisions.ts";

/** Rows per page: as many as the service gives at once. */
const LIMIT = 200;
/** So many open ones are loaded by themselves, so that what changes little is counted among them. */
const LOADED_MAX = 1_000;
const EVERY_MS = 30_000;
const BESIDE = "(min-width: 1100px)";

/** The inbox: what waits for a decision, with the reason beside it, by mouse or by keys alone. */
export function ProposalsScreen() {
  const { words, show, may } = useApp();
  const texts = words.proposals;
  const filter = useFilter(PROPOSAL_FILTERS);
  const status = filter.values.status || "open";
  const isOpen = status === "open";
  const list = useList<Proposal>({
    key: ["proposals"],
    path: "/api/proposals",
    query: {
      ...filter.values,
      status: status === "all" ? "" : status,
      // What expires first is decided first; of what was decided the newest is looked for.
      order: isOpen ? "" : "desc",
    },
    limit: LIMIT,
    everyMs: isOpen && EVERY_MS,
  });
  const columns = useColumns("proposals", useProposalColumns(isOpen));
  const decisions = useDecisions();
  const rows = isOpen ? list.rows.filter(({ id }) => !decisions.hidden.has(id)) : list.rows;
  useEffect(() => {
    if (isOpen && !list.error && list.rows.length < LOADED_MAX) list.more();
    // A decision has the list read anew, which ends the loading of a page.
  }, [isOpen, list.hasMore, list.rows.length, list.isLoadingMore]);
  const selection = useSelection(filter.key);
  const marked = rows.filter(({ id }) => selection.has(id));
  const [currentId, setCurrentId] = useState<string | null>(null);
  const current = rows.find(({ id }) => id === currentId) ?? null;
  const isBeside = useMedia(BESIDE);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const mayDecide = may("manager") && isOpen;
  useInboxKeys({ mayDecide, decisions, marked, current, onClear: selection.clear });
  const isNarrowPanel = !isBeside && isPanelOpen && current !== null;
  return (
    <>
      <PageHead
        title={texts.title}
        beside={isOpen && rows.length > 0 && (
          <span class="soft">
            {texts.open(show.number(rows.length) + (list.hasMore ? "+" : ""))}
          </span>
        )}
      />
      <ProposalFilters filter={filter}>
        {mayDecide && rows.length > 0 && <SmallChangesBar proposals={rows} decisions={decisions} />}
      </ProposalFilters>
      <DecisionBars decisions={decisions} />
      {mayDecide && marked.length > 0 && (
        <MarkedBar marked={marked} decisions={decisions} onClear={selection.clear} />
      )}
      <div class="inbox">
        <DataTable
          label={texts.title}
          density="double"
          columns={columns.shown}
          list={{ ...list, rows }}
          idOf={({ id }) => id}
          onActive={(row) => setCurrentId(row?.id ?? null)}
          isDone={(id) => decisions.hidden.has(id)}
          onOpen={({ id }) => {
            setCurrentId(id);
            setPanelOpen(true);
          }}
          {...(mayDecide && { selection })}
          empty={<NoProposals filter={filter} />}
        />
        {isBeside && rows.length > 0 && <Aside proposal={current} decisions={decisions} />}
      </div>
      {isNarrowPanel && (
        <Dialog
          kind="panel"
          title={texts.panel}
          onClose={() => setPanelOpen(false)}
          actions={
            <ProposalActions
              proposal={current}
              decisions={decisions}
              onDone={() => setPanelOpen(false)}
            />
          }
        >
          <ProposalWhy proposal={current} />
        </Dialog>
      )}
    </>
  );
}

interface InboxKeys {
  readonly mayDecide: boolean;
  readonly decisions: Decisions;
  readonly marked: readonly Proposal[];
  readonly current: Proposal | null;
  onClear(): void;
}

/** `a` and `r` decide on what is marked, else on the row where the keys stand; `u` takes it back. */
function useInboxKeys({ mayDecide, decisions, marked, current, onClear }: InboxKeys): void {
  const wanted = marked.length > 0 ? marked : current ? [current] : [];
  const decide = (action: (proposals: readonly Proposal[]) => void) => () => {
    if (!mayDecide) return;
    action(wanted);
    onClear();
  };
  useKeys({
    a: decide(decisions.approve),
    r: decide(decisions.reject),
    u: decisions.undo,
  });
}

interface AsideProps {
  readonly proposal: Proposal | null;
  readonly decisions: Decisions;
}

function Aside({ proposal, decisions }: AsideProps) {
  const { words } = useApp();
  const texts = words.proposals;
  return (
    <aside class="inbox-panel" aria-label={texts.panel}>
      <h2>{texts.panel}</h2>
      {proposal
        ? (
          <>
            <div class="inbox-why" tabIndex={0} role="region" aria-label={texts.panel}>
              <ProposalWhy proposal={proposal} />
            </div>
            <footer>
              <ProposalActions proposal={proposal} decisions={decisions} />
            </footer>
          </>
        )
        : (
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
        )}
    </aside>
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
