/** The state of an import in words and colours, and notes about its file. */
import type { ComponentChildren } from "preact";
import { isHoldCode } from "../../../imports/choices.ts";
import type { ImportSummary } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { shortDay } from "../../formats/day.ts";
import { labelIn } from "../../words/label.ts";
import type { Words } from "../../words/words.ts";
import { Badge, JOB_TONES } from "../controls.tsx";
import type { Finding } from "../../../imports/files/source_file.ts";

export interface FileEnd {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly hasErrors: boolean;
  readonly dryRun?: boolean;
}

export function importStateText({ imports }: Words, end: FileEnd): string {
  if (end.status === "succeeded" && !end.dryRun) return imports.applied;
  if (isPartly(end)) return imports.withErrors;
  return isHeld(end) ? imports.held : labelIn(imports.states, end.status);
}

function isPartly({ status, hasErrors }: FileEnd): boolean {
  return status === "succeeded" && hasErrors;
}

export function isHeld({ status, error }: Pick<FileEnd, "status" | "error">): boolean {
  return status === "failed" && isHoldCode(error?.code);
}

export function ImportState({ job }: { job: ImportSummary }) {
  const { words } = useApp();
  const { modeNames } = words.imports;
  const isMostlyRefused = isPartly(job) && 2 * job.stats.errors > job.count;
  return (
    <>
      <Badge tone={isHeld(job) || isMostlyRefused ? "warn" : JOB_TONES[job.status]}>
        {importStateText(words, job)}
      </Badge>
      {job.dryRun && <Badge>{words.fields.dryRun}</Badge>}
      {job.mode !== "upsert" && job.undoes === null && <Badge>{modeNames[job.mode]}</Badge>}
    </>
  );
}

interface UndoUntilProps {
  readonly job: Pick<ImportSummary, "jobId" | "undoneBy" | "undoableUntil">;
  readonly text?: string;
}

export function UndoUntil({ job, text }: UndoUntilProps) {
  const { words: { imports: { job: { undo: texts } } }, show } = useApp();
  const { undoneBy, undoableUntil, jobId } = job;
  if (undoneBy !== null) return <a href={`/imports/${undoneBy}`}>{texts.badge}</a>;
  if (undoableUntil === null) return null;
  const until = texts.until(shortDay(show, undoableUntil));
  return <a href={`/imports/${jobId}`} title={until}>{text ?? until}</a>;
}

interface FindingTextProps {
  readonly finding: Pick<Finding, "code" | "message" | "severity">;
}

export function FindingText({ finding: { code, message, severity } }: FindingTextProps) {
  const { words: { fields: { errors, warnings }, service } } = useApp();
  return (
    <>
      {service.findings[code] ?? message}{" "}
      <Badge tone={severity === "error" ? "bad" : "warn"}>
        {severity === "error" ? errors : warnings}
      </Badge>
    </>
  );
}

export function JobError({ error: { code, message } }: {
  error: { readonly code: string; readonly message: string };
}) {
  const { words } = useApp();
  return (
    <div class="note bad" role="alert">
      <strong>{words.service.findings[code] ?? message}</strong>
    </div>
  );
}

export const ABOUT_COLUMNS: readonly string[] = [
  "no_price_column",
  "columns_ignored",
  "duplicate_header",
];

interface FileNotesProps {
  readonly findings: readonly Finding[];
  remedy(code: Finding["code"]): ComponentChildren;
}

export function FileNotes({ findings, remedy }: FileNotesProps) {
  const { words } = useApp();
  const shown = findings.filter(({ code }) => ABOUT_COLUMNS.includes(code));
  if (shown.length === 0) return null;
  const named = (text: string | null) => text?.split(", ").map(words.auditLog.quote).join(", ");
  return (
    <>
      {shown.map(({ code, file, field, message, value }) => (
        <div
          key={`${code} ${file} ${field}`}
          class={code === "no_price_column" ? "note bad" : "note warn"}
        >
          <strong>{words.service.findings[code] ?? message}</strong>
          {(value ?? field) !== null && <p>{named(value ?? field)}</p>}
          {remedy(code)}
        </div>
      ))}
    </>
  );
}
