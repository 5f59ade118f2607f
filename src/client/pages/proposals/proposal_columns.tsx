import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { type Proposal, shownMarginPct } from "../../parts/decision/decision.ts";
import { Delta } from "../../parts/delta.tsx";
import { useMedia } from "../../parts/use_media.ts";
import type { Column } from "../../parts/table/column.ts";

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

const ROOMY = "(min-width: 1500px)";

/** Of open ones it says when they expire, of all others what has become of them. */
export function useProposalColumns(isOpen: boolean): readonly Column<Proposal>[] {
  const isRoomy = useMedia(ROOMY);
  const { words, show } = useApp();
  const { columns } = words.proposals;
  const ends: readonly Column<Proposal>[] = isOpen
    ? [{
      key: "expires",
      title: columns.expires,
      width: 110,
      isWide: true,
      cell: ({ expiresAt }) => show.ago(expiresAt),
    }]
    : [
      {
        key: "status",
        title: columns.status,
        width: 130,
        cell: ({ status }) => <ProposalBadge status={status} />,
      },
      {
        key: "decided",
        title: columns.decided,
        width: 130,
        isWide: true,
        cell: ({ decidedAt }) => show.dateTime(decidedAt),
      },
    ];
  return [
    {
      key: "product",
      title: columns.product,
      width: 200,
      narrowWidth: 128,
      cell: ({ sku, productTitle }) => (
        <>
          {sku}
          {productTitle && <small class="below" title={productTitle}>{productTitle}</small>}
        </>
      ),
    },
    {
      key: "current",
      title: columns.current,
      width: 90,
      isNumber: true,
      isWide: true,
      cell: ({ currentCents, currency }) => show.money(currentCents, currency),
    },
    {
      key: "proposed",
      title: columns.proposed,
      width: 90,
      narrowWidth: 96,
      isNumber: true,
      cell: ({ proposedCents, currency }) => <b>{show.money(proposedCents, currency)}</b>,
    },
    {
      key: "change",
      title: columns.change,
      width: 98,
      narrowWidth: 92,
      isNumber: true,
      cell: ({ currentCents, proposedCents }) => (
        <Delta fromCents={currentCents} toCents={proposedCents} />
      ),
    },
    {
      key: "margin",
      title: columns.margin,
      width: 78,
      isNumber: true,
      isWide: true,
      cell: ({ trace, proposedCents }) => show.share(trace && shownMarginPct(trace, proposedCents)),
    },
    ...(isRoomy
      ? [{
        key: "rule",
        title: columns.rule,
        width: 190,
        cell: ({ ruleName }: Proposal) => <span title={ruleName}>{ruleName}</span>,
      }]
      : []),
    ...(isRoomy || !isOpen ? ends : []),
  ];
}
