import type { Finding } from "../../../imports/files/finding.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { FileLinks } from "../../parts/file_links.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { type Column, column, numberColumn } from "../../parts/table/column.ts";
import { FindingText } from "../../parts/import/finding_text.tsx";
import { isUnderWay } from "../../parts/import/import_state.tsx";

/** The findings as files, and the refused rows to be mended. */
export function FindingFiles({ job }: { job: ImportDocument }) {
  const { words } = useApp();
  const texts = words.imports.job;
  const path = `/api/imports/${job.jobId}/errors`;
  return (
    <>
      {job.stats.errors > 0 && (
        <a class="button plain" download href={`${path}?format=rows`}>{texts.downloadRows}</a>
      )}
      <FileLinks
        what={texts.download}
        csv={`${path}?format=csv`}
        xlsx={`${path}?format=xlsx`}
        isHeaded
      />
    </>
  );
}

const WATCH_MS = 3_000;

/** Findings by line. */
export function FindingTable(
  { job, severity }: { readonly job: ImportDocument; readonly severity: Finding["severity"] },
) {
  const { words } = useApp();
  const { jobId } = job;
  const columns = useFindingColumns();
  const list = useList({
    key: ["imports", jobId, "findings", severity],
    read: (api, page) =>
      api.GET("/api/imports/{jobId}/errors", {
        params: { path: { jobId }, query: { severity, ...page } },
      }),
    everyMs: isUnderWay(job) ? WATCH_MS : false,
  });
  if (list.error) return <ErrorNote error={list.error} onAgain={list.again} />;
  return (
    <>
      <SimpleTable
        label={severity === "error" ? words.imports.job.errors : words.imports.job.warnings}
        columns={columns}
        rows={list.rows}
        idOf={({ index, line, field, code, file }) => `${file} ${index} ${line} ${field} ${code}`}
      />
      {list.hasMore && (
        <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>
          {words.table.more}
        </Button>
      )}
    </>
  );
}

function useFindingColumns(): readonly Column<Finding>[] {
  const { words, show } = useApp();
  const { findings } = words.imports.job;
  return [
    numberColumn(
      "line",
      findings.line,
      { width: 70, narrowWidth: 50 },
      ({ line }) => show.number(line),
    ),
    column("sku", findings.sku, { width: 130, narrowWidth: 90 }, ({ sku }) => sku ?? "–"),
    column(
      "message",
      findings.message,
      { width: 320, narrowWidth: 190 },
      (finding) => <FindingText finding={finding} />,
    ),
    column("field", findings.field, 120, ({ field }) => field ?? "–"),
    column("value", findings.value, 160, ({ value }) => value && <code>{value}</code>),
  ];
}
