import type { roomLog } from "../platform/log.ts";
import { walkDue } from "../platform/row_queue_store.ts";
import { createWorkLoop, type WorkLoop } from "../platform/work_loop.ts";
import { touchedQueue } from "../events/news_store.ts";
import { evaluateBacklog } from "./evaluate_backlog.ts";
import { evaluateTouched, type EvaluationSetup } from "./evaluate_touched.ts";

/** Judges whatever waits, workspaces taking turns. Several processes may do so at once. */
export async function evaluateDue(
  setup: EvaluationSetup & { readonly log: ReturnType<typeof roomLog> },
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clockwork, log } = setup;
  // Touched products never rest: they are due whatever the clock says.
  const walk = { store, now: () => clockwork.now(), restMsMax: () => 0 };
  for await (const row of walkDue(touchedQueue, walk)) {
    if (stopping?.aborted) return;
    try {
      if (!(await evaluateBacklog(setup, row, stopping))) await evaluateTouched(setup, row);
    } catch (error) {
      // The row stays, and is tried again in the next round; what is behind it waits no longer.
      log.error("products could not be judged", {
        workspaceId: row.lane[0],
        rowId: row.id,
        error,
      });
    }
  }
}

/** The loop of a process. */
export function createEvaluationLoop(
  setup: EvaluationSetup & {
    readonly log: ReturnType<typeof roomLog>;
    readonly sweepMs: number;
  },
): WorkLoop {
  return createWorkLoop({
    name: "evaluation",
    sweepMs: setup.sweepMs,
    log: setup.log,
    async round(stopping) {
      await evaluateDue(setup, stopping);
      return null;
    },
  });
}
