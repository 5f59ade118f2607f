/**
 * How a process stays for due work. Deno Deploy stops one that answers no request, and a cron
 * entry's call counts as one, so that call lasts until nothing is due before the next.
 */

import { MINUTE_MS } from "../../base/time.ts";
import { mailQueue } from "../../messages/alerts/mail_store.ts";
import { dueQueue } from "../../messages/webhooks/webhook_store.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { hasJobDue } from "../../platform/jobs/job_store.ts";
import { roomLog } from "../../platform/log.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { hasRowDue, type RowQueue } from "../../platform/store/row_queue_store.ts";
import { setTimeout as pause } from "node:timers/promises";

/** The next call comes after a minute; the time between them is for looking and answering. */
const STAY_MS = 50_000;
const LOOK_MS = 500;

const log = roomLog("schedule");

/** Resolves when nothing is due within a minute, after 50 s, or when the process stops. */
export async function stayWhileDue(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
  stopping: AbortSignal,
): Promise<void> {
  const endMs = performance.now() + STAY_MS;
  try {
    while (performance.now() < endMs) {
      if (!await hasWorkDue(store, clock.now().getTime() + MINUTE_MS)) return;
      await pause(LOOK_MS, undefined, { signal: stopping });
    }
  } catch (error) {
    // The next minute looks again. A stop ends the pause or the store's loan.
    if (!stopping.aborted) log.warning("due work could not be looked for", { error });
  }
}

/** True if a job is running or due before `untilMs`, or a row waits to be passed on or sent. */
export async function hasWorkDue(store: Store, untilMs: number): Promise<boolean> {
  const isDue = <T>(queue: RowQueue<T>) => hasRowDue(queue, store, untilMs);
  return await hasJobDue(store, untilMs) || await isDue(outboxQueue) || await isDue(dirtyQueue) ||
    await isDue(dueQueue) || await isDue(mailQueue);
}
