import type { Run } from "../../../scraping/runs/run.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../badge.tsx";
import { Progress } from "../progress.tsx";

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

/** How far a run is, or that it waits for its turn. */
export function RunProgress({ run }: { run: Run }) {
  const { words, show } = useApp();
  const texts = words.runs;
  const { targets, ok, failed, skipped } = run.counts;
  if (run.status === "queued" || targets === 0) {
    return <Progress done={0} total={null} label={texts.waiting} />;
  }
  const done = ok + failed + skipped;
  return (
    <Progress
      done={done}
      total={targets}
      label={texts.progress(show.number(done), show.number(targets))}
    />
  );
}
