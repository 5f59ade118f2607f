/** What happened last: alerts, imports, prices and shops, a short list of each. */
import type { Overview } from "../../../overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { usePriceChangeColumns } from "../../parts/table/price_change_columns.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import { alertText } from "../../../wording/alert_text.ts";
import { SeverityBadge } from "../../parts/severity_badge.tsx";
import { importName, ImportState } from "../../parts/import/import_state.tsx";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";

interface PartProps {
  readonly overview: Overview;
}

type Alert = Overview["alerts"]["latest"][number];
type Import = Overview["imports"][number];
type Move = Overview["priceMoves"]["latest"][number];
type Failing = Overview["failingDomains"][number];

export function AlertSection({ overview }: PartProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.overview;
  const { columns } = words.alerts;
  const shown: readonly Column<Alert>[] = [
    {
      key: "title",
      title: columns.title,
      width: 420,
      narrowWidth: 220,
      cell: (alert) => {
        const { title, body } = alertText({ language: app.language.value, show: app.show }, alert);
        const { productId } = alert;
        return (
          <>
            {productId === null ? title : <a href={`/products/${productId}`}>{title}</a>}
            <small class="below">{body}</small>
          </>
        );
      },
    },
    {
      key: "severity",
      title: columns.severity,
      width: 110,
      isWide: true,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      key: "at",
      title: columns.at,
      width: 130,
      narrowWidth: 90,
      cell: ({ createdAt }) => show.ago(createdAt),
    },
  ];
  return (
    <Section
      title={texts.lastAlerts}
      actions={<a class="button" href="/alerts">{texts.allAlerts}</a>}
    >
      <SimpleTable
        label={texts.lastAlerts}
        columns={shown}
        rows={overview.alerts.latest}
        idOf={({ id }) => id}
        empty={<p class="note info">{texts.noAlerts}</p>}
      />
    </Section>
  );
}

export function ImportSection({ overview }: PartProps) {
  const { words, show } = useApp();
  const texts = words.overview;
  const { columns } = words.imports;
  const shown: readonly Column<Import>[] = [
    {
      key: "file",
      title: columns.file,
      width: 220,
      narrowWidth: 150,
      cell: (job) => <a href={`/imports/${job.jobId}`}>{importName(job)}</a>,
    },
    { key: "status", title: words.status, width: 170, cell: (job) => <ImportState job={job} /> },
    {
      key: "records",
      title: columns.records,
      width: 100,
      isWide: true,
      isNumber: true,
      cell: ({ count }) => show.number(count),
    },
    {
      key: "updated",
      title: columns.updated,
      width: 90,
      isWide: true,
      isNumber: true,
      cell: ({ stats }) => show.number(stats.updated),
    },
    {
      key: "at",
      title: columns.created,
      width: 130,
      cell: ({ createdAt }) => show.dateTime(createdAt),
    },
  ];
  return (
    <Section
      title={texts.lastImports}
      actions={<a class="button" href="/imports">{texts.allImports}</a>}
    >
      <SimpleTable
        label={texts.lastImports}
        columns={shown}
        rows={overview.imports}
        idOf={({ jobId }) => jobId}
        empty={<p class="note info">{texts.noImports}</p>}
      />
    </Section>
  );
}

export function MoveSection({ overview }: PartProps) {
  const { words, show } = useApp();
  const texts = words.overview;
  const { from, to, change, source } = usePriceChangeColumns<Move>();
  const shown: readonly Column<Move>[] = [
    {
      key: "sku",
      title: words.products.sku,
      width: 110,
      cell: ({ sku, productId }) => <a href={`/products/${productId}`}>{sku}</a>,
    },
    { ...from, isWide: true },
    to,
    change,
    { ...source, isWide: true },
    { key: "at", title: words.time, width: 130, cell: ({ at }) => show.dateTime(at) },
  ];
  return (
    <Section id="moves" title={texts.lastMoves}>
      <SimpleTable
        label={texts.lastMoves}
        columns={shown}
        rows={overview.priceMoves.latest}
        idOf={({ productId, at, toCents }) => `${productId} ${at} ${toCents}`}
        empty={<p class="note info">{texts.noMoves}</p>}
      />
    </Section>
  );
}

/** Shops that have answered nothing for 24 hours: first of all, because prices grow old there. */
export function FailingSection({ overview }: PartProps) {
  const { words, show } = useApp();
  const texts = words.overview;
  const { columns } = texts;
  const shown: readonly Column<Failing>[] = [
    {
      key: "shop",
      title: columns.shop,
      width: 180,
      narrowWidth: 120,
      cell: ({ displayName }) => displayName,
    },
    {
      key: "failed",
      title: columns.failed,
      width: 110,
      isWide: true,
      isNumber: true,
      cell: ({ health }) => <span class="loss">{show.number(health.failed24h)}</span>,
    },
    {
      key: "reason",
      title: columns.reason,
      width: 300,
      narrowWidth: 160,
      cell: ({ health }) => scrapeErrorText(words, health.lastError?.code ?? null),
    },
    {
      key: "since",
      title: columns.since,
      width: 120,
      isWide: true,
      cell: ({ health }) => show.ago(health.lastError?.at),
    },
  ];
  return (
    <Section
      id="failing"
      title={texts.failing}
      actions={<a class="button" href="/competitors">{texts.allShops}</a>}
    >
      <SimpleTable
        label={texts.failing}
        columns={shown}
        rows={overview.failingDomains}
        idOf={({ competitorId }) => competitorId}
      />
    </Section>
  );
}
