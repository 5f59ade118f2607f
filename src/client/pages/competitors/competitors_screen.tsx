import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { useDocument, useList } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { filesOf } from "../../parts/file_links.tsx";
import { type Column, column, numberColumn } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import type { Competitor } from "./competitor.ts";
import { HealthBadge } from "./competitor_health.tsx";
import { CompetitorPanel } from "./competitor_panel.tsx";

export function CompetitorsScreen() {
  const { words, may } = useApp();
  const texts = words.competitors;
  const { route } = useLocation();
  const [isMade, setMade] = useState(false);
  const list = useList({
    key: ["competitors"],
    read: (api, page) => api.GET("/api/competitors", { params: { query: page } }),
  });
  const mayChange = may("manager");
  const create = mayChange && (
    <Button kind="main" icon="plus" onClick={() => setMade(true)}>{texts.create}</Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        beside={
          <>
            <Failing /> <a href="/competitors/quarantine">{words.quarantine.title}</a>
          </>
        }
      >
        {create}
      </PageHead>
      <DataTable
        label={texts.title}
        files={filesOf("/api/competitors")}
        columns={useCompetitorColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={({ id }) => route(`/competitors/${id}`)}
        empty={
          <EmptyState icon="competitors" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      />
      {isMade && <CompetitorPanel competitor={null} onClose={() => setMade(false)} />}
    </>
  );
}

/** The number of pages without a price, with a link to the repairs. */
function Failing() {
  const { words, show } = useApp();
  const { data } = useDocument({
    key: ["repairs", "count"],
    read: (api) => api.GET("/api/repairs", { params: { query: { limit: 1 } } }),
  });
  if (!data || data.pages === 0) return null;
  return <a href="/competitors/repairs">{words.repairs.count(show.number(data.pages))}</a>;
}

function useCompetitorColumns(): readonly Column<Competitor>[] {
  const { words, show } = useApp();
  const texts = words.competitors;
  const { columns } = texts;
  return [
    column(
      "name",
      columns.name,
      { width: 220, narrowWidth: 150 },
      ({ displayName }) => displayName,
    ),
    column("domain", columns.domain, { width: 220, isWide: true }, ({ domain }) => domain),
    column("country", columns.country, { width: 80, isWide: true }, ({ country }) => country),
    numberColumn(
      "tracked",
      columns.tracked,
      { width: 110, isWide: true },
      ({ trackedProducts }) => show.number(trackedProducts),
    ),
    column(
      "health",
      words.health.column,
      { width: 210, narrowWidth: 170 },
      ({ health }) => <HealthBadge health={health} />,
    ),
    column(
      "vat",
      columns.vat,
      { width: 110, isWide: true },
      ({ pricesIncludeVat }) =>
        pricesIncludeVat === null ? texts.asWorkspace : pricesIncludeVat ? texts.gross : texts.net,
    ),
    column(
      "groups",
      columns.groups,
      { width: 150, isWide: true },
      ({ groups, isMarketplace }) =>
        [...groups, ...(isMarketplace ? [texts.marketplace] : [])].join("; "),
    ),
    column(
      "enabled",
      columns.enabled,
      100,
      ({ enabled }) => enabled ? <Badge tone="good">{texts.on}</Badge> : <Badge>{texts.off}</Badge>,
    ),
  ];
}
