/**
 * The list of imports, the newest first. Each import that was stopped and waits for a decision has
 * a note above the list. The list is read again regularly to follow running imports.
 */
import { useLocation } from "preact-iso";
import type { ImportSummary } from "../../../imports/jobs/import_document.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { addressOf, get, where } from "../../api/call.ts";
import { useApp, useList } from "../../app/app.ts";
import { daysBetween, momentText } from "../../formats/day.ts";
import { ChoiceBar, useFilter } from "../../parts/filter.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { filesOf } from "../../parts/file_links.tsx";
import { Icon, optionsOf } from "../../parts/controls.tsx";
import { type Column, column, NARROW } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import {
  PausedSources,
  useHeldImport,
  useImportSources,
} from "../../parts/import/source_guards.tsx";
import { ImportState, isHeld, UndoUntil } from "../../parts/import/import_state.tsx";
import { useMedia } from "../../parts/hooks.ts";
import { actorText } from "../../parts/audit/audit_text.ts";

export function ImportsScreen() {
  const { words: { imports: texts, priceArrivals, importSources }, may } = useApp();
  const { route } = useLocation();
  const filter = useFilter(["source"]);
  const { source } = filter.values;
  const sources = useImportSources().rows;
  const list = useList((page) => get("/api/imports", where({ ...filter.values, ...page })), {
    everyMs: 5_000,
  });
  const held = list.rows.filter(isHeld);
  const first = useHeldImport(held[0]?.jobId ?? null);
  const isAsked = first === undefined || Boolean(first?.until);
  const create = may("manager") && (
    <a class={isAsked ? "button" : "button main"} href={addressOf("/imports/new", { source })}>
      <Icon name="plus" />
      {texts.create}
    </a>
  );
  return (
    <>
      <PageHead title={texts.title}>
        <a class="button" href="/imports/arrivals">{priceArrivals.title}</a>
        <a class="button" href="/imports/sources">{importSources.title}</a>
        {create}
      </PageHead>
      <PausedSources />
      {held.map((job) => <HeldNote key={job.jobId} job={job} />)}
      {(sources.length > 1 || filter.isAny) && (
        <ChoiceBar
          filter={filter}
          name="source"
          label={importSources.source}
          options={optionsOf(sources)}
        />
      )}
      <div class="log files-log column">
        <DataTable
          label={texts.title}
          files={filesOf("/api/imports", filter.values)}
          columns={useImportColumns(sources)}
          list={list}
          idOf={({ jobId }) => jobId}
          onOpen={({ jobId }) => route(`/imports/${jobId}`)}
          empty={filter.isAny
            ? <EmptyState icon="imports" title={texts.noneTitle} text={texts.noneText} />
            : (
              <EmptyState icon="imports" title={texts.emptyTitle} text={texts.emptyText}>
                {create}
              </EmptyState>
            )}
        />
      </div>
    </>
  );
}

function HeldNote({ job }: { readonly job: ImportSummary }) {
  const { waits, kept, look, others, refused } = useApp().words.imports.job.hold;
  const { jobId, label, stats } = job;
  const held = useHeldImport(jobId);
  if (!held?.until) return null;
  const { compared } = held;
  const rest = compared === null ? 0 : recordsOf(job) - stats.skipped - compared;
  const unread = stats.errors > 0 ? refused(stats.errors) : "";
  return (
    <div class="note warn held-note" role="status">
      <p>
        <strong>{waits(label)}</strong> {held.why}. {rest > 0 && `${others(rest)}${unread}. `}
        {kept(held.until)}.
      </p>
      <a class="button main" href={`/imports/${jobId}`}>{look}</a>
    </div>
  );
}

function Failure({ error }: Pick<ImportSummary, "error">) {
  const { words } = useApp();
  if (error === null) return <>–</>;
  const text = words.service.findings[error.code] ?? error.message;
  return <span class="soft" title={text}>{text}</span>;
}

function ReviewUntil({ job: { jobId } }: { readonly job: ImportSummary }) {
  const { words } = useApp();
  const held = useHeldImport(jobId);
  if (!held) return <>–</>;
  const text = held.until === null
    ? words.imports.job.hold.look
    : words.imports.job.hold.review(held.until);
  return <a href={`/imports/${jobId}`} title={held.why}>{text}</a>;
}

function useImportColumns(sources: readonly ImportSource[]): readonly Column<ImportSummary>[] {
  const { words, show } = useApp();
  const { columns, counts, job: { undo } } = words.imports;
  return [
    column("file", words.fields.file, { width: 200, narrowWidth: 188 }).cell((
      { jobId, undoes, label },
    ) => <a href={`/imports/${jobId}`}>{undoes === null ? label : undo.title(label)}</a>),
    column("import-state", words.fields.status, { width: 124, narrowWidth: 126 }).cell((job) => (
      <ImportState job={job} />
    )),
    column("created", columns.created, { width: 112, narrowWidth: 106 }).cell(({ createdAt }) =>
      daysBetween(createdAt, Date.now(), show.timeZone) > 6
        ? show.date(createdAt)
        : momentText(show, createdAt)
    ),
    ...useCountColumns(),
    column("undo", columns.undo, { width: 204, narrowWidth: 150 }).cell((job) =>
      isHeld(job)
        ? <ReviewUntil job={job} />
        : job.status === "failed"
        ? <Failure error={job.error} />
        : (
          <>
            <UndoUntil job={job} />
            {job.reverted > 0 && (
              <small class="below">
                <a href={`/imports/${job.jobId}`}>{counts.reverted(job.reverted)}</a>
              </small>
            )}
          </>
        )
    ),
    ...(sources.length > 1
      ? [
        column("source", words.importSources.source, { width: 112, isWide: true })
          .cell<ImportSummary>(({ source }) =>
            sources.find(({ id }) => id === source)?.name ?? source
          ),
      ]
      : []),
    column("by", words.fields.actor, { width: 128, isWide: true }).cell(({ createdBy }) => (
      <span title={createdBy.name}>{actorText(words, { actor: createdBy })}</span>
    )),
  ];
}

function recordsOf({ count, progress }: ImportSummary): number {
  return Math.max(count, progress.processed);
}

function useCountColumns(): readonly Column<ImportSummary>[] {
  const { words: { imports: { columns, counts }, fields }, show } = useApp();
  const isCards = useMedia(NARROW);
  return [
    column("records", fields.records, { width: 96, isWide: true }).number((job) =>
      show.number(recordsOf(job))
    ),
    ...([["inserted", 60], ["updated", 80], ["skipped", 98]] as const).map(([name, width]) =>
      column(name, columns[name], { width, isWide: true }).number<ImportSummary>((job) =>
        job.status === "failed" ? "–" : show.number(job.stats[name])
      )
    ),
    column("errors", columns.errors, { width: 92, narrowWidth: 92 }).number((job) => (
      <>
        <span class={job.stats.errors > 0 ? "loss" : undefined}>
          {show.number(job.stats.errors)}
        </span>
        {isCards && ` ${counts.ofRecords(recordsOf(job))}`}
      </>
    )),
  ];
}
