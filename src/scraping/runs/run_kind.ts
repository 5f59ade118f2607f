import { HOUR_MS } from "../../base/time.ts";
import { findProduct, putLastScraped } from "../../catalogue/products/product_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Job, JobKind, JobTools } from "../../platform/jobs/job.ts";
import type { Actor, ClockAndIds } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import { type Brought, NO_VISIT, PermitCache } from "../page/visit.ts";
import type { FetchedTarget } from "./complete_target.ts";
import type { Sought } from "./seek_permit.ts";
import { keepSchedule, planDue } from "../schedule/keep_schedule.ts";
import {
  dropDueRow,
  dueAfter,
  type DueRow,
  findDue,
  saveDue,
  walkDue,
} from "../schedule/schedule_store.ts";
import {
  addDueRun,
  deleteRunRows,
  endRunRows,
  findRunInFlight,
  RUN_KIND,
  type RunJob,
} from "./run.ts";
import { takeRunStep } from "./run_step.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { dropPermit } from "../page/take_permit.ts";

export function createRunKind(deps: ScrapeDeps): JobKind<RunJob> {
  const cache = new PermitCache<Brought<FetchedTarget>>();
  const sought = new PermitCache<Sought>();
  return {
    kind: RUN_KIND,
    // A run waits for its shops most of the time, so many fit; waiting runs hold little memory.
    slotsPerProcess: 64,
    waitsForOthers: true,
    step: (run, tools) => takeRunStep({ deps, cache, sought, tools }, run),
    finish: async (run, tools) => {
      // An ending step keeps the fetched data until it is committed: there may be a conflict.
      if (run.status !== "succeeded") {
        cache.forget(run.jobId);
        sought.forget(run.jobId);
      }
      await finishRun(deps, run, tools);
    },
  };
}

/** Removes a run's rows; the sweep then removes its job. */
export async function removeRunRows(store: Store, job: Job): Promise<void> {
  if (!isRun(job)) return;
  await transact({ store }, (write) => deleteRunRows(write, store, job));
}

export function isRun(job: Job): job is RunJob {
  return job.kind === RUN_KIND;
}

/** Maximum number of runs per pass and bucket; there is a pass every minute. */
const DUE_PER_BUCKET = 250;

const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

interface ScheduleTools {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly delayMs: number;
}

/** Updates changed schedules, then adds due runs, each once for all processes; counts them. */
export async function enqueueDue(tools: ScheduleTools): Promise<number> {
  const { store, clock: { now, newId }, delayMs } = tools;
  await keepSchedule({ store, delayMs, now, newId });
  let count = 0;
  await eachApart("due", walkDue(store, now().getTime(), DUE_PER_BUCKET), async (row) => {
    if (await enqueue(tools, row)) count++;
  });
  return count;
}

async function enqueue({ store, clock }: ScheduleTools, row: DueRow): Promise<boolean> {
  const { workspaceId, productId, dueAtMs } = row;
  const ctx = { ...clock, store, workspaceId, actor: SCHEDULE };
  return await transact({ store }, async (write) => {
    const stored = await findDue(ctx, productId);
    const { due } = stored;
    if (due?.dueAtMs !== dueAtMs) {
      dropDueRow(write, row);
      return false;
    }
    const found = await findProduct(ctx, productId);
    const { run, active } = await findRunInFlight(ctx, productId);
    if (!found) return false;
    const added = run ? null : await addDueRun(write, ctx, found.product, dueAtMs, active);
    // The end of the run plans the next one. This only removes the product from the due list, because a
    // pass reads the head of that list, and runs may wait at their shops for days.
    const later = dueAfter(productId, {
      baseMs: clock.now().getTime(),
      intervalHours: due.intervalHours,
      stretch: 1,
    });
    saveDue(write, workspaceId, productId, stored, { ...due, dueAtMs: later });
    return added !== null;
  });
}

/** Frees slot and permit, stores the scrape time, and plans the next run, whatever the result. */
async function finishRun(deps: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  await dropPermit(tools, run.cursor ?? NO_VISIT);
  await endRunRows(tools.write, tools, run);
  if (run.stats.ok > 0) await noteScraped(run, tools);
  // A run of a single shop does not change when the product is due.
  if (run.args.competitorId === undefined) await moveDue(deps, run, tools);
  publishEnd(run, tools);
}

async function noteScraped(run: RunJob, tools: JobTools): Promise<void> {
  const found = await findProduct(tools, run.args.productId);
  if (!found) return;
  const at = tools.now().toISOString();
  putLastScraped(tools.write, tools.workspaceId, found, at);
}

/** When the product is due again: soon if targets were skipped. */
async function moveDue({ delayMs }: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  const { productId } = run.args;
  const stored = await findDue(tools, productId);
  if (!stored.due) return;
  const nowMs = tools.now().getTime();
  const tried = new Set(run.cursor?.targets ?? []);
  const question = { productId, before: stored.due, nowMs, delayMs, tried };
  const planned = await planDue(tools, question);
  const isSoon = planned !== null && run.stats.skipped > 0;
  const after = isSoon
    ? { ...planned, dueAtMs: Math.min(planned.dueAtMs, nowMs + HOUR_MS) }
    : planned;
  saveDue(tools.write, tools.workspaceId, productId, stored, after);
}

function publishEnd({ jobId, args, hasErrors, status, stats }: RunJob, tools: JobTools): void {
  if (status === "queued" || status === "running") return;
  const { productId, sku } = args;
  const data = { runId: jobId, productId, sku, status, hasErrors, counts: stats };
  publish(tools.write, tools, [
    { type: "scrape_run.finished", data },
    ...(stats.ok === 0 ? [] : [
      {
        type: "products.touched",
        data: { cause: "scrape_run", ref: jobId, productIds: [productId] },
      } as const,
    ]),
  ]);
}
