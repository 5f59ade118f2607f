/**
 * Declares and starts all scheduled work of the service; times of day are in UTC. Also declares how
 * long rows are kept: a nightly job deletes older rows.
 */
import { expireAuditRows, sealAuditRows } from "../../accounts/audit/seal_audit.ts";
import { countInWorkspaces, listWorkspaces } from "../../accounts/workspace.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { beginTerms, clearCopies } from "../../catalogue/changes/rewrite_products.ts";
import { findLogEnd, moveSweep, removeChanges } from "../../catalogue/products/change_log_store.ts";
import { removeImport } from "../../imports/jobs/import_kind.ts";
import { dueQueue, sweepDeliveries } from "../../messages/delivery_store.ts";
import { addJobOnce, hasJobDue, sweepJobs } from "../../platform/jobs/job_store.ts";
import {
  type Job,
  type JobKind,
  NO_WORKSPACE,
  type StepTools,
  withHeartbeat,
} from "../../platform/jobs/job.ts";
import { roomLog } from "../../platform/log.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { removeInCommits } from "../../platform/store/rows.ts";
import { removeSimulation, SIMULATION_KIND } from "../../rules/evaluation/simulation_store.ts";
import {
  CHECK_DAYS,
  KINDS_OF_CHECKS,
  removeCheckRows,
} from "../../scraping/link_checks/change_check.ts";
import { isRun, removeRunRows } from "../../scraping/runs/run_kind.ts";
import { finishDeletions } from "../../shops/change_competitor.ts";
import { addThinningJobs } from "../../shops/observations/retention_job.ts";
import type { Config } from "./config.ts";
import { type DeclaredTable, TABLES } from "../../platform/store/table.ts";
import { beginPlannedPulls } from "../../imports/jobs/pull_kind.ts";
import { addTrendJobs } from "../../market/trends/trend_job.ts";
import type { MinuteCron } from "../../platform/jobs/work_loop.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { queueEnded } from "../../rules/evaluation/rule_state_store.ts";
import { queueScheduledRules, queueStaleProducts } from "../../rules/evaluation/rejudge_job.ts";
import { queueStandings } from "../../rules/evaluation/rule_stats.ts";
import { createRuleCache } from "../../rules/rule.ts";
import { expireProposals } from "../../rules/decide_many.ts";
import { beginDueDiscoveries } from "../../scraping/discovery/discovery_job.ts";
import { enqueueDue } from "../../scraping/runs/scrape_runs.ts";
import { mailQueue } from "../../messages/alert_store.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { hasRowDue, type RowQueue } from "../../platform/store/row_queue_store.ts";
import { setTimeout as pause } from "node:timers/promises";

/** `slot` is the planned time of the nightly job; it stays the same after a crash. */
interface Night {
  readonly clock: ClockAndIds;
  readonly slot: Date;
}

interface Retention {
  readonly what: string;
  readonly days: number;
  readonly setting?: keyof Config;
  /** Returns the number of deleted rows; null if it only creates jobs that delete the rows. */
  sweep(store: Store, olderThan: Date, night: Night): Promise<number | null>;
}

type RetentionDays = Pick<
  Config,
  "OBSERVATION_RETENTION_DAYS" | "RUN_RETENTION_DAYS" | "AUDIT_RETENTION_DAYS"
>;

export function retentionTable(config: RetentionDays): readonly Retention[] {
  return [
    {
      what: "observations, except the lowest per match and day",
      days: config.OBSERVATION_RETENTION_DAYS,
      setting: "OBSERVATION_RETENTION_DAYS",
      sweep: async (store, _, { clock, slot }) => {
        await addThinningJobs({ store, clock }, slot);
        return null;
      },
    },
    {
      what: "scrape runs",
      days: config.RUN_RETENTION_DAYS,
      setting: "RUN_RETENTION_DAYS",
      sweep: jobSweep({ takes: isRun, removeRows: removeRunRows }),
    },
    {
      what: "checks of links",
      days: CHECK_DAYS,
      sweep: jobSweep({
        takes: ({ kind }) => KINDS_OF_CHECKS.has(kind),
        removeRows: removeCheckRows,
      }),
    },
    {
      what: "simulations of rules over the catalogue",
      days: 1,
      sweep: jobSweep({
        takes: ({ kind }) => kind === SIMULATION_KIND,
        removeRows: removeSimulation,
      }),
    },
    {
      what: "imports and other jobs",
      days: 400,
      sweep: jobSweep({ takes: (job) => !isRun(job), removeRows: removeImport }),
    },
    ...auditRetention(config),
    { what: "deliveries of webhooks", days: 30, sweep: sweepDeliveries },
    ...TABLES.flatMap(retentionOf),
  ];
}

const jobSweep =
  (jobs: Parameters<typeof sweepJobs>[2]): Retention["sweep"] => (store, olderThan) =>
    sweepJobs(store, olderThan, jobs);

function auditRetention({ AUDIT_RETENTION_DAYS: days }: RetentionDays): Retention[] {
  if (days === null) return [];
  return [{
    what: "audit rows (their seals stay)",
    days,
    setting: "AUDIT_RETENTION_DAYS",
    sweep: (store, olderThan, { clock }) => expireAuditRows(store, olderThan, clock.now()),
  }];
}

function retentionOf(table: DeclaredTable): Retention[] {
  const { keep } = table.options;
  if (!keep) return [];
  const { what, days } = keep;
  const sweep = (store: Store, olderThan: Date) =>
    countInWorkspaces(store, what, (workspace) => table.sweep(workspace, olderThan));
  return [{ what, days, sweep }];
}

const nightLog = roomLog("retention");

type RetentionJob = Job<Record<string, never>, { readonly line: number }, Record<never, never>>;

export function createRetentionKind(
  clock: ClockAndIds,
  config: RetentionDays,
): JobKind<RetentionJob> {
  const table = retentionTable(config);
  return {
    kind: "retention",
    step: (job, tools) =>
      withHeartbeat(tools, async () => {
        const line = job.cursor?.line ?? 0;
        const entry = table[line];
        if (entry === undefined) return { end: { status: "succeeded" } };
        const slot = new Date(job.createdAt);
        const olderThan = new Date(slot.getTime() - entry.days * DAY_MS);
        const count = await entry.sweep(tools.store, olderThan, { clock, slot });
        if (count) nightLog.info("old rows are gone", { what: entry.what, count });
        return { cursor: { line: line + 1 } };
      }),
  };
}

type Nightly = Pick<Night, "clock"> & { readonly store: Store };

export async function addRetentionJob(setup: Nightly, slot: Date): Promise<void> {
  await addNightly(setup, NO_WORKSPACE, "Retention", slot);
}

async function addNightly(
  { store, clock }: Nightly,
  workspaceId: string,
  name: "Retention" | "Maintenance",
  slot: Date,
): Promise<void> {
  const kind = name.toLowerCase();
  const ctx = { ...clock, store, workspaceId, actor: { type: "system", id: kind, name } as const };
  const job = { name: kind, kind, slot, args: {}, stats: {} };
  await transact(ctx, (write) => addJobOnce(write, ctx, job));
}

type MaintenanceJob = Job<Record<never, never>, never, Record<never, never>>;

export const maintenanceKind: JobKind<MaintenanceJob> = {
  kind: "maintenance",
  async step(_job, tools) {
    await withHeartbeat(tools, () => maintain(tools));
    return { end: { status: "succeeded" } };
  },
};

async function maintain(tools: StepTools<MaintenanceJob>): Promise<void> {
  await finishDeletions(tools);
  await sweepLog(tools);
  await beginTerms(tools);
  await clearCopies(tools);
}

/** Deletes entries of the change log that are older than the previous nightly run. */
export async function sweepLog(workspace: WorkspaceStore & Pick<ClockAndIds, "now">) {
  const end = await findLogEnd(workspace);
  const swept = await transact(workspace, (write) => moveSweep(write, workspace, end));
  if (swept === "") return;
  await removeInCommits(workspace, 500, (write, limit) => {
    return removeChanges(write, workspace, swept, limit);
  });
}

export async function addMaintenanceJobs(setup: Nightly, slot: Date): Promise<void> {
  for (const { id } of await listWorkspaces(setup.store)) {
    await addNightly(setup, id, "Maintenance", slot);
  }
}

interface ScheduleSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  /** Minimum time between the starts of two requests to the same shop. */
  readonly delayMs: number;
}

/** `run` must be idempotent: each process calls it for each `slot` (planned time). */
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
    { ...everyMinute("ended delays of rules"), run: () => queueEnded(setup) },
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
  /** True on platforms that stop a process if it receives no requests (see `stayWhileDue`). */
  readonly staysWhileDue: boolean;
}

/** If an entry missed several planned times, it runs once, for the last of them. */
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

/** The returned function starts all entries that are due and not still running. */
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

/** Limit for `stayWhileDue`, because a cron call must end within a minute. */
const STAY_MS = 50_000;
const POLL_MS = 500;

/** Keeps the platform from stopping the process while work is due within the next minute. */
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
