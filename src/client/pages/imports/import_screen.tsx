/**
 * The screen of one import, from its progress to its report and its undo. While the import runs,
 * its document is read again at short intervals. A manager can apply a file that the service has
 * kept, and leave out some of its products.
 */
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import {
  DocumentPending,
  Figure,
  Figures,
  PageHead,
  Progress,
  Section,
} from "../../parts/page.tsx";
import { isHoldCode } from "../../../imports/choices.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { FileNotes, ImportState, isHeld, JobError } from "../../parts/import/import_state.tsx";
import {
  ImportApply,
  ImportEffects,
  ImportSteps,
  UndoAction,
  UndoFigures,
  UndoneNote,
} from "./import_apply.tsx";
import { HeldNote, ImportImpact, pickColumn } from "./import_changes.tsx";
import { ImportReport } from "./import_report.tsx";
import { useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { byPath, get } from "../../api/call.ts";
import { ActionButton } from "../../parts/action_button.tsx";
import { useProfiles } from "../../parts/import/use_file_preview.ts";

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
  const { words } = useApp();
  const isOtherwise = job.error !== null && !isHoldCode(job.error.code);
  return (
    <>
      {job.hold?.held && !isOtherwise
        ? <HeldNote hold={job.hold} isDryRun={job.dryRun} />
        : job.error && <JobError error={job.error} />}
      {job.undoes === null && (
        <FileNotes
          findings={job.warnings}
          remedy={() => <a class="button" href="/imports/new">{words.mapping.title}</a>}
        />
      )}
      {job.dryRun && job.status === "succeeded" && (
        <p class="note info">
          {job.undoes === null ? words.imports.job.wouldBe : words.imports.job.undo.wouldBe}
          {job.pausesSource && ` ${words.imports.job.undo.comesAgain}`}
        </p>
      )}
      {job.appliedFrom !== null && <AppliedNote job={job} />}
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

function AppliedNote({ job: { excluded, reason } }: { job: ImportDocument }) {
  const texts = useApp().words.imports.job;
  if (excluded === 0 && reason === null) return null;
  return (
    <p class="note info">
      {excluded > 0 && texts.excluded(excluded)} {reason !== null && texts.because(reason)}
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

function JobStats({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { stats: names } }, fields, imports }, show } = useApp();
  const { stats } = job;
  const impact = job.impact && job.impact.priceChanges > 0 && <ImportImpact impact={job.impact} />;
  if (isHeld(job)) return impact && <Figures>{impact}</Figures>;
  return (
    <Figures>
      <Figure label={fields.inserted} value={show.number(stats.inserted)} />
      <Figure label={fields.updated} value={show.number(stats.updated)} />
      <Figure label={fields.skipped} value={show.number(stats.skipped)} />
      <Figure
        label={imports.columns.errors}
        value={show.number(stats.errors)}
        tone={stats.errors > 0 && "bad"}
      />
      {impact}
      {stats.competitorsLinked > 0 && (
        <Figure label={fields.competitorsLinked} value={show.number(stats.competitorsLinked)} />
      )}
      {job.removed > 0 && (
        <Figure label={names.removed} value={show.number(job.removed)} tone="warn" />
      )}
      {job.reverted > 0 && (
        <Figure
          label={names.reverted}
          value={<a href="#corrected">{show.number(job.reverted)}</a>}
          tone="warn"
        />
      )}
      {job.soldDays > 0 && <Figure label={fields.soldDays} value={show.number(job.soldDays)} />}
    </Figures>
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

type File = ImportDocument["files"][number];

function ImportFiles({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { file } }, fields }, show } = useApp();
  const profiles = useProfiles().rows;
  if (job.files.length === 0) return null;
  return (
    <Section title={fields.files}>
      <SimpleTable
        label={fields.files}
        rows={job.files}
        columns={[
          column("name", fields.name, 220).cell<File>(({ name }) => name),
          column("items", fields.records, 110).number<File>(({ items }) => show.number(items)),
          column("bytes", file.bytes, 100).number<File>(({ bytes }) => show.bytes(bytes)),
          column("encoding", file.encoding, 130).cell<File>(({ encoding }) =>
            encoding.toUpperCase()
          ),
          column("profile", file.profile, 200).cell<File>(({ profile }) =>
            profiles.find(({ id }) => id === profile)?.name ?? profile
          ),
        ]}
      />
    </Section>
  );
}
