/** Reads, starts and cancels scrape runs. A run fetches the linked pages of one product. */
import { z } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import { isId, leastIdAt } from "../../base/id.ts";
import { type Columns, fields, moments, openListTable } from "../../catalogue/lists/list_file.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { type Page, pageById } from "../../platform/http/http.ts";
import type { JobKind, JobStatus } from "../../platform/jobs/job.ts";
import { findJob, listJobs, waitForJob } from "../../platform/jobs/job_store.ts";
import type { Actor, ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import {
  dropDueRow,
  dueAfter,
  type DueRow,
  keepSchedule,
  saveDue,
  schedules,
  walkDue,
} from "../schedule/schedule.ts";
import { momentCell, moneyCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import { type AskedKind, cancelAsked, requireAsked } from "../asked_jobs.ts";
import {
  activeRuns,
  addDueRun,
  addManualRun,
  askedRuns,
  endedRuns,
  findRunInFlight,
  listResults,
  productRuns,
  type Run,
  RUN_KIND,
  type RunJob,
  type RunResult,
  runStatus,
  type StartedRun,
  toRun,
} from "./run.ts";
import { requireProduct } from "../../catalogue/lists/find_product.ts";

const ASKED_RUN: AskedKind = { kind: RUN_KIND, name: "scrape run", path: "/api/scrape-runs" };

export async function readRun(workspace: WorkspaceStore, id: string): Promise<Run> {
  const run = await requireAsked<RunJob>(workspace, ASKED_RUN, id);
  const [product, results] = await Promise.all([
    findProduct(workspace, run.args.productId),
    listResults(workspace, run.jobId),
  ]);
  return toRun(run, results, product?.product.title ?? null);
}

export interface RunFilter {
  readonly productId?: string | undefined;
  readonly status?: JobStatus | undefined;
  /** Selects runs that were created from `fromMs` (inclusive) to `toMs` (exclusive). */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly order: "asc" | "desc";
}

export async function pageOfRuns(
  ctx: Context,
  filter: RunFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Run>> {
  const { fromMs = null, toMs = null, order } = filter;
  const firstMs = order === "desc" ? toMs : fromMs;
  const first = firstMs === null ? null : leastIdAt(firstMs);
  return await pageById(ctx, page, async ({ after, limit }) => {
    const runs = await listRuns(ctx, filter, after ?? first, limit);
    const found = await findDocuments(ctx, runs.map(({ args }) => args.productId));
    const titles = new Map(found.map(({ id, bytes }) => [id, parseProduct(bytes).title]));
    return await Promise.all(
      runs.map(async (run) =>
        toRun(run, await listResults(ctx, run.jobId), titles.get(run.args.productId) ?? null)
      ),
    );
  });
}

async function listRuns(
  workspace: WorkspaceStore,
  { productId, status, fromMs, toMs, order }: RunFilter,
  afterId: string | null,
  limit: number,
): Promise<RunJob[]> {
  const fits = ({ jobId }: RunJob) =>
    (fromMs === undefined || jobId >= leastIdAt(fromMs)) &&
    (toMs === undefined || jobId < leastIdAt(toMs));
  if (productId === undefined && status === undefined) {
    const jobOrder = order === "desc" ? "newest" : "oldest";
    const page = { kind: RUN_KIND, limit, afterId, order: jobOrder } as const;
    return (await listJobs<RunJob>(workspace, page)).jobs.filter(fits);
  }
  if (productId !== undefined && !isId(productId)) return [];
  const runs: RunJob[] = [];
  for await (const id of candidates(workspace, { productId, status, order }, afterId)) {
    const run = await findJob<RunJob>(workspace, RUN_KIND, id);
    if (run && !fits(run)) break;
    if (run && (status === undefined || runStatus(run) === status)) runs.push(run);
    if (runs.length === limit) break;
  }
  return runs;
}

async function* candidates(
  workspace: WorkspaceStore,
  { productId, status, order }: RunFilter,
  after: string | null,
): AsyncGenerator<string> {
  const behind = { order, after: after === null ? null : { runId: after } };
  if (productId !== undefined) {
    const runs = productRuns.walk(workspace, { within: { productId }, ...behind });
    for await (const { row } of runs) yield row.runId;
  } else if (status === "queued" || status === "running") {
    const ids = (await activeRuns.list(workspace)).map(({ row }) => row.runId).sort();
    for (const id of order === "desc" ? ids.toReversed() : ids) {
      if (after === null || (order === "desc" ? id < after : id > after)) yield id;
    }
  } else if (status !== undefined) {
    const runs = endedRuns.walk(workspace, { within: { status }, ...behind });
    for await (const { row } of runs) yield row.runId;
  }
}

const RUN_COLUMNS: Columns<Run> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  sku: ({ sku }) => sku,
  status: ({ status }) => codeCell("jobStates", status),
  hasErrors: ({ hasErrors }) => hasErrors,
  targets: ({ counts }) => counts.targets,
  ok: ({ counts }) => counts.ok,
  failed: ({ counts }) => counts.failed,
  skipped: ({ counts }) => counts.skipped,
  trigger: ({ trigger }) => codeCell("runTriggers", trigger),
  requestedBy: ({ requestedBy }) => requestedBy.name,
  ...moments("startedAt", "finishedAt"),
  ...fields("productId", "id"),
};

const RESULT_COLUMNS: Columns<RunResult> = {
  ...fields("competitor", "url"),
  status: ({ status }) => codeCell("visitResults", status),
  price: ({ price, currency }) => moneyCell(price, currency ?? ""),
  ...fields("currency", "inStock"),
  availability: ({ availability }) => codeCell("availabilities", availability),
  pageStatus: ({ pageStatus }) => storedCodeCell("pageStatuses", pageStatus),
  ...fields("method", "confidence", "httpStatus"),
  errorCode: ({ errorCode }) => storedCodeCell("scrapeErrors", errorCode),
  ...fields("message", "durationMs", "competitorProductId"),
};

export async function openRunTable(ctx: Context, filter: RunFilter): Promise<OutgoingTable> {
  return await openListTable("scrape-runs", RUN_COLUMNS, (page) => pageOfRuns(ctx, filter, page));
}

export async function openResultTable(ctx: Context, runId: string): Promise<OutgoingTable> {
  const { results } = await readRun(ctx, runId);
  const whole = { items: results, nextCursor: null, count: results.length };
  return await openListTable(`scrape-run-${runId}`, RESULT_COLUMNS, () => Promise.resolve(whole));
}

export const RunsRequest = z.strictObject({
  productIds: z.array(z.string()).min(1).max(200),
}).meta({ id: "ScrapeRunsRequest" });
export type RunsRequest = z.infer<typeof RunsRequest>;

export const StartedRuns = z.object({
  started: z.array(z.object({ productId: z.string(), runId: z.string() }))
    .describe("Ids of the new runs"),
  inHand: z.array(z.string()).describe("Products with an unfinished run, which get no other one"),
  missing: z.array(z.string()).describe("Ids that name no active product"),
  noRoom: z.array(z.string())
    .describe("Products without a run, because too many runs wait already"),
}).meta({ id: "StartedScrapeRuns" });
export type StartedRuns = Readonly<z.infer<typeof StartedRuns>>;

export async function startRuns(
  ctx: Context,
  { productIds }: z.output<typeof RunsRequest>,
): Promise<StartedRuns> {
  // Without `receipt`, the commit of one run does not write the request's idempotency record.
  const each = { ...ctx, receipt: null };
  const done: z.infer<typeof StartedRuns> = { started: [], inHand: [], missing: [], noRoom: [] };
  let room = await roomForRuns(ctx);
  for (const productId of new Set(productIds)) {
    try {
      const { runId, isNew } = await startRun(each, productId, { room });
      if (isNew) {
        room -= 1;
        done.started.push({ productId, runId });
      } else done.inHand.push(productId);
    } catch (error) {
      const code = error instanceof Failure ? error.code : null;
      if (code === "rate_limited") done.noRoom.push(productId);
      else if (code === "not_found") done.missing.push(productId);
      else throw error;
    }
  }
  return done;
}

export const ASKED_RUNS_MAX = 1_000;

const RETRY_AFTER_SECONDS = 60;

/** Throws `rate_limited` if too many runs are unfinished. */
export async function startRun(
  ctx: Context,
  productId: string,
  // `room` is the number of runs that may start; if absent, it is read from the store.
  { room }: { readonly room?: number } = {},
): Promise<StartedRun & { readonly isNew: boolean }> {
  return await transact(ctx, async (write) => {
    const product = await requireProduct(ctx, productId, false);
    const { run, active } = await findRunInFlight(ctx, productId);
    if (run) return { runId: run.jobId, status: runStatus(run), isNew: false };
    if ((room ?? await roomForRuns(ctx)) <= 0) {
      const message =
        `${ASKED_RUNS_MAX} scrape runs wait already: let some of them end, or cancel them`;
      throw new Failure("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const added = addManualRun(write, ctx, product, active);
    ctx.receipt?.put(write, `/api/scrape-runs/${added.jobId}`);
    return { runId: added.jobId, status: runStatus(added), isNew: true };
  });
}

async function roomForRuns(ctx: Context): Promise<number> {
  return ASKED_RUNS_MAX - (await askedRuns.list(ctx, { limit: ASKED_RUNS_MAX })).length;
}

export async function cancelRun(
  ctx: Context,
  kind: Pick<JobKind<RunJob>, "kind" | "finish">,
  id: string,
): Promise<Run> {
  await cancelAsked(ctx, ASKED_RUN, kind, id);
  await waitForJob(ctx, RUN_KIND, id, 4_000);
  return await readRun(ctx, id);
}

const DUE_PER_BUCKET_MAX = 250;

const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

interface ScheduleTools {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly delayMs: number;
}

export async function enqueueDue(tools: ScheduleTools): Promise<number> {
  const { store, clock: { now, newId }, delayMs } = tools;
  await keepSchedule({ store, delayMs, now, newId });
  let count = 0;
  await eachApart("due", walkDue(store, now().getTime(), DUE_PER_BUCKET_MAX), async (row) => {
    if (await enqueue(tools, row)) count++;
  });
  return count;
}

async function enqueue({ store, clock }: ScheduleTools, row: DueRow): Promise<boolean> {
  const { workspaceId, productId, dueAtMs } = row;
  const ctx = { ...clock, store, workspaceId, actor: SCHEDULE };
  return await transact({ store }, async (write) => {
    const stored = await schedules.find(ctx, { productId });
    const due = stored?.row;
    if (due?.dueAtMs !== dueAtMs) {
      dropDueRow(write, row);
      return false;
    }
    const found = await findProduct(ctx, productId);
    const { run, active } = await findRunInFlight(ctx, productId);
    // A retry's run visits only one shop, so the product stays due, and gets a full run later.
    if (!found || run?.args.competitorId !== undefined) return false;
    const added = run ? null : await addDueRun(write, ctx, found.product, dueAtMs, active);
    const later = dueAfter(productId, {
      baseMs: clock.now().getTime(),
      intervalHours: due.intervalHours,
      stretch: 1,
    });
    saveDue(write, workspaceId, productId, stored, { ...due, dueAtMs: later });
    return added !== null;
  });
}
