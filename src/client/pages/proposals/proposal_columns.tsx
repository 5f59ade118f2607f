import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/controls.tsx";
import type { Show } from "../../../engine/wording/show.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Delta } from "../../parts/percentages.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { useMedia } from "../../parts/use_media.ts";
import { type Column, column, numberColumn } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import { type InboxRow, isGroup, THIN_PCT } from "./proposal_query.ts";

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

/** Columns that the panel repeats are omitted where the list has no room. */
const WIDE = "(max-width: 1099px), (min-width: 1400px)";
const WIDEST = "(max-width: 1099px), (min-width: 1560px)";

/** Below this the margin after is marked, in percent. */
const THIN = Number(THIN_PCT);

/** Of open ones it says what they would change, of all others what has become of them. */
export function useProposalColumns(isOpen: boolean): readonly Column<InboxRow>[] {
  const { words, show } = useApp();
  const hasMargin = useMedia(WIDE);
  const hasCurrent = useMedia(WIDEST);
  const { columns } = words.proposals;
  const all: readonly Column<Proposal>[] = [
    column("product", columns.product, 150, ({ sku, productTitle }) => (
      <>
        <span title={productTitle ?? sku}>{productTitle ?? sku}</span>
        <small class="below">{sku}</small>
      </>
    )),
    numberColumn(
      "current",
      columns.current,
      86,
      ({ currentCents, currency }) => show.money(currentCents, currency),
    ),
    numberColumn(
      "proposed",
      columns.proposed,
      86,
      ({ proposedCents, appliedCents, currency }) => (
        <b>{show.money(appliedCents ?? proposedCents, currency)}</b>
      ),
    ),
    numberColumn(
      "change",
      columns.change,
      88,
      ({ currentCents, proposedCents, appliedCents }) => (
        <Delta fromCents={currentCents} toCents={appliedCents ?? proposedCents} />
      ),
    ),
    numberColumn(
      "margin",
      columns.marginAfter,
      78,
      ({ marginAfterPct }) =>
        marginAfterPct !== null && marginAfterPct < THIN
          ? <Badge tone="warn">{show.share(marginAfterPct)}</Badge>
          : show.share(marginAfterPct),
    ),
    ...(isOpen ? openColumns(words, show) : doneColumns(words, show)),
  ];
  const own = all.filter(({ key }) =>
    (key !== "margin" || hasMargin) && (key !== "current" || hasCurrent)
  );
  return own.map(({ cell, ...column }) => ({
    ...column,
    cell: (row: InboxRow) => isGroup(row) ? null : cell(row),
  }));
}

function openColumns(words: Words, show: Show): readonly Column<Proposal>[] {
  const { proposals } = words;
  return [
    numberColumn(
      "rank",
      proposals.columns.rank,
      66,
      ({ marketNow, marketAfter }) => rankStep(marketNow, marketAfter),
    ),
    numberColumn(
      "effect",
      proposals.columns.effect,
      116,
      (proposal) => effectText(words, show, proposal),
    ),
  ];
}

function doneColumns({ proposals }: Words, show: Show): readonly Column<Proposal>[] {
  return [
    column(
      "status",
      proposals.columns.status,
      124,
      ({ status }) => <ProposalBadge status={status} />,
    ),
    column("decided", proposals.columns.decided, 124, ({ decidedAt }) => show.dateTime(decidedAt)),
  ];
}

type Stand = Proposal["marketNow"];

/** "3 → 1"; a dash while no offer counts. */
export function rankStep(now: Stand, after: Stand): string {
  if (!now?.rank || !after?.rank) return "–";
  return `${now.rank} → ${after.rank}`;
}
