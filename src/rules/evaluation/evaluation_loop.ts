import { type TouchedProducts, touchedQueue } from "../../platform/events/outbox_store.ts";
import { type LoopSetup, WorkLoop } from "../../platform/jobs/work_loop.ts";
import type { roomLog } from "../../platform/log.ts";
import { transact } from "../../platform/store/kv.ts";
import { walkDue, WalkTurns } from "../../platform/store/row_queue_store.ts";
import { LoanEnded } from "../../platform/store/store_loan.ts";
import { BacklogSieve } from "./evaluate_backlog.ts";
import { evaluateTouched, type EvaluationSetup, type TouchedRow } from "./evaluate_touched.ts";

/** A product that cannot be judged waits, and lets those behind it pass. */
const REST_MS_MAX = 10 * 60_000;
const REST_MS = 5_000;

/** Settings of the evaluation loop. */
export interface EvaluationRounds extends EvaluationSetup {
  readonly log: ReturnType<typeof roomLog>;
  readonly turns: WalkTurns;
}

/**
 * Judges whatever waits, workspaces taking turns of one row, however much one of them has. Several
 * processes may do so at once.
 */
export async function evaluateDue(setup: EvaluationRounds, stopping?: AbortSignal): Promise<void> {
  const { store, clockwork, turns, log } = setup;
  // Touched products do not rest before they have failed: they are due whatever the clock says.
  const restMsMax = ({ failures }: TouchedProducts) => failures === undefined ? 0 : REST_MS_MAX;
  const walk = { store, turns, now: () => clockwork.now(), restMsMax };
  const sieve = new BacklogSieve(setup);
  for await (const row of walkDue(touchedQueue, walk)) {
    if (stopping?.aborted) return;
    try {
      await evaluateTouched(setup, row, await sieve.busyOf(row));
    } catch (error) {
      if (error instanceof LoanEnded) throw error;
      log.error("products could not be judged", {
        workspaceId: row.lane[0],
        rowId: row.id,
        error,
      });
      await setAside(setup, row);
    }
  }
}

/**
 * The products of a row whose judging broke off go apart, so that one of them keeps no other; one
 * that breaks off alone is tried again later.
 */
async function setAside({ store, clockwork }: EvaluationSetup, row: TouchedRow): Promise<void> {
  await transact({ store }, async (write) => {
    const found = await touchedQueue.findAgain(store, row);
    if (!found) return;
    const { lane, dueMs, value } = found;
    const left = value.productIds.slice(value.from);
    if (left.length <= 1) {
      const failures = (value.failures ?? 0) + 1;
      const restMs = Math.min(REST_MS_MAX, REST_MS * 2 ** failures);
      const laterMs = clockwork.now().getTime() + restMs;
      return touchedQueue.move(write, found, laterMs, { ...value, failures });
    }
    touchedQueue.take(write, found);
    for (const id of left) {
      const alone = { ...value, productIds: [id], from: 0 };
      touchedQueue.add(write, { lane, id: clockwork.newId(), dueMs, value: alone });
    }
  });
}

/** The loop of a process. */
export function createEvaluationLoop(
  setup: Omit<EvaluationRounds, "turns"> & Pick<LoopSetup, "sweepMs" | "breathMs">,
): WorkLoop {
  const turns = new WalkTurns();
  return new WorkLoop({
    name: "evaluation",
    sweepMs: setup.sweepMs,
    breathMs: setup.breathMs,
    log: setup.log,
    async round(stopping) {
      await evaluateDue({ ...setup, turns }, stopping);
      return null;
    },
  });
}
