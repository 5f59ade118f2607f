/**
 * Keys: the run itself is a job (`j`, `jk`); `rp W productId runId` → empty, the runs of a product;
 * `ra W productId` → runId, the one that has not ended; `rq W runId` → empty, a run that a person
 * asked for and that has not ended; `re W status runId` → empty, ended runs by how; `rr W runId n` →
 * the result of the n-th target.
 */

import { idBytes } from "../../base/id.ts";
import { addJob, addJobOnce } from "../../platform/jobs/add_job.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf, selectorAfter } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { findInHand } from "../asked_jobs.ts";
import { NO_COUNTS, RUN_KIND, type RunArgs, type RunJob, type RunResult } from "./run.ts";

const EMPTY = new Uint8Array();

const ofProduct = (workspaceId: string, productId: string) => [
  "rp",
  idBytes(workspaceId),
  idBytes(productId),
];
const activeKey = (workspaceId: string, productId: string) => [
  "ra",
  idBytes(workspaceId),
  idBytes(productId),
];
const askedPrefix = (workspaceId: string) => ["rq", idBytes(workspaceId)];
const endedPrefix = (workspaceId: string, status: JobStatus) => [
  "re",
  idBytes(workspaceId),
  status,
];
const resultsPrefix = (workspaceId: string, runId: string) => [
  "rr",
  idBytes(workspaceId),
  idBytes(runId),
];

export interface ActiveRun {
  readonly runId: string | null;
  readonly versionstamp: string | null;
}

/** The run of a product that has not ended, as far as the row says: it may have vanished. */
export async function findActiveRun(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<ActiveRun> {
  const { value, versionstamp } = await store.kv.get<string>(activeKey(workspaceId, productId));
  return { runId: value, versionstamp };
}

/** The rows of a new run. The commit fails when the product got another one since `active` was read. */
export function addRunRows(write: Write, run: RunJob, active: ActiveRun): void {
  const { workspaceId, jobId, args: { productId, trigger } } = run;
  write.check(activeKey(workspaceId, productId), active.versionstamp);
  write.set(activeKey(workspaceId, productId), jobId);
  write.set([...ofProduct(workspaceId, productId), idBytes(jobId)], EMPTY);
  if (trigger === "manual") write.set([...askedPrefix(workspaceId), idBytes(jobId)], EMPTY);
}

/** The rows of a run that ends; only the active one clears the way for the next. */
export function endRunRows(write: Write, run: RunJob, active: ActiveRun): void {
  const { workspaceId, jobId, status, args: { productId } } = run;
  write.set([...endedPrefix(workspaceId, status), idBytes(jobId)], EMPTY);
  if (active.runId === jobId) write.delete(activeKey(workspaceId, productId));
  write.delete([...askedPrefix(workspaceId), idBytes(jobId)]);
}

/** How many runs people asked for and have not ended; more than `max` are not counted. */
export async function countAskedRuns(workspace: WorkspaceStore, max: number): Promise<number> {
  return (await Array.fromAsync(walkAskedRuns(workspace, { limit: max, batchSize: max }))).length;
}

/** Ids of the runs that people asked for and that have not ended, as their rows say; oldest first. */
export async function* walkAskedRuns(
  { store, workspaceId }: WorkspaceStore,
  options: Deno.KvListOptions = {},
): AsyncGenerator<string> {
  const rows = store.kv.list({ prefix: askedPrefix(workspaceId) }, options);
  for await (const { key } of rows) yield lastIdOf(key);
}

export function saveResult(write: Write, run: RunJob, n: number, result: RunResult): void {
  write.set([...resultsPrefix(run.workspaceId, run.jobId), n], result);
}

/** In the order of the targets. */
export async function listResults(
  { store, workspaceId }: WorkspaceStore,
  runId: string,
): Promise<RunResult[]> {
  const prefix = resultsPrefix(workspaceId, runId);
  const rows = await Array.fromAsync(store.kv.list<RunResult>({ prefix }, { batchSize: 200 }));
  return rows.map(({ value }) => value);
}

/** Ids of a product's runs, or of the runs that ended in one way, behind the id `after` in that order. */
export async function* walkRunIds(
  { store, workspaceId }: WorkspaceStore,
  of: { readonly productId: string } | { readonly status: JobStatus },
  { after, order }: { readonly after: string | null; readonly order: "asc" | "desc" },
): AsyncGenerator<string> {
  const prefix = "productId" in of
    ? ofProduct(workspaceId, of.productId)
    : endedPrefix(workspaceId, of.status);
  const selector = selectorAfter(prefix, after, order);
  const rows = store.kv.list(selector, { reverse: order === "desc" });
  for await (const { key } of rows) yield lastIdOf(key);
}

/** Ids of all runs that have not ended, oldest first. */
export async function listActiveIds({ store, workspaceId }: WorkspaceStore): Promise<string[]> {
  const prefix = ["ra", idBytes(workspaceId)];
  const rows = await Array.fromAsync(store.kv.list<string>({ prefix }, { batchSize: 1_000 }));
  return rows.map(({ value }) => value).sort();
}

/** The runs that have not ended as far as their rows say, over all workspaces. */
export async function* walkActiveRuns(
  { kv }: Store,
): AsyncGenerator<{ readonly workspaceId: string; readonly runId: string }> {
  for await (const { key, value } of kv.list<string>({ prefix: ["ra"] })) {
    yield { workspaceId: idIn(key, 1), runId: value };
  }
}

/** The products with a run that has not ended, as their rows say; for checks of the store. */
export async function* walkActiveProducts({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["ra", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<string>({ prefix })) {
    yield { productId: lastIdOf(key), runId: value };
  }
}

/** All rows of an ended run but the job itself. */
export async function deleteRunRows(write: Write, store: Store, run: RunJob): Promise<void> {
  const { workspaceId, jobId, status, args: { productId } } = run;
  write.delete([...ofProduct(workspaceId, productId), idBytes(jobId)]);
  write.delete([...endedPrefix(workspaceId, status), idBytes(jobId)]);
  for await (const { key } of store.kv.list({ prefix: resultsPrefix(workspaceId, jobId) })) {
    write.delete(key);
  }
}

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
