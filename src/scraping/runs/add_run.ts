import { addJob, addJobOnce } from "../../platform/jobs/add_job.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { findInHand } from "../asked_jobs.ts";
import { NO_COUNTS, RUN_KIND, type RunArgs, type RunJob } from "./run.ts";
import { type ActiveRun, addRunRows, findActiveRun, walkActiveRuns } from "./run_store.ts";

/** Ready rows are served by age: what a person asked for is made older than all that is due. */
const HEAD_START_MS = 30 * 86_400_000;

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

/** The run of a product that has not ended, and the row that says so. */
export async function findRunInHand(
  ctx: Pick<Context, "store" | "workspaceId">,
  productId: string,
): Promise<{ run: RunJob | null; active: ActiveRun }> {
  const active = await findActiveRun(ctx, productId);
  const { runId } = active;
  return { run: runId === null ? null : await findInHand<RunJob>(ctx, RUN_KIND, runId), active };
}

/** Whether any workspace has a run that has not ended. */
export async function hasRunsInHand(store: Store): Promise<boolean> {
  for await (const { workspaceId, runId } of walkActiveRuns(store)) {
    if (await findInHand({ store, workspaceId }, RUN_KIND, runId)) return true;
  }
  return false;
}

/**
 * Adds a run that a person asked for, over the pages of all shops or of one. The commit fails when the
 * product got another one meanwhile.
 */
export function addManualRun(
  write: Write,
  ctx: Adder,
  product: { readonly id: string; readonly sku: string },
  active: ActiveRun,
  competitorId: string | null = null,
): RunJob {
  const orderMs = ctx.now().getTime();
  const args: RunArgs = {
    productId: product.id,
    sku: product.sku,
    trigger: "manual",
    orderMs,
    ...(competitorId !== null && { competitorId }),
  };
  const notBefore = new Date(orderMs - HEAD_START_MS);
  const run = addJob(write, ctx, { kind: RUN_KIND, args, stats: NO_COUNTS, notBefore });
  addRunRows(write, run, active);
  return run;
}

/** Adds the run of one due time, which has at most one; null when it has it already. */
export async function addDueRun(
  write: Write,
  ctx: Adder,
  product: { readonly id: string; readonly sku: string },
  dueAtMs: number,
  active: ActiveRun,
): Promise<RunJob | null> {
  const orderMs = dueAtMs;
  const args: RunArgs = { productId: product.id, sku: product.sku, trigger: "schedule", orderMs };
  const slot = new Date(dueAtMs);
  const run = await addJobOnce(write, ctx, {
    name: `scrape ${product.id}`,
    slot,
    kind: RUN_KIND,
    args,
    stats: NO_COUNTS,
    notBefore: slot,
  });
  if (run) addRunRows(write, run, active);
  return run;
}
