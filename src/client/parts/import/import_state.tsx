/**
 * The state of an import in words and colours, and notes about its file. A guard is a limit, such
 * as for price changes, that stops an import.
 */
import type { ComponentChildren } from "preact";
import { isHoldCode, KEPT_HOURS } from "../../../imports/choices.ts";
import type { ImportDocument, ImportSummary } from "../../../imports/jobs/import_document.ts";
import { type Speaker, useApp, useDocument } from "../../app/app.ts";
import { daysBetween, momentText, shortDay } from "../../formats/day.ts";
import { labelIn } from "../../words/label.ts";
import type { Words } from "../../words/words.ts";
import { Badge, JOB_TONES } from "../controls.tsx";
import type { Finding } from "../../../imports/files/source_file.ts";
import { byPath, get } from "../../api/call.ts";

export interface FileEnd {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly hasErrors: boolean;
  readonly dryRun?: boolean;
}

export function importStateText({ codes, imports }: Words, end: FileEnd): string {
  if (end.status === "succeeded" && !end.dryRun) return imports.applied;
  if (isPartly(end)) return imports.withErrors;
  return isHeld(end) ? codes.importHolds.held : labelIn(codes.jobStates, end.status);
}

function isPartly({ status, hasErrors }: FileEnd): boolean {
  return status === "succeeded" && hasErrors;
}

export function isHeld({ status, error }: Pick<FileEnd, "status" | "error">): boolean {
  return status === "failed" && isHoldCode(error?.code);
}

export function ImportState({ job }: { job: ImportSummary }) {
  const { words } = useApp();
  const isMostlyRefused = isPartly(job) && 2 * job.stats.errors > job.count;
  return (
    <>
      <Badge tone={isHeld(job) || isMostlyRefused ? "warn" : JOB_TONES[job.status]}>
        {importStateText(words, job)}
      </Badge>
      {job.dryRun && <Badge>{words.fields.dryRun}</Badge>}
      {job.mode !== "upsert" && job.undoes === null && (
        <Badge>{words.codes.importModes[job.mode]}</Badge>
      )}
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

type Hold = NonNullable<ImportDocument["hold"]>;

/** Undefined while loading; null if no guard has stopped the import or `jobId` is null. */
export function useHeldImport(jobId: string | null) {
  const app = useApp();
  const { data, isPending } = useDocument(
    jobId === null ? null : get("/api/imports/{jobId}", byPath({ jobId })),
  );
  if (jobId !== null && isPending) return undefined;
  return data ? heldTexts(app, data) : null;
}

type Ended = Pick<ImportDocument, "hold" | "finishedAt" | "keepsUpload">;

export function heldTexts(app: Speaker, { hold, finishedAt, keepsUpload }: Ended) {
  if (!hold?.held || finishedAt === null) return null;
  const endMs = Date.parse(finishedAt) + KEPT_HOURS * 3_600_000;
  const isOfCompared = hold.guards.find(({ binds }) => binds)?.of === hold.products;
  return {
    why: reasonsOf(app, hold).map(({ text }) => text).join("; "),
    compared: isOfCompared ? hold.products : null,
    until: keepsUpload ? deadlineText(app, new Date(endMs).toISOString(), Date.now()) : null,
  };
}

export function deadlineText({ words, show }: Speaker, end: string, nowMs: number): string {
  const text = momentText(show, end, nowMs);
  const isToday = daysBetween(end, nowMs, show.timeZone) === 0;
  return isToday ? words.imports.job.hold.today(text) : text;
}

export function reasonsOf({ words, show }: Speaker, hold: Hold) {
  const texts = words.imports.job.hold.short;
  const { guards } = words.importSources;
  const { causes, products, movePct } = hold;
  const binding = hold.guards.filter(({ binds }) => binds);
  const hasUnit = binding.some(({ code }) => code === "unit_guard");
  // A source has one guard each for prices, costs and currencies; the workspace has one for all.
  const isOfSource = hold.guards.some(({ code }) => code === "cost_guard");
  const ofWorkspace = () =>
    (["price", "cost", "currency"] as const)
      .filter((cause) => causes[cause] > 0 && !(cause === "price" && hasUnit))
      .map((cause) =>
        cause === "currency"
          ? guards.currency_guard(causes[cause], products)
          : texts[cause](causes[cause], products, show.percent(movePct))
      ).join("; ");
  return binding.map((guard) => {
    const { code, count, of } = guard;
    const isOwn = isOfSource || code !== "price_guard";
    return { ...guard, text: isOwn ? guards[code](count, of) : ofWorkspace() };
  }).filter(({ text }) => text !== "");
}
