/**
 * Shows the list of imports, and the page of one import from its progress to its undo. Above the
 * list, a note names each stopped import that waits for a decision.
 */
import { useLocation, useRoute } from "preact-iso";
import type { ImportDocument, ImportSummary } from "../../../imports/jobs/import_document.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { addressOf, byPath, get, where } from "../../api/call.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import { daysBetween, momentText } from "../../formats/day.ts";
import { ChoiceBar, useFilter } from "../../parts/filter.tsx";
import { DocumentPending, EmptyState, filesOf, PageHead, Progress } from "../../parts/page.tsx";
import { Icon } from "../../parts/controls.tsx";
import { optionsOf } from "../../parts/options.tsx";
import { type Column, column, NARROW } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import {
  FileNotes,
  ImportState,
  isHeld,
  JobError,
  UndoUntil,
  useHeldImport,
} from "../../parts/import/import_state.tsx";
import { PausedSources, useImportSources } from "../../parts/import/import_sources.tsx";
import { useMedia } from "../../parts/hooks.ts";
import { actorText } from "../../parts/field_text.ts";
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import { isHoldCode } from "../../../imports/choices.ts";
import {
  ImportApply,
  ImportEffects,
  ImportSteps,
  UndoAction,
  UndoFigures,
  UndoneNote,
} from "./import_apply.tsx";
import { HeldNote, pickColumn } from "./import_changes.tsx";
import { ImportFiles, ImportReport, JobStats } from "./import_report.tsx";
import { useState } from "preact/hooks";
import { ActionButton } from "../../parts/action_button.tsx";

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
      {held.map((job) => <WaitingNote key={job.jobId} job={job} />)}
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

function WaitingNote({ job }: { readonly job: ImportSummary }) {
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
    column("records", fields.records, { width: 96, isWide: true }).number((job) => recordsOf(job)),
    ...([["inserted", 60], ["updated", 80], ["skipped", 98]] as const).map(([name, width]) =>
      column(name, fields[name], { width, isWide: true }).number<ImportSummary>((job) =>
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

const WATCH_MS = 800;
const TOUCHED = ["products", "competitors", "matches", "overview"] as const;

export function ImportScreen() {
  const { params: { jobId = "" } } = useRoute();
  const { words, may } = useApp();
  const found = useJob(get("/api/imports/{jobId}", byPath({ jobId })), WATCH_MS, TOUCHED);
  const job = found.data;
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const back = { href: "/imports", text: words.imports.title };
  if (job === undefined) {
    return <DocumentPending title={words.imports.title} back={back} of={found} />;
  }
  const texts = words.imports.job;
  const canApply = job.keepsUpload && may("manager");
  const titleOf = job.undoes === null ? texts.title : texts.undo.title;
  return (
    <div class="page wide">
      <PageHead
        title={titleOf(job.label)}
        beside={
          <>
            <ImportState job={job} />
            {job.undoes === null && (job.dryRun || job.keepsUpload) && <ImportSteps now={2} />}
          </>
        }
        back={back}
      >
        <ImportActions job={job} />
      </PageHead>
      <JobNotes job={job} />
      {isUnderWay(job)
        ? <JobProgress job={job} />
        : job.undone
        ? <UndoFigures undone={job.undone} />
        : <JobStats job={job} />}
      {job.undoableUntil !== null && <ImportEffects job={job} />}
      <ImportReport
        key={job.jobId}
        job={job}
        pick={canApply ? [pickColumn(words, excluded, setExcluded)] : []}
      />
      <ImportFiles job={job} />
      {canApply && <ImportApply key={job.jobId} job={job} excluded={excluded} />}
    </div>
  );
}

function JobNotes({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: texts }, mapping }, may } = useApp();
  const { excluded, reason } = job;
  const isOtherwise = job.error !== null && !isHoldCode(job.error.code);
  return (
    <>
      {job.hold?.held && !isOtherwise
        ? <HeldNote hold={job.hold} isDryRun={job.dryRun} />
        : job.error && <JobError error={job.error} />}
      {job.undoes === null && (
        <FileNotes
          findings={job.warnings}
          remedy={() => may("manager") && <a class="button" href="/imports/new">{mapping.title}</a>}
        />
      )}
      {job.dryRun && job.status === "succeeded" && (
        <p class="note info">
          {job.undoes === null ? texts.wouldBe : texts.undo.wouldBe}
          {job.pausesSource && ` ${texts.undo.comesAgain}`}
        </p>
      )}
      {job.appliedFrom !== null && (excluded > 0 || reason !== null) && (
        <p class="note info">
          {excluded > 0 && texts.excluded(excluded)} {reason !== null && texts.because(reason)}
        </p>
      )}
      <ImportArrival arrival={job.arrival} />
      {job.status === "succeeded" && !job.dryRun && job.undoes === null && <FirstHourNote />}
      <UndoneNote job={job} />
    </>
  );
}

function FirstHourNote() {
  const { words } = useApp();
  const { data } = useDocument(get("/api/overview"));
  if (!data || data.start.hasProposal || data.start.shops > 0) return null;
  return (
    <p class="note good">
      {words.start.imported} <a class="button main" href="/">{words.start.next}</a>
    </p>
  );
}

function JobProgress({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: texts }, mapping } } = useApp();
  const { processed, total } = job.progress;
  const toTotal = job.undoes === null ? texts.progress : texts.undo.progress;
  const counted = total === null ? mapping.look.records(processed) : toTotal(processed, total);
  return (
    <Progress done={processed} total={total} label={`${texts.phases[job.phase]}: ${counted}`} />
  );
}

function ImportArrival({ arrival }: Pick<ImportDocument, "arrival">) {
  const texts = useApp().words.priceArrivals;
  if (arrival === null || arrival.expected === 0) return null;
  const { expected, arrived, missing } = arrival;
  return (
    <p class={missing > 0 ? "note warn" : "note good"}>
      {texts.ofImport(arrived, expected)}{" "}
      {missing > 0 && <a href="/imports/arrivals">{texts.notArrived(missing)}</a>}
    </p>
  );
}

function ImportActions({ job }: { readonly job: ImportDocument }) {
  const { words: { imports: { job: texts }, cancel }, may } = useApp();
  if (!may("manager")) return null;
  if (isUnderWay(job)) {
    return (
      <ActionButton
        ask={(api) => api.POST("/api/imports/{jobId}/cancel", byPath({ jobId: job.jobId }))}
        danger={{ title: texts.cancelSure, text: texts.cancelText, yes: cancel }}
      >
        {cancel}
      </ActionButton>
    );
  }
  return job.keepsUpload ? null : <UndoAction job={job} />;
}
