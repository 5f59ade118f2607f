import { useState } from "preact/hooks";
import type { Finding } from "../../../imports/findings/finding.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import { FindingText } from "../../parts/import/finding_text.tsx";
import { isUnderWay } from "../../parts/import/import_state.tsx";

type Severity = Finding["severity"];

/** What was wrong, by line; errors first, because their records were refused. */
export function ImportFindings({ job }: { job: ImportDocument }) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  const [chosen, setChosen] = useState<Severity | null>(null);
  if (job.errorCount + job.warningCount === 0) {
    return isUnderWay(job) || job.error ? null : <p class="note good">{texts.noFindings}</p>;
  }
  const severity = chosen ?? (job.errorCount > 0 ? "error" : "warning");
  const tab = (value: Severity, text: string, count: number) => (
    <button
      type="button"
      aria-pressed={severity === value}
      onClick={() => setChosen(value)}
    >
      {text} ({show.number(count)})
    </button>
  );
  const path = `/api/imports/${job.jobId}/errors`;
  return (
    <Section
      title={`${texts.errors} · ${texts.warnings}`}
      actions={
        <>
          <a class="button plain" download href={`${path}?format=csv`}>{texts.download}</a>
          {job.stats.errors > 0 && (
            <a class="button plain" download href={`${path}?format=xml`}>{texts.downloadXml}</a>
          )}
        </>
      }
    >
      <div class="switch" role="group" aria-label={`${texts.errors} / ${texts.warnings}`}>
        {tab("error", texts.errors, job.errorCount)}
        {tab("warning", texts.warnings, job.warningCount)}
      </div>
      <FindingTable key={severity} path={path} severity={severity} isMoving={isUnderWay(job)} />
    </Section>
  );
}

interface FindingTableProps {
  readonly path: string;
  readonly severity: Severity;
  readonly isMoving: boolean;
}

const WATCH_MS = 3_000;

function FindingTable({ path, severity, isMoving }: FindingTableProps) {
  const { words } = useApp();
  const columns = useFindingColumns();
  const list = useList<Finding>({
    key: ["imports", path],
    path,
    query: { severity },
    everyMs: isMoving ? WATCH_MS : false,
  });
  if (list.error) return <ErrorNote error={list.error} onAgain={list.again} />;
  return (
    <>
      <SimpleTable
        label={words.imports.job.errors}
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
    {
      key: "line",
      title: findings.line,
      width: 70,
      narrowWidth: 50,
      isNumber: true,
      cell: ({ line }) => show.number(line),
    },
    { key: "sku", title: findings.sku, width: 130, narrowWidth: 90, cell: ({ sku }) => sku ?? "–" },
    {
      key: "message",
      title: findings.message,
      width: 320,
      narrowWidth: 190,
      cell: (finding) => <FindingText finding={finding} />,
    },
    { key: "field", title: findings.field, width: 120, cell: ({ field }) => field ?? "–" },
    {
      key: "value",
      title: findings.value,
      width: 160,
      cell: ({ value }) => value && <code>{value}</code>,
    },
  ];
}
