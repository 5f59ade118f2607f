import type { Overview } from "../../../overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { Delta } from "../../parts/delta.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";

type Proposal = Overview["proposals"]["oldest"][number];

/** The open proposals that expire first. */
export function DecideSection({ overview }: { overview: Overview }) {
  const { words } = useApp();
  const texts = words.overview;
  return (
    <Section
      title={texts.decide}
      note={texts.decideNote}
      actions={<a class="button" href="/proposals?status=open">{texts.allProposals}</a>}
    >
      <SimpleTable
        label={texts.decide}
        columns={useProposalColumns()}
        rows={overview.proposals.oldest}
        idOf={({ id }) => id}
        empty={<p class="note info">{texts.noProposals}</p>}
      />
    </Section>
  );
}

function useProposalColumns(): readonly Column<Proposal>[] {
  const { words, show } = useApp();
  const { columns } = words.overview;
  return [
    {
      key: "product",
      title: words.proposals.columns.product,
      width: 260,
      narrowWidth: 150,
      cell: ({ sku, productId, productTitle }) => (
        <>
          <a href={`/products/${productId}`}>{sku}</a> <span class="beside">{productTitle}</span>
        </>
      ),
    },
    {
      key: "now",
      title: columns.now,
      width: 100,
      isWide: true,
      isNumber: true,
      cell: ({ currentCents, currency }) => show.money(currentCents, currency),
    },
    {
      key: "proposed",
      title: columns.proposed,
      width: 100,
      narrowWidth: 90,
      isNumber: true,
      cell: ({ proposedCents, currency }) => show.money(proposedCents, currency),
    },
    {
      key: "change",
      title: columns.change,
      width: 90,
      narrowWidth: 84,
      isNumber: true,
      cell: ({ currentCents, proposedCents }) => (
        <Delta fromCents={currentCents} toCents={proposedCents} />
      ),
    },
    {
      key: "rule",
      title: columns.rule,
      width: 180,
      isWide: true,
      cell: ({ ruleName }) => ruleName,
    },
    {
      key: "expires",
      title: columns.expires,
      width: 120,
      isWide: true,
      cell: ({ expiresAt }) => show.ago(expiresAt),
    },
  ];
}
