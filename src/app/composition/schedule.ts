/** All cron entries of the service, one line each. Times are UTC. */

import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { beginPlannedPulls } from "../../imports/jobs/pull_kind.ts";
import { addTrendJobs } from "../../market/trends/trend_job.ts";
import { roomLog } from "../../platform/log.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { LoanEnded, StoreLoan } from "../../platform/store/store_loan.ts";
import { BRAKES, HOLDS, LAPSES, queueEnded } from "../../rules/evaluation/queue_ended.ts";
import { queueScheduledRules } from "../../rules/evaluation/queue_scheduled_rules.ts";
import { queueStandings } from "../../rules/evaluation/standing_job.ts";
import { queueStaleProducts } from "../../rules/evaluation/queue_stale_products.ts";
import { createRuleCache } from "../../rules/rule_store.ts";
import { expireProposals } from "../../rules/proposals/close_proposals.ts";
import { beginDueDiscoveries } from "../../scraping/discovery/discovery_job.ts";
import { enqueueDue } from "../../scraping/runs/run_kind.ts";
import { addMaintenanceJobs, addRetentionJob } from "./retention.ts";

interface ScheduleSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  /** Minimum time between the starts of two requests to a shop. */
  readonly delayMs: number;
}

/** Scheduled work; running a slot twice equals running it once. */
interface CronEntry {
  readonly name: string;
  readonly cron: string;
  /** Returns the last planned time that is not after `now`. */
  slotOf(now: Date): Date;
  run(slot: Date): Promise<unknown>;
}

export function cronEntries(setup: ScheduleSetup): CronEntry[] {
  const ruleCache = createRuleCache();
  return [
    { ...everyMinute("due products"), run: () => enqueueDue(setup) },
    {
      ...everyMinute("expired proposals"),
      run: () => expireProposals(setup.store, setup.clock),
    },
    {
      ...everyMinute("left uploads"),
      run: () => sweepBlobs(setup.store, setup.clock.now()),
    },
    { ...everyMinute("planned pulls"), run: () => beginPlannedPulls(setup) },
    { ...everyMinute("ended holds"), run: () => queueEnded(setup, HOLDS) },
    { ...everyMinute("opened brakes"), run: () => queueEnded(setup, BRAKES) },
    { ...everyMinute("lapsed reasons"), run: () => queueEnded(setup, LAPSES) },
    {
      ...everyMinute("scheduled rules"),
      run: () => queueScheduledRules({ ...setup, ruleCache }),
    },
    { ...everyMinute("owners of prices"), run: (slot) => queueStandings(setup, slot) },
    {
      ...everyQuarter("stale products"),
      run: (slot) => queueStaleProducts({ ...setup, ruleCache }, slot),
    },
    { ...everyQuarter("discovery"), run: () => beginDueDiscoveries(setup) },
    { ...everyZone("market trends"), run: (slot) => addTrendJobs(setup, slot) },
    { ...daily("retention", 1, 10), run: (slot) => addRetentionJob(setup, slot) },
    { ...daily("maintenance", 1, 40), run: (slot) => addMaintenanceJobs(setup, slot) },
  ];
}

function everyMinute(name: string) {
  return { name, cron: "* * * * *", slotOf: (now: Date) => lastSlot(now, MINUTE_MS, 0) };
}

function everyQuarter(name: string) {
  const slotOf = (now: Date) => lastSlot(now, 15 * MINUTE_MS, 0);
  return { name, cron: "*/15 * * * *", slotOf };
}

/**
 * An entry at ten minutes to every full hour of all time zones, which differ by quarters of an
 * hour.
 */
function everyZone(name: string) {
  const slotOf = (now: Date) => lastSlot(now, 15 * MINUTE_MS, 5 * MINUTE_MS);
  return { name, cron: "5,20,35,50 * * * *", slotOf };
}

function daily(name: string, hour: number, minute: number) {
  const offsetMs = (hour * 60 + minute) * MINUTE_MS;
  const cron = `${minute} ${hour} * * *`;
  return { name, cron, slotOf: (now: Date) => lastSlot(now, DAY_MS, offsetMs) };
}

function lastSlot(now: Date, everyMs: number, offsetMs: number): Date {
  return new Date(Math.floor((now.getTime() - offsetMs) / everyMs) * everyMs + offsetMs);
}

const log = roomLog("schedule");

/** Runs an entry. If it fails, it runs again at its next time; nothing else waits for it. */
export async function runEntry({ name, slotOf, run }: CronEntry, now: Date): Promise<void> {
  try {
    await run(slotOf(now));
  } catch (error) {
    // Work that was interrupted by a stop runs at the next start.
    if (!(error instanceof LoanEnded)) log.error("cron entry failed", { name, error });
  }
}

/** The running schedule of a process. */
export interface Schedule {
  /** Starts no further entries; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Registers every entry with the runtime, and immediately runs entries that were missed while no
 * process ran, only for the last slot.
 */
export function startSchedule(setup: ScheduleSetup): Schedule {
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const loan = new StoreLoan(setup.store);
  const begin = (entry: CronEntry) => {
    const running = runEntry(entry, setup.clock.now()).finally(() => inFlight.delete(running));
    inFlight.add(running);
    return running;
  };
  for (const entry of cronEntries({ ...setup, store: loan.store })) {
    const ended = Deno.cron(
      entry.name,
      entry.cron,
      { signal: stopping.signal },
      () => begin(entry),
    );
    ended.catch((error: unknown) => log.warning("cron entry ended", { name: entry.name, error }));
    begin(entry);
  }
  return {
    async stop() {
      stopping.abort();
      const done = Promise.all(inFlight);
      await loan.endBehind(done);
      await done;
    },
  };
}
