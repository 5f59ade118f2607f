import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Card } from "../../parts/card.tsx";
import { Delta } from "../../parts/delta.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { type Column, column } from "../../parts/table/column.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

const SHOWN = 6;

/** The open proposals that move the most money. */
export function EffectCard() {
  const { words, show } = useApp();
  const texts = words.overview.effect;
  const columns = useEffectColumns();
  const found = useDocument({
    key: ["proposals", "effect"],
    read: (api) =>
      api.GET("/api/proposals", {
        params: { query: { status: "open", later: "false", sort: "effect", limit: SHOWN } },
      }),
  });
  const { data } = found;
  return (
    <Card
      title={texts.title}
      note={data && texts.open(show.number(data.total))}
      beside={<a href="/proposals?status=open">{texts.all}</a>}
    >
      {data
        ? (
          <SimpleTable
            label={texts.title}
            columns={columns}
            rows={data.items}
            idOf={({ id }) => id}
            empty={<p class="note info">{texts.none}</p>}
          />
        )
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
    </Card>
  );
}

function useEffectColumns(): readonly Column<Proposal>[] {
  const { words, show } = useApp();
  const texts = words.overview.effect;
  const { columns } = texts;
  const number = { width: 96, isNumber: true } as const;
  return [
    column(
      "product",
      columns.product,
      { width: 240, narrowWidth: 150 },
      ({ sku, productId, productTitle }) => (
        <a href={`/products/${productId}`}>
          {sku} <span class="beside">{productTitle}</span>
        </a>
      ),
    ),
    {
      ...number,
      key: "now",
      title: columns.now,
      isWide: true,
      cell: ({ currentCents, currency }) => show.money(currentCents, currency),
    },
    {
      ...number,
      key: "proposed",
      title: columns.proposed,
      cell: ({ proposedCents, currency }) => <strong>{show.money(proposedCents, currency)}</strong>,
    },
    {
      ...number,
      key: "change",
      title: columns.change,
      cell: ({ currentCents, proposedCents }) => (
        <Delta fromCents={currentCents} toCents={proposedCents} />
      ),
    },
    {
      ...number,
      key: "margin",
      title: columns.marginAfter,
      isWide: true,
      cell: ({ marginAfterPct }) => show.share(marginAfterPct),
    },
    {
      ...number,
      key: "rank",
      title: columns.rankAfter,
      isWide: true,
      cell: ({ marketAfter }) =>
        marketAfter?.rank
          ? texts.rank(show.number(marketAfter.rank), show.number(marketAfter.of))
          : "–",
    },
    {
      ...number,
      key: "effect",
      title: columns.effect,
      width: 116,
      cell: (proposal) => effectText(words, show, proposal),
    },
    column("rule", columns.rule, { width: 170, isWide: true }, ({ ruleName }) => ruleName),
  ];
}
