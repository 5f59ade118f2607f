/**
 * The columns of the list of proposals. A decided proposal keeps its row, with the decision and an
 * undo button. The effect on profit is computed when a proposal is created. The heading of the
 * effect's column names the most frequent day of creation. A row with another day shows its day.
 */
import { changePct } from "../../../base/fraction.ts";
import { type Speaker, useApp } from "../../app/app.ts";
import { Badge, LinkButton, type Tone } from "../../parts/controls.tsx";
import type { Show } from "../../../engine/wording/show.ts";
import { EndsBadge, type Proposal, rejectedText } from "../../parts/decision/decision.tsx";
import { Delta, MarginAfter } from "../../parts/price_figures.tsx";
import { effectAsOf, effectDay, effectText } from "../../parts/effect_text.ts";
import { type Column, column } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import { type Inbox, type InboxRow, isGroup } from "./inbox.tsx";
import type { Verdict } from "./use_decisions.ts";
import { Unbroken } from "../../parts/page.tsx";

const TONES: Readonly<Record<Proposal["status"], Tone>> = {
  open: "busy",
  applied: "good",
  rejected: "bad",
  expired: "plain",
  superseded: "plain",
  rolled_back: "warn",
};

export function ProposalBadge({ status }: Pick<Proposal, "status">) {
  const { words } = useApp();
  return <Badge tone={TONES[status]}>{words.proposals.statuses[status]}</Badge>;
}

const NO_VERDICTS: Inbox["decisions"]["verdicts"] = new Map();

export function useProposalColumns(
  { isOpen, decisions, proposals }: Pick<Inbox, "isOpen" | "decisions" | "proposals">,
): readonly Column<InboxRow>[] {
  const { words, show } = useApp();
  const verdicts = isOpen ? decisions.verdicts : NO_VERDICTS;
  const all: readonly Column<Proposal>[] = [
    column("product", words.fields.productId, 320).cell((proposal) => (
      <ProductCell proposal={proposal} verdict={verdicts.get(proposal.id)} />
    )),
    column("current", words.fields.current, 82).number(({ currentCents, currency }) =>
      show.money(currentCents, currency)
    ),
    column("proposed", words.fields.proposed, 82).number(
      ({ id, currentCents, proposedCents, appliedCents, currency }) => {
        const cents = verdicts.get(id)?.cents ?? appliedCents ?? proposedCents;
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
    ...(isOpen ? openColumns({ words, show }, { decisions, proposals }) : doneColumns(words, show)),
  ];
  return all.map(({ cell, ...column }) => ({
    ...column,
    cell: (row: InboxRow) => isGroup(row) ? null : cell(row),
  }));
}

function ProductCell({ proposal, verdict }: { proposal: Proposal; verdict: Verdict | undefined }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const name = proposal.productTitle ?? proposal.sku;
  const settled = verdict?.action === "approve" ? proposal.trace?.behind?.length ?? 0 : 0;
  return (
    <>
      <span class="product-name" title={name}>
        <Unbroken text={name} />
      </span>
      <small class="below">
        {verdict === undefined
          ? (
            <>
              {[
                reasonOf(proposal, words, show),
                rejectedText({ words, show }, proposal),
                proposal.hasMarketMoved && texts.chips.moved,
              ].filter(Boolean).join(" · ")}{" "}
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

function reasonOf(
  { marketNow, sku, status, ruleName, trace }: Proposal,
  { proposals: texts, decision }: Words,
  show: Show,
): string {
  if (status !== "open") return `${sku} · ${ruleName}`;
  const floor = trace?.price?.floor;
  if (floor?.lifts) return decision.floorApplies(show.percent(floor.pct));
  const { cheapestCompetitor: shop = null, cheapestCents = null, gapCents = null } = marketNow ??
    {};
  if (shop === null || cheapestCents === null || gapCents === null) return sku;
  if (gapCents === 0) return texts.asMuch(shop);
  const pct = Math.abs(changePct(cheapestCents + gapCents, cheapestCents));
  return texts.than[gapCents > 0 ? "cheaper" : "dearer"](shop, show.share(pct));
}

function openColumns(
  { words: { proposals: texts, fields, auditLog }, show }: Speaker,
  { decisions, proposals }: Pick<Inbox, "decisions" | "proposals">,
): readonly Column<Proposal>[] {
  const day = commonDay(proposals.map((one) => effectDay(show, one)));
  const head = (
    <>
      {texts.effect30d} {day && <small class="below">{texts.asOf(day)}</small>}
    </>
  );
  return [
    column("rank", fields.rank, { width: 60, isWide: true }).number(rankStep),
    column("effect", texts.effect30d, { width: 104, head }).number((proposal) => {
      const verdict = decisions.verdicts.get(proposal.id);
      if (verdict === undefined) return <Effect proposal={proposal} headDay={day} />;
      return (
        <LinkButton onClick={() => decisions.takeBack([proposal], verdict.action)}>
          {auditLog.undo}
        </LinkButton>
      );
    }),
  ];
}

function commonDay(days: readonly (string | null)[]): string | null {
  const same = Map.groupBy(days.filter((day) => day !== null), (day) => day);
  return [...same].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

export function Effect({ proposal, headDay }: { proposal: Proposal; headDay?: string | null }) {
  const { words, show } = useApp();
  const day = effectDay(show, proposal);
  const asOf = headDay === undefined
    ? effectAsOf(words, show, proposal)
    : day !== null && day !== headDay && words.proposals.asOf(day);
  return (
    <>
      {effectText(words, show, proposal)}
      {asOf && <small class="below">{asOf}</small>}
    </>
  );
}

function doneColumns({ proposals }: Words, show: Show): readonly Column<Proposal>[] {
  return [
    column("status", proposals.columns.status, 124).cell(({ status }) => (
      <ProposalBadge status={status} />
    )),
    column("decided", proposals.columns.decided, 140).cell(({ decidedAt }) =>
      show.dateTime(decidedAt)
    ),
  ];
}

export function rankStep({ marketNow, marketAfter }: Proposal): string {
  return marketNow?.rank && marketAfter?.rank ? `${marketNow.rank} → ${marketAfter.rank}` : "–";
}
