import { useLocation } from "preact-iso";
import type { ImportSummary } from "../../../imports/jobs/import_document.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { EmptyState } from "../../parts/empty_state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import type { Column } from "../../parts/table/column.ts";
import { DataTable } from "../../parts/table/data_table.tsx";
import { importName, ImportState } from "../../parts/import/import_state.tsx";

const WATCH_MS = 5_000;

export function ImportsScreen() {
  const { words, may } = useApp();
  const texts = words.imports;
  const { route } = useLocation();
  const list = useList<ImportSummary>({
    key: ["imports"],
    path: "/api/imports",
    everyMs: WATCH_MS,
  });
  const create = may("manager") && (
    <a class="button main" href="/imports/new">
      <Icon name="plus" />
      {texts.create}
    </a>
  );
  return (
    <>
      <PageHead title={texts.title}>{create}</PageHead>
      <DataTable
        label={texts.title}
        columns={useImportColumns()}
        list={list}
        idOf={({ jobId }) => jobId}
        onOpen={({ jobId }) => route(`/imports/${jobId}`)}
        empty={
          <EmptyState icon="imports" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      />
    </>
  );
}

function useImportColumns(): readonly Column<ImportSummary>[] {
  const { words, show } = useApp();
  const { columns } = words.imports;
  return [
    {
      key: "file",
      title: columns.file,
      width: 210,
      narrowWidth: 150,
      cell: (job) => <a href={`/imports/${job.jobId}`}>{importName(job)}</a>,
    },
    {
      key: "status",
      title: words.status,
      width: 170,
      narrowWidth: 160,
      cell: (job) => <ImportState job={job} />,
    },
    {
      key: "created",
      title: columns.created,
      width: 142,
      cell: ({ createdAt }) => show.dateTime(createdAt),
    },
    {
      key: "records",
      title: columns.records,
      width: 100,
      isNumber: true,
      cell: ({ count, progress }) => show.number(Math.max(count, progress.processed)),
    },
    {
      key: "inserted",
      title: columns.inserted,
      width: 70,
      isNumber: true,
      cell: ({ stats }) => show.number(stats.inserted),
    },
    {
      key: "updated",
      title: columns.updated,
      width: 95,
      isNumber: true,
      cell: ({ stats }) => show.number(stats.updated),
    },
    {
      key: "errors",
      title: columns.errors,
      width: 70,
      isNumber: true,
      cell: ({ errorCount }) => (
        <span class={errorCount > 0 ? "loss" : undefined}>{show.number(errorCount)}</span>
      ),
    },
    {
      key: "by",
      title: columns.by,
      width: 140,
      isWide: true,
      cell: ({ createdBy }) => <span title={createdBy.name}>{createdBy.name}</span>,
    },
  ];
}
