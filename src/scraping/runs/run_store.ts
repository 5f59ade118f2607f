/** The rows of a run besides its job: its product while it runs, its outcome and its results. */
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { addJob, addJobOnce } from "../../platform/jobs/add_job.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { findInFlight } from "../asked_jobs.ts";
import { NO_COUNTS, RUN_KIND, type RunArgs, type RunJob, type RunResult } from "./run.ts";

interface ActiveRun {
  readonly productId: string;
  readonly runId: string;
}

/** The job of a row may be missing. */
export const activeRuns = defineTable<ActiveRun, "productId">({
  prefix: "ra",
  about: "the unfinished run of a product",
  key: { productId: "id" },
  codec: { encode: ({ runId }) => runId, decode: (value) => ({ runId: String(value) }) },
  keyOnly: ["productId"],
  check: async ({ productId, runId }, workspace) =>
    await findInFlight(workspace, RUN_KIND, runId)
      ? null
      : `Product ${productId} waits for the scrape run ${runId}, which has ended`,
});

export const askedRuns = defineTable<{ readonly runId: string }, "runId">({
  prefix: "rq",
  about: "an unfinished run that a person requested",
  key: { runId: "id" },
  keyOnly: ["runId"],
  check: async ({ runId }, workspace) =>
    await findInFlight(workspace, RUN_KIND, runId)
      ? null
      : `The scrape run ${runId} counts among those that wait, and has ended`,
});

type RunOfProduct = Pick<ActiveRun, "productId" | "runId">;

export const productRuns = defineTable<RunOfProduct, "productId" | "runId">({
  prefix: "rp",
  about: "empty, a run of a product",
  key: { productId: "id", runId: "id" },
  keyOnly: ["productId", "runId"],
});

interface EndedRun {
  readonly status: JobStatus;
  readonly runId: string;
}

export const endedRuns = defineTable<EndedRun, "status" | "runId">({
  prefix: "re",
  about: "empty, a run with this outcome",
  key: { status: "text", runId: "id" },
  keyOnly: ["runId", "status"],
});

interface TargetResult {
  readonly runId: string;
  /** Number of the target, in the order of the visits. */
  readonly n: number;
  readonly result: RunResult;
}

export const runResults = defineTable<TargetResult, "runId" | "n">({
  prefix: "rr",
  about: "the result of the n-th target of a run",
  key: { runId: "id", n: "number" },
  codec: { encode: ({ result }) => result, decode: (value) => ({ result: Object(value) }) },
  keyOnly: ["runId", "n"],
});

/** Lists the results in the order of the targets. */
export async function listResults(
  workspace: WorkspaceStore,
  runId: string,
): Promise<RunResult[]> {
  const found = await runResults.list(workspace, { within: { runId } });
  return found.map(({ row }) => row.result);
}

/**
 * Adds the rows of a new run. The commit fails if the product got another run after `active` was
 * read.
 */
function addRunRows(write: Write, run: RunJob, active: Found<ActiveRun> | null): RunJob {
  const { jobId: runId, args: { productId, trigger } } = run;
  activeRuns.save(write, run, active, { productId, runId });
  productRuns.put(write, run, { productId, runId });
  if (trigger === "manual") askedRuns.put(write, run, { runId });
  return run;
}

/** Writes the rows of an ended run. The active row is deleted only if it names this run. */
export async function endRunRows(
  write: Write,
  workspace: WorkspaceStore,
  { jobId: runId, status, args: { productId } }: RunJob,
): Promise<void> {
  const active = await activeRuns.find(workspace, { productId });
  endedRuns.put(write, workspace, { status, runId });
  askedRuns.drop(write, workspace, { runId });
  if (active?.row.runId === runId) activeRuns.drop(write, workspace, { productId });
}

/** Deletes all rows of an ended run except its job. */
export async function deleteRunRows(write: Write, store: Store, run: RunJob): Promise<void> {
  const { workspaceId, jobId: runId, status, args: { productId } } = run;
  productRuns.drop(write, run, { productId, runId });
  endedRuns.drop(write, run, { status, runId });
  const results = runResults.walk({ store, workspaceId }, { within: { runId } });
  for await (const { row } of results) runResults.drop(write, run, row);
}

/** Finds the unfinished run of a product, and its row. */
export async function findRunInFlight(
  workspace: WorkspaceStore,
  productId: string,
): Promise<{ run: RunJob | null; active: Found<ActiveRun> | null }> {
  const active = await activeRuns.find(workspace, { productId });
  const run = active && await findInFlight<RunJob>(workspace, RUN_KIND, active.row.runId);
  return { run, active };
}

export async function hasRunsInFlight(store: Store): Promise<boolean> {
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const workspace = { store, workspaceId };
    for await (const { row } of activeRuns.walk(workspace)) {
      if (await findInFlight(workspace, RUN_KIND, row.runId)) return true;
    }
  }
  return false;
}

/** Ready jobs are run by age, so requested runs are dated back to precede all due ones. */
const HEAD_START_MS = 30 * 86_400_000;

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

/**
 * Adds a requested run, for the pages of all shops or of one. The commit fails if the product got
 * another run meanwhile.
 */
export function addManualRun(
  write: Write,
  ctx: Adder,
  { id: productId, sku }: { readonly id: string; readonly sku: string },
  active: Found<ActiveRun> | null,
  competitorId: string | null = null,
): RunJob {
  const orderMs = ctx.now().getTime();
  const ofShop = competitorId !== null && { competitorId };
  const args: RunArgs = { productId, sku, trigger: "manual", orderMs, ...ofShop };
  const notBefore = new Date(orderMs - HEAD_START_MS);
  const run = addJob(write, ctx, { kind: RUN_KIND, args, stats: NO_COUNTS, notBefore });
  return addRunRows(write, run, active);
}

/** Adds the run of a due time, which has at most one; returns null if it exists already. */
export async function addDueRun(
  write: Write,
  ctx: Adder,
  { id: productId, sku }: { readonly id: string; readonly sku: string },
  dueAtMs: number,
  active: Found<ActiveRun> | null,
): Promise<RunJob | null> {
  const args: RunArgs = { productId, sku, trigger: "schedule", orderMs: dueAtMs };
  const notBefore = new Date(dueAtMs);
  const name = `scrape ${productId}`;
  const added = { name, slot: notBefore, kind: RUN_KIND, args, stats: NO_COUNTS, notBefore };
  const run = await addJobOnce(write, ctx, added);
  return run && addRunRows(write, run, active);
}
