/**
 * Shows the inbox's proposals, by default grouped by rule, and the bar for selected ones. A decided
 * proposal keeps its row, with an undo button, except on phones.
 */
import { type Speaker, useApp, useDocument } from "../../app/app.ts";
import { Button, LinkButton } from "../../parts/controls.tsx";
import { countOf, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { EmptyState, Fact, Unbroken } from "../../parts/page.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import {
  EndsBadge,
  PriceStep,
  type Proposal,
  ProposalBadge,
  rankStep,
  rejectedText,
} from "../../parts/decision/decision.tsx";
import { EffectSum, MarkedBar, movesText } from "./marked_bar.tsx";
import { decisionFilter, type InboxRow, isGroup, type RuleGroup, useInbox } from "./inbox.tsx";
import { Delta, effectLabel, effectText, MarginAfter } from "../../parts/price_figures.tsx";
import { get, where } from "../../api/call.ts";
import { changePct } from "../../../base/fraction.ts";
import type { Show } from "../../../engine/wording/show.ts";
import type { Words } from "../../words/words.ts";
import type { Verdict } from "./use_decisions.ts";

interface OpenProps {
  onOpen(id: string): void;
}

export function InboxList({ onOpen }: OpenProps) {
  const texts = useApp().words.proposals;
  const inbox = useInbox();
  const { list, proposals, total, selection, decisions, mayDecide } = inbox;
  const columns = useProposalColumns();
  const card = column("card", texts.title, 320).cell((row: InboxRow) =>
    !isGroup(row) && <ProposalCard proposal={row} onOpen={onOpen} />
  );
  return (
    <div class="inbox-list column gap-8">
      {inbox.isOpen && proposals.length === 0 && list.rows.length > 0 && (
        <p class="note info" role="status">
          {inbox.filter.isAny ? texts.noneTitle : texts.emptyTitle}
        </p>
      )}
      <DataTable
        label={texts.title}
        density="double"
        columns={inbox.isPhone ? [card] : columns}
        list={list}
        total={inbox.isOpen ? total : null}
        idOf={({ id }) => id}
        onActive={(row) => inbox.onCurrent(row?.id ?? null)}
        isDone={(id) => decisions.hidden.has(id) || decisions.verdicts.has(id)}
        isShown={({ id }) => id === inbox.shown?.id}
        isPast={(row) => inbox.isOpen && decisions.verdicts.has(row.id)}
        onOpen={(row) => !isGroup(row) && onOpen(row.id)}
        headingOf={(row) => isGroup(row) ? <GroupHead group={row} /> : null}
        {...(mayDecide && !inbox.isPhone && { selection })}
        empty={<NoProposals />}
      />
      {mayDecide && countOf(inbox.marked) > 0 && <MarkedBar />}
    </div>
  );
}

function GroupHead({ group: { ruleName, proposals } }: { readonly group: RuleGroup }) {
  const texts = useApp().words.proposals;
  const inbox = useInbox();
  const { query, list, selection, mayDecide } = inbox;
  const isCut = list.hasMore && proposals.at(-1) === inbox.proposals.at(-1);
  const ofRule = { ...query, ruleId: proposals[0]?.ruleId ?? "" };
  const { data: whole } = useDocument(
    isCut ? get("/api/proposals", where({ ...ofRule, limit: 1 })) : null,
  );
  const { verdicts } = inbox.decisions;
  const waiting = proposals.filter(({ id }) => !verdicts.has(id));
  const total = isCut ? whole?.total ?? null : waiting.length;
  const target: Target | null = !isCut
    ? waiting
    : total === null
    ? null
    : { filter: decisionFilter(ofRule), count: total, loaded: waiting };
  const count = total ?? waiting.length;
  const moves = movesText(texts, waiting);
  const isEvery = waiting.length > 0 && waiting.every(({ id }) => selection.has(id));
  const toggle = () => {
    for (const { id } of waiting) if (selection.has(id) === isEvery) selection.toggle(id);
  };
  return (
    <div class="group-head row gap-10">
      {mayDecide && !inbox.isPhone && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.markRule(ruleName)}
          checked={isEvery}
          disabled={waiting.length === 0}
          indeterminate={!isEvery && waiting.some(({ id }) => selection.has(id))}
          onChange={toggle}
        />
      )}
      <span class="clip" title={ruleName}>{ruleName}</span>
      <small class="clip" title={moves}>
        {[texts.open(count), moves].filter(Boolean).join(" · ")}
      </small>
      {!isCut && <EffectSum proposals={waiting} />}
      {mayDecide && target !== null && total !== 0 && (
        <Button onClick={() => inbox.ask(target)}>
          {total === 1 ? texts.approveOne : texts.approveAll(count)}
        </Button>
      )}
    </div>
  );
}

function NoProposals() {
  const texts = useApp().words.proposals;
  const { filter } = useInbox();
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

function ProposalCard({ proposal, onOpen }: OpenProps & { readonly proposal: Proposal }) {
  const { decisions, isGrouped, mayDecide } = useInbox();
  const { words, show } = useApp();
  const texts = words.proposals;
  const { id, sku, productId, productTitle, ruleName } = proposal;
  const { marginPct, marginAfterPct, status } = proposal;
  const reasons = reasonsOf({ words, show }, proposal).join(" · ");
  return (
    <div class="proposal-card stack gap-6">
      <p class="clip stack">
        <a href={`/products/${productId}`} title={productTitle ?? sku}>
          <Unbroken text={productTitle ?? sku} />
        </a>
        <small>
          <Unbroken text={isGrouped ? sku : `${sku} · ${ruleName}`} />
        </small>
      </p>
      <div class="row spread gap-8">
        <PriceStep {...proposal} />
        {status === "open" && <EndsBadge proposal={proposal} isOnlySoon />}
      </div>
      {reasons !== "" && <p class="soft">{reasons}</p>}
      <dl class="row spread fine gap-8">
        <Fact label={words.fields.margin}>
          {show.share(marginPct)} → {show.share(marginAfterPct)}
        </Fact>
        <Fact label={words.fields.rank}>{rankStep(proposal)}</Fact>
        <Fact label={effectLabel(words, proposal)}>
          {effectText(words, show, proposal)}
        </Fact>
      </dl>
      <div class="card-buttons row gap-8">
        {mayDecide
          ? (
            <>
              <Button kind="main" onClick={() => decisions.approve([proposal])}>
                {texts.approve}
              </Button>
              <Button onClick={() => decisions.reject([proposal])}>{texts.reject}</Button>
            </>
          )
          : <ProposalBadge status={status} />}
        <Button onClick={() => onOpen(id)}>{mayDecide ? texts.details : texts.panel}</Button>
      </div>
    </div>
  );
}

function useProposalColumns(): readonly Column<InboxRow>[] {
  const { words, show } = useApp();
  const inbox = useInbox();
  const { isOpen, decisions } = inbox;
  const verdicts = isOpen ? decisions.verdicts : null;
  const all: readonly Column<Proposal>[] = [
    column("product", words.fields.productId, isOpen ? 320 : 230).cell((proposal) => (
      <ProductCell proposal={proposal} verdict={verdicts?.get(proposal.id)} />
    )),
    column("current", words.fields.current, 82).money((
      { currentCents, currency },
    ) => [currentCents, currency]),
    column("proposed", words.fields.proposed, 82).number(
      ({ id, currentCents, proposedCents, appliedCents, currency }) => {
        const cents = verdicts?.get(id)?.cents ?? appliedCents ?? proposedCents;
        return (
          <>
            <b>{show.money(cents, currency)}</b>
            <small class="below">
              <Delta fromCents={currentCents} toCents={cents} />
            </small>
          </>
        );
      },
    ),
    column("margin", words.fields.marginAfter, 68).number(({ marginAfterPct }) => (
      <MarginAfter pct={marginAfterPct} text={show.share(marginAfterPct)} />
    )),
    ...(isOpen ? openColumns({ words, show }, inbox) : doneColumns(words)),
  ];
  return all.map(({ cell, ...column }) => ({
    ...column,
    cell: (row: InboxRow) => isGroup(row) ? null : cell(row, show),
  }));
}

function ProductCell({ proposal, verdict }: { proposal: Proposal; verdict: Verdict | undefined }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const name = proposal.productTitle ?? proposal.sku;
  const settled = verdict?.action === "approve" ? proposal.trace?.behind?.length ?? 0 : 0;
  const named = proposal.status === "open" ? [] : [proposal.sku, proposal.ruleName];
  const told = [...named, ...reasonsOf({ words, show }, proposal)].join(" · ");
  return (
    <>
      <span class="product-name" title={name}>
        <Unbroken text={name} />
      </span>
      <small class="below">
        {verdict === undefined
          ? (
            <>
              {told || proposal.sku}{" "}
              {proposal.status === "open" && <EndsBadge proposal={proposal} isOnlySoon />}
            </>
          )
          : (
            <>
              {texts.verdicts[verdict.action](show.time(verdict.at))}
              {verdict.reason && ` · ${texts.because(verdict.reason)}`}
              {settled > 0 && ` · ${texts.accept.settles(settled)}`}
            </>
          )}
      </small>
    </>
  );
}

function reasonsOf({ words, show }: Speaker, proposal: Proposal): string[] {
  const { chips } = words.proposals;
  return [
    reasonOf(proposal, words, show),
    rejectedText({ words, show }, proposal),
    proposal.hasMarketMoved ? chips.moved : null,
  ].filter((text) => text !== null);
}

function reasonOf(
  { marketNow, status, trace }: Proposal,
  { proposals: texts, decision }: Words,
  show: Show,
): string | null {
  if (status !== "open") return null;
  const floor = trace?.price?.floor;
  if (floor?.lifts) return decision.floorApplies(show.percent(floor.pct));
  const { cheapestCompetitor: shop = null, cheapestCents = null, gapCents = null } = marketNow ??
    {};
  if (shop === null || cheapestCents === null || gapCents === null) return null;
  if (gapCents === 0) return texts.asMuch(shop);
  const pct = Math.abs(changePct(cheapestCents + gapCents, cheapestCents));
  return texts.than[gapCents > 0 ? "cheaper" : "dearer"](shop, show.share(pct));
}

function openColumns(
  { words, show }: Speaker,
  { decisions }: ReturnType<typeof useInbox>,
): readonly Column<Proposal>[] {
  const { proposals: texts, fields, auditLog } = words;
  return [
    column("rank", fields.rank, { width: 60, isWide: true }).number(rankStep),
    column("effect", texts.effect30d, 104).number((proposal) => {
      const verdict = decisions.verdicts.get(proposal.id);
      if (verdict === undefined) return effectText(words, show, proposal);
      return (
        <LinkButton onClick={() => decisions.takeBack([proposal], verdict.action)}>
          {auditLog.undo}
        </LinkButton>
      );
    }),
  ];
}

function doneColumns({ fields, proposals }: Words): readonly Column<Proposal>[] {
  return [
    column("status", fields.state, 124).cell(({ status }) => <ProposalBadge status={status} />),
    column("decided", proposals.columns.decided, 155).time(({ decidedAt }) => decidedAt),
  ];
}
