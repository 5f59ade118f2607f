import { byId } from "../../api/call.ts";
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import type { Run } from "../../../scraping/runs/run.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { isRunning, RunProgress } from "../../parts/run/run_state.tsx";

const WATCH_MS = 700;
/** The areas that a run may change. */
const TOUCHED = ["matches", "products", "observations", "runs", "competitors"];

interface ScrapeNow {
  /** True from the click until the run has ended, or cannot be followed any more. */
  readonly isBusy: boolean;
  /** The last run that was started here. */
  readonly run: Run | null;
  /** Why it cannot be followed; null while it can, and once it has ended. */
  readonly error: unknown;
  start(): void;
  /** Follows the run once more. */
  again(): void;
}

/** Visits the pages of a product now, and follows the run to its end. */
export function useScrapeNow(productId: string): ScrapeNow {
  const client = useQueryClient();
  const [runId, setRunId] = useState<string | null>(null);
  const starting = useChange({
    run: (call) => call((api) => api.POST("/api/products/{id}/scrape-now", byId(productId))),
    touches: ["runs"],
    onDone: (started) => setRunId(started.runId),
  });
  const found = useDocument({
    key: ["runs", runId],
    read: (api) =>
      api.GET("/api/scrape-runs/{runId}", { params: { path: { runId: runId ?? "" } } }),
    isWanted: runId !== null,
    everyMs: (run, error) => error !== null || (run && !isRunning(run)) ? false : WATCH_MS,
  });
  const run = runId === null ? null : found.data ?? null;
  const hasEnded = run !== null && !isRunning(run);
  const error = hasEnded ? null : found.error;
  useEffect(() => {
    if (!hasEnded) return;
    for (const area of TOUCHED) void client.invalidateQueries({ queryKey: [area] });
  }, [runId, hasEnded]);
  return {
    isBusy: starting.isPending || (runId !== null && !hasEnded && error === null),
    run,
    error,
    start: () => starting.mutate(undefined),
    again: () => void found.refetch(),
  };
}

export function ScrapeButton({ scrape }: { scrape: ScrapeNow }) {
  const { words } = useApp();
  return <Button icon="runs" isBusy={scrape.isBusy} onClick={scrape.start}>{words.runs.now}
  </Button>;
}

/** The progress of the run, or the reason why it is unknown; then its result. */
export function ScrapeProgress({ scrape: { run, error, again } }: { scrape: ScrapeNow }) {
  const { words, show } = useApp();
  const texts = words.runs;
  if (error !== null) return <ErrorNote error={error} onAgain={again} />;
  if (run === null) return null;
  if (isRunning(run)) return <RunProgress run={run} />;
  const { ok, targets } = run.counts;
  return (
    <p class={run.hasErrors ? "note warn" : "note info"} role="status">
      {targets === 0 ? texts.noTargets : texts.finished(show.number(ok), show.number(targets))}{" "}
      <a href={`/runs/${run.id}`}>{texts.details}</a>
    </p>
  );
}
