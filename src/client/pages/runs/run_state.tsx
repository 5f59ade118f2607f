import type { Run } from "../../../scraping/runs/run.ts";
import { useApp } from "../../frame/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";

const TONES: Readonly<Record<Run["status"], Tone>> = {
  queued: "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

/** True until nothing moves any more. */
export function isRunning({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running";
}

/** How many targets are done, however they ended. */
export function doneOf({ counts: { ok, failed, skipped } }: Pick<Run, "counts">): number {
  return ok + failed + skipped;
}

export function RunState({ run }: { run: Run }) {
  const { words } = useApp();
  const { states, withErrors } = words.runs;
  const isPartly = run.status === "succeeded" && run.hasErrors;
  return (
    <Badge tone={isPartly ? "warn" : TONES[run.status]}>
      {states[run.status]}
      {isPartly && ` ${withErrors}`}
    </Badge>
  );
}
