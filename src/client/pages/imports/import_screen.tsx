import { useQueryClient } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Figure, Figures } from "../../parts/figures.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading, Progress } from "../../parts/progress.tsx";
import { ImportActions } from "./import_actions.tsx";
import { ImportChanges } from "./import_changes.tsx";
import { ImportFindings } from "./import_findings.tsx";
import { JobError } from "../../parts/import/finding_text.tsx";
import { HeldNote, HeldSamples } from "./import_held.tsx";
import { ImportFiles } from "./import_files.tsx";
import { importName, ImportState, isUnderWay } from "../../parts/import/import_state.tsx";

const WATCH_MS = 800;

/** One import: how far it is, what it did or would do, what was wrong and where. */
export function ImportScreen() {
  const { params: { jobId = "" } } = useRoute();
  const { words } = useApp();
  const client = useQueryClient();
  const found = useDocument<ImportDocument>({
    key: ["imports", jobId],
    path: `/api/imports/${encodeURIComponent(jobId)}`,
    everyMs: (job) => job && isUnderWay(job) ? WATCH_MS : false,
  });
  const job = found.data;
  const isDone = job !== undefined && !isUnderWay(job);
  useEffect(() => {
    if (!isDone) return;
    for (const area of ["products", "competitors", "matches"]) {
      void client.invalidateQueries({ queryKey: [area] });
    }
  }, [isDone]);
  const back = { href: "/imports", text: words.imports.title };
  if (job === undefined) {
    return (
      <>
        <PageHead title={words.imports.title} back={back} />
        {found.error
          ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
          : <Loading label={words.loading} />}
      </>
    );
  }
  return (
    <div class="page">
      <PageHead
        title={words.imports.job.title(importName(job))}
        beside={<ImportState job={job} />}
        back={back}
      >
        <ImportActions job={job} />
      </PageHead>
      <JobNotes job={job} />
      {isUnderWay(job) ? <JobProgress job={job} /> : <JobStats job={job} />}
      {job.hold?.held && job.hold.samples.length > 0 && <HeldSamples hold={job.hold} />}
      <ImportChanges job={job} />
      <ImportFindings job={job} />
      <ImportFiles job={job} />
    </div>
  );
}

function JobNotes({ job }: { job: ImportDocument }) {
  const { words } = useApp();
  const isOtherwise = job.error !== null && job.error.code !== "price_guard";
  return (
    <>
      {job.hold?.held && !isOtherwise
        ? <HeldNote hold={job.hold} isDryRun={job.dryRun} />
        : job.error && <JobError error={job.error} />}
      {job.dryRun && job.status === "succeeded" && (
        <p class="note info">{words.imports.job.wouldBe}</p>
      )}
    </>
  );
}

function JobProgress({ job }: { job: ImportDocument }) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  const { processed, total } = job.progress;
  const counted = total === null
    ? texts.progressOpen(show.number(processed))
    : texts.progress(show.number(processed), show.number(total));
  return (
    <Progress done={processed} total={total} label={`${texts.phases[job.phase]}: ${counted}`} />
  );
}

function JobStats({ job }: { job: ImportDocument }) {
  const { words, show } = useApp();
  const { stats: names } = words.imports.job;
  const { stats } = job;
  return (
    <Figures>
      <Figure label={names.inserted} value={show.number(stats.inserted)} />
      <Figure label={names.updated} value={show.number(stats.updated)} />
      <Figure label={names.skipped} value={show.number(stats.skipped)} />
      <Figure
        label={names.errors}
        value={show.number(stats.errors)}
        {...(stats.errors > 0 && { tone: "bad" })}
      />
      <Figure label={names.competitorsLinked} value={show.number(stats.competitorsLinked)} />
      {job.removed > 0 && (
        <Figure label={names.removed} value={show.number(job.removed)} tone="warn" />
      )}
      {job.reverted > 0 && (
        <Figure label={names.reverted} value={show.number(job.reverted)} tone="warn" />
      )}
    </Figures>
  );
}
