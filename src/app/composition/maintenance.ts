/**
 * What is tidied up by night: small tasks of all rooms as one kind of job. Doing one twice changes
 * nothing.
 */
import { beginTerms } from "../../catalogue/changes/begin_terms.ts";
import { finishDeletions } from "../../shops/delete_competitor.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { sweepLog } from "../../market/current/sweep_log.ts";
import type { Actor, Clockwork, Context } from "../../platform/store/context.ts";
import { type Job, type JobKind, NO_WORKSPACE, type StepTools } from "../../platform/jobs/job.ts";
import { addJobOnce } from "../../platform/jobs/add_job.ts";
import { beating } from "../../platform/jobs/beating.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { healSchedule } from "../../scraping/schedule/heal_schedule.ts";

const KIND = "maintenance";

/** An earlier version may have left jobs of other tasks, which are no more. */
type MaintenanceJob = Job<{ readonly task: string }, never, Record<never, never>>;
type Tools = StepTools<MaintenanceJob>;

const TASKS = {
  async store({ store, now }: Tools) {
    await sweepBlobs(store, now());
  },
  async workspace(tools: Tools) {
    await finishDeletions(tools);
    await healSchedule(tools);
    await sweepLog(tools);
    await beginTerms(tools);
  },
} as const;

type Task = keyof typeof TASKS;

const isTask = (task: string): task is Task => Object.hasOwn(TASKS, task);

/** How the tasks are done. */
export const maintenanceKind: JobKind<MaintenanceJob> = {
  kind: KIND,
  slotsPerProcess: 1,
  slotsPerWorkspace: 1,
  isSerialPerWorkspace: false,
  async step({ args: { task } }, tools) {
    if (isTask(task)) await beating(tools, () => TASKS[task](tools));
    return { end: { status: "succeeded" } };
  },
};

const NIGHT: Actor = { type: "system", id: "maintenance", name: "Maintenance" };

/** Adds the jobs of a night; asked twice for the same slot it adds them once. */
export async function addMaintenanceJobs(
  { store, clockwork }: { readonly store: Store; readonly clockwork: Clockwork },
  slot: Date,
): Promise<void> {
  const add = async (workspaceId: string, task: Task) => {
    const ctx: Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId"> = {
      ...clockwork,
      store,
      workspaceId,
      actor: NIGHT,
    };
    const job = { name: `${KIND} ${task}`, slot, kind: KIND, args: { task }, stats: {} };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  };
  await add(NO_WORKSPACE, "store");
  for (const { id } of await listWorkspaces(store)) await add(id, "workspace");
}
