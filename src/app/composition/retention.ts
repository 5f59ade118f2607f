/** Declares how long rows are kept, and deletes older rows in a nightly job. */
import { expireAuditRows } from "../../accounts/audit/seal_audit.ts";
import { countInWorkspaces, listWorkspaces } from "../../accounts/workspace_store.ts";
import { DAY_MS } from "../../base/time.ts";
import { beginTerms, clearCopies } from "../../catalogue/changes/rewrite_products.ts";
import { findLogEnd, moveSweep, removeChanges } from "../../catalogue/products/change_log_store.ts";
import { removeImport } from "../../imports/jobs/import_kind.ts";
import { sweepDeliveries } from "../../messages/webhooks/delivery_store.ts";
import { addJobOnce } from "../../platform/jobs/job_store.ts";
import { sweepJobs } from "../../platform/jobs/held_job.ts";
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
import { CHECK_DAYS, isOfCheck, removeCheckRows } from "../../scraping/link_checks/change_check.ts";
import { isRun, removeRunRows } from "../../scraping/runs/run_kind.ts";
import { healSchedule } from "../../scraping/schedule/schedule.ts";
import { sweepCounts } from "../../scraping/schedule/health.ts";
import { finishDeletions } from "../../shops/change_competitor.ts";
import { pageParts } from "../../shops/discovery/page_store.ts";
import { addThinningJobs } from "../../shops/observations/retention_job.ts";
import type { Config } from "./config.ts";
import type { DeclaredTable } from "../../platform/store/table.ts";
import { TABLES } from "./tables.ts";

/** `slot` is the time at which the job was created, even if it continues after a crash. */
interface Night {
  readonly clock: ClockAndIds;
  readonly slot: Date;
}

interface Retention {
  readonly what: string;
  readonly days: number;
  readonly setting?: keyof Config;
  /** Returns the number of deleted rows; null if other jobs delete the rows. */
  sweep(store: Store, olderThan: Date, night: Night): Promise<number | null>;
}

type RetentionDays = Pick<
  Config,
  "OBSERVATION_RETENTION_DAYS" | "RUN_RETENTION_DAYS" | "AUDIT_RETENTION_DAYS"
>;

/** Rows that are kept for ever have no entry in this table. */
export function retentionTable(config: RetentionDays): readonly Retention[] {
  return [
    {
      what: "observations (of older ones, the lowest per match and day stays)",
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
      what: "checks of links, with their lines",
      days: CHECK_DAYS,
      sweep: jobSweep({ takes: isOfCheck, removeRows: removeCheckRows }),
    },
    {
      what: "simulations over the catalogue, with their outcomes",
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
    { what: "hourly counts of fetches per shop (summed up by day)", days: 1, sweep: sweepCounts },
    ...Object.values(TABLES).flat().flatMap(retentionOf),
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

const log = roomLog("retention");

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
        if (count) log.info("old rows are gone", { what: entry.what, count });
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
  await healSchedule(tools);
  await sweepLog(tools);
  await beginTerms(tools);
  await clearCopies(tools);
  await pageParts.clear(tools, {});
}

/** Deletes the entries of the change log that already existed in the previous night. */
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
