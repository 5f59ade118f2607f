import { isHoldCode } from "../../../imports/files/hold_codes.ts";
import type { ImportSummary } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../badge.tsx";

const TONES: Readonly<Record<ImportSummary["status"], Tone>> = {
  queued: "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

/** True when a guard has ended the import before anything was applied. */
export function isHeld({ status, error }: Pick<ImportSummary, "status" | "error">): boolean {
  return status === "failed" && isHoldCode(error?.code);
}

/** True until nothing moves any more. */
export function isUnderWay({ status }: Pick<ImportSummary, "status">): boolean {
  return status === "queued" || status === "running";
}

export function ImportState({ job }: { job: ImportSummary }) {
  const { words } = useApp();
  const { states, held, withErrors, dryRun, modeNames } = words.imports;
  const isPartly = job.status === "succeeded" && job.hasErrors;
  return (
    <>
      <Badge tone={isPartly ? "warn" : TONES[job.status]}>
        {isHeld(job) ? held : states[job.status]}
        {isPartly && ` ${withErrors}`}
      </Badge>
      {job.dryRun && <Badge>{dryRun}</Badge>}
      {job.mode !== "upsert" && job.undoes === null && <Badge>{modeNames[job.mode]}</Badge>}
    </>
  );
}
