/** Declares and starts all scheduled work of the service. The times of day are in UTC. */
import { sealAuditRows } from "../../accounts/audit/seal_audit.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { beginPlannedPulls } from "../../imports/jobs/pull_kind.ts";
import { addTrendJobs } from "../../market/trends/trend_job.ts";
import { roomLog } from "../../platform/log.ts";
import type { MinuteCron } from "../../platform/minute_cron.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { queueEnded } from "../../rules/evaluation/rule_state_store.ts";
import { queueScheduledRules, queueStaleProducts } from "../../rules/evaluation/rejudge_job.ts";
import { queueStandings } from "../../rules/evaluation/standing_job.ts";
import { createRuleCache } from "../../rules/rule.ts";
import { expireProposals } from "../../rules/undo_decisions.ts";
import { beginDueDiscoveries } from "../../scraping/discovery/discovery_job.ts";
import { enqueueDue } from "../../scraping/runs/scrape_runs.ts";
import { addMaintenanceJobs, addRetentionJob } from "./retention.ts";
import { mailQueue } from "../../messages/alerts/mail_store.ts";
import { dueQueue } from "../../messages/webhooks/delivery_store.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { hasJobDue } from "../../platform/jobs/job_store.ts";
import { hasRowDue, type RowQueue } from "../../platform/store/row_queue_store.ts";
import { setTimeout as pause } from "node:timers/promises";

interface ScheduleSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  /** The shortest time between the starts of two requests to a shop. */
  readonly delayMs: number;
}

/** `slot` is the planned time of a run. A second run for the same `slot` must change nothing. */
interface CronEntry {
  readonly name: string;
  readonly everyMs: number;
  slotOf(now: Date): Date;
  run(slot: Date): Promise<unknown>;
}

export function cronEntries(setup: ScheduleSetup, stopping?: AbortSignal): CronEntry[] {
  const ruleCache = createRuleCache();
  return [
    { ...everyMinute("due products"), run: () => enqueueDue(setup) },
    { ...everyMinute("expired proposals"), run: () => expireProposals(setup.store, setup.clock) },
    { ...everyMinute("left uploads"), run: () => sweepBlobs(setup.store, setup.clock.now()) },
    { ...everyMinute("audit seals"), run: () => sealAuditRows(setup) },
    { ...everyMinute("planned pulls"), run: () => beginPlannedPulls(setup) },
    { ...everyMinute("ended holds, brakes and lapses"), run: () => queueEnded(setup) },
    { ...everyMinute("scheduled rules"), run: () => queueScheduledRules({ ...setup, ruleCache }) },
    { ...everyMinute("owners of prices"), run: (slot) => queueStandings(setup, slot) },
    {
      ...everyQuarter("stale products"),
      run: (slot) => queueStaleProducts({ ...setup, ruleCache, stopping }, slot),
    },
    { ...everyQuarter("discovery"), run: () => beginDueDiscoveries(setup) },
    { ...everyZone("market trends"), run: (slot) => addTrendJobs(setup, slot) },
    { ...daily("retention", 1, 10), run: (slot) => addRetentionJob(setup, slot) },
    { ...daily("maintenance", 1, 40), run: (slot) => addMaintenanceJobs(setup, slot) },
  ];
}

const everyMinute = (name: string) => periodic(name, MINUTE_MS, 0);

const everyQuarter = (name: string) => periodic(name, 15 * MINUTE_MS, 0);

const everyZone = (name: string) => periodic(name, 15 * MINUTE_MS, 5 * MINUTE_MS);

const daily = (name: string, hour: number, minute: number) =>
  periodic(name, DAY_MS, (hour * 60 + minute) * MINUTE_MS);

function periodic(name: string, everyMs: number, offsetMs: number) {
  const slotOf = (now: Date) =>
    new Date(Math.floor((now.getTime() - offsetMs) / everyMs) * everyMs + offsetMs);
  return { name, everyMs, slotOf };
}

const log = roomLog("schedule");

export async function runEntry({ name, slotOf, run }: CronEntry, now: Date): Promise<void> {
  try {
    await run(slotOf(now));
  } catch (error) {
    log.error("cron entry failed", { name, error });
  }
}

interface ScheduleStart extends ScheduleSetup {
  readonly cron: MinuteCron;
  /** True on platforms that stop a process that gets no requests (see `stayWhileDue`). */
  readonly staysWhileDue: boolean;
}

/** An entry whose run was missed runs once, for its last planned time. */
export function startSchedule({ cron, staysWhileDue, ...setup }: ScheduleStart) {
  const stopping = new AbortController();
  const beginDue = dueEntryRunner(cronEntries(setup, stopping.signal));
  let running: Promise<unknown> = Promise.resolve();
  const track = <T>(work: Promise<T>) => {
    running = Promise.all([running, work]);
    return work;
  };
  const begin = () => track(beginDue(setup.clock.now()));
  cron.attach(async () => {
    const begun = begin();
    if (staysWhileDue) await track(begun.then(() => stayWhileDue(setup, stopping.signal)));
  });
  begin();
  return {
    async stop() {
      stopping.abort();
      cron.stop();
      await running;
    },
  };
}

/**
 * The returned function starts the due entries. An entry with an interval of a minute is due at
 * each call. Any other entry is due once for each planned time.
 */
function dueEntryRunner(entries: readonly CronEntry[]): (now: Date) => Promise<unknown> {
  const running = new Map<string, Promise<void>>();
  const lastSlots = new Map<string, number>();
  return (now) => {
    for (const entry of entries) {
      const { name, everyMs, slotOf } = entry;
      const slotMs = slotOf(now).getTime();
      const isDue = everyMs === MINUTE_MS || lastSlots.get(name) !== slotMs;
      if (!isDue || running.has(name)) continue;
      lastSlots.set(name, slotMs);
      running.set(name, runEntry(entry, now).finally(() => running.delete(name)));
    }
    return Promise.all(running.values());
  };
}

/** Maximum duration of `stayWhileDue`, because a cron call must end within a minute. */
const STAY_MS = 50_000;
const POLL_MS = 500;

/** Resolves when no work is due within a minute, after `STAY_MS`, or when `stopping` is aborted. */
export async function stayWhileDue(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
  stopping: AbortSignal,
): Promise<void> {
  const endMs = performance.now() + STAY_MS;
  try {
    while (performance.now() < endMs) {
      if (!await hasWorkDue(store, clock.now().getTime() + MINUTE_MS)) return;
      await pause(POLL_MS, undefined, { signal: stopping });
    }
  } catch (error) {
    if (!stopping.aborted) log.warning("the search for due work failed", { error });
  }
}

export async function hasWorkDue(store: Store, untilMs: number): Promise<boolean> {
  const isDue = <T>(queue: RowQueue<T>) => hasRowDue(queue, store, untilMs);
  return await hasJobDue(store, untilMs) || await isDue(outboxQueue) || await isDue(dirtyQueue) ||
    await isDue(dueQueue) || await isDue(mailQueue);
}
