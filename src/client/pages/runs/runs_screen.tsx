import { useLocation } from "preact-iso";
import type { Run } from "../../../scraping/runs/run.ts";
import { useList } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { ChoiceBar, useFilter } from "../../parts/filter.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { filesOf } from "../../parts/file_links.tsx";
import { type Column, column, numberColumn } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { RunState } from "../../parts/run/run_state.tsx";

/** The names are those of the service's query. */
const FILTERS = ["status", "productId"] as const;
const WATCH_MS = 5_000;

export function RunsScreen() {
  const { words } = useApp();
  const texts = words.runs;
  const { route } = useLocation();
  const filter = useFilter(FILTERS);
  const list = useList({
    key: ["runs", filter.values],
    read: (api, page) =>
      api.GET("/api/scrape-runs", {
        params: { query: { ...filter.values, order: "desc", ...page } },
      }),
    everyMs: WATCH_MS,
  });
  const states = Object.entries(texts.states).map(([value, label]) => ({ value, label }));
  return (
    <>
      <PageHead title={texts.title} />
      <ChoiceBar filter={filter} name="status" label={words.status} options={states} />
      <DataTable
        label={texts.title}
        files={filesOf("/api/scrape-runs", { ...filter.values, order: "desc" })}
        columns={useRunColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={({ id }) => route(`/runs/${id}`)}
        empty={filter.isAny
          ? <EmptyState icon="runs" title={texts.noneTitle} text={texts.noneText} />
          : (
            <EmptyState icon="runs" title={texts.emptyTitle} text={texts.emptyText}>
              <a class="button" href="/products">{texts.toProducts}</a>
            </EmptyState>
          )}
      />
    </>
  );
}

function useRunColumns(): readonly Column<Run>[] {
  const { words, show } = useApp();
  const texts = words.runs;
  const { columns } = texts;
  const count = (key: "targets" | "ok" | "failed" | "skipped") =>
    numberColumn<Run>(
      key,
      columns[key],
      key === "skipped" ? 120 : 80,
      ({ counts }) => (
        <span class={key === "failed" && counts.failed > 0 ? "loss" : undefined}>
          {show.number(counts[key])}
        </span>
      ),
    );
  return [
    column(
      "sku",
      columns.product,
      { width: 140, narrowWidth: 104 },
      ({ id, sku }) => <a href={`/runs/${id}`}>{sku}</a>,
    ),
    column(
      "status",
      words.status,
      { width: 160, narrowWidth: 150 },
      (run) => <RunState run={run} />,
    ),
    column(
      "at",
      columns.at,
      { width: 140, narrowWidth: 132 },
      ({ startedAt, createdAt }) => show.dateTime(startedAt ?? createdAt),
    ),
    count("targets"),
    count("ok"),
    count("failed"),
    count("skipped"),
    numberColumn(
      "took",
      columns.took,
      { width: 100, isWide: true },
      ({ startedAt, finishedAt }) =>
        startedAt && finishedAt
          ? show.duration(Date.parse(finishedAt) - Date.parse(startedAt))
          : "–",
    ),
    column(
      "trigger",
      columns.trigger,
      { width: 110, isWide: true },
      ({ trigger }) => texts.triggers[trigger],
    ),
    column("by", columns.by, { width: 200, isWide: true }, ({ requestedBy }) => requestedBy.name),
  ];
}
