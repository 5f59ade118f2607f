/** Lists, starts and cancels scrape runs. Each run fetches the linked pages of one product. */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../../accounts/roles.ts";
import { Failure } from "../../base/failure.ts";
import { isId, leastIdAt } from "../../base/id.ts";
import { parseBound } from "../../base/time.ts";
import { type Columns, fields, moments, openListTable } from "../../catalogue/lists/list_file.ts";
import { scheduleMarks } from "../../catalogue/products/change_log_store.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { one, page } from "../../platform/http/answer.ts";
import { BoundText, type Page, pageById, pageQuery } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import { JOB_STATUSES, type JobKind } from "../../platform/jobs/job.ts";
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
  Run,
  RUN_KIND,
  type RunJob,
  type RunResult,
  runStatus,
  StartedRun,
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

const RunFilter = z.strictObject({
  productId: z.string().optional(),
  status: z.enum(["", ...JOB_STATUSES]).optional(),
  createdSince: BoundText.describe("Created at this time or later"),
  createdBefore: BoundText.describe("Created before this time"),
  order: z.enum(["asc", "desc"]).default("asc").describe("`desc`: newest first"),
});
type RunFilter = z.output<typeof RunFilter>;

async function pageOfRuns(
  ctx: Context,
  { limit, cursor, ...filter }: RunFilter & {
    readonly limit: number;
    readonly cursor?: string | undefined;
  },
): Promise<Page<Run>> {
  return await pageById(ctx, { limit, cursor }, async ({ after, limit }) => {
    const runs = await listRuns(ctx, filter, after, limit);
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
  { createdSince, createdBefore, ...filter }: RunFilter,
  behind: string | null,
  limit: number,
): Promise<RunJob[]> {
  const { productId, status, order } = filter;
  const [firstId, endId] = [leastIdOf(createdSince), leastIdOf(createdBefore)];
  const fits = ({ jobId }: RunJob) =>
    (firstId === null || jobId >= firstId) && (endId === null || jobId < endId);
  const after = behind ?? (order === "desc" ? endId : firstId);
  if (!productId && !status) {
    const jobOrder = order === "desc" ? "newest" : "oldest";
    const page = { kind: RUN_KIND, limit, afterId: after, order: jobOrder } as const;
    return (await listJobs<RunJob>(workspace, page)).jobs.filter(fits);
  }
  if (productId && !isId(productId)) return [];
  const runs: RunJob[] = [];
  for await (const id of candidates(workspace, filter, after)) {
    const run = await findJob<RunJob>(workspace, RUN_KIND, id);
    if (run && !fits(run)) break;
    if (run && (!status || runStatus(run) === status)) runs.push(run);
    if (runs.length === limit) break;
  }
  return runs;
}

function leastIdOf(bound = ""): string | null {
  const ms = parseBound(bound, "start");
  return ms === null ? null : leastIdAt(ms);
}

async function* candidates(
  workspace: WorkspaceStore,
  { productId, status, order }: Pick<RunFilter, "productId" | "status" | "order">,
  after: string | null,
): AsyncGenerator<string> {
  const behind = { order, after: after === null ? null : { runId: after } };
  if (productId) {
    const runs = productRuns.walk(workspace, { within: { productId }, ...behind });
    for await (const { row } of runs) yield row.runId;
  } else if (status === "queued" || status === "running") {
    const ids = (await activeRuns.list(workspace)).map(({ row }) => row.runId).sort();
    for (const id of order === "desc" ? ids.toReversed() : ids) {
      if (after === null || (order === "desc" ? id < after : id > after)) yield id;
    }
  } else if (status) {
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

async function openResultTable(ctx: Context, runId: string): Promise<OutgoingTable> {
  const { results } = await readRun(ctx, runId);
  const whole = { items: results, nextCursor: null, count: results.length };
  return await openListTable(`scrape-run-${runId}`, RESULT_COLUMNS, () => Promise.resolve(whole));
}

const RunsRequest = z.strictObject({
  productIds: z.array(z.string()).min(1).max(200),
}).meta({ id: "ScrapeRunsRequest" });
export type RunsRequest = z.infer<typeof RunsRequest>;

const StartedRuns = z.object({
  started: z.array(z.object({ productId: z.string(), runId: z.string() }))
    .describe("Ids of the new runs"),
  inHand: z.array(z.string()).describe("Products with an unfinished run, which get no other one"),
  missing: z.array(z.string()).describe("Ids that name no active product"),
  noRoom: z.array(z.string())
    .describe("Products without a run, because too many runs wait already"),
}).meta({ id: "StartedScrapeRuns" });
type StartedRuns = Readonly<z.infer<typeof StartedRuns>>;

async function startRuns(
  ctx: Context,
  { productIds }: RunsRequest,
): Promise<StartedRuns> {
  // Remove `receipt`, because the commit of one run must not mark the whole request as done.
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

async function startRun(
  ctx: Context,
  productId: string,
  // `room`: number of further runs that the workspace may start; read from the store if absent.
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

async function cancelRun(
  ctx: Context,
  kind: Pick<JobKind<RunJob>, "kind" | "finish">,
  id: string,
): Promise<Run> {
  await cancelAsked(ctx, ASKED_RUN, kind, id);
  await waitForJob(ctx, RUN_KIND, id, 4_000);
  return await readRun(ctx, id);
}

export function runRoutes(kind: JobKind<RunJob>) {
  return resource("", {
    read: { people: viewer },
    change: { people: manager },
    tags: ["Scraping"],
  })
    .post("/products/{id}/scrape-now", {
      answer: one(StartedRun, "The new or the unfinished run"),
      status: 202,
      refusals: {
        429:
          `${ASKED_RUNS_MAX} runs of the workspace that were started by hand have not ended; see \`Retry-After\``,
      },
      location: ({ runId }) => `/scrape-runs/${runId}`,
    }, async ({ ctx, id }) => {
      const { runId, status } = await startRun(ctx, id);
      return { runId, status };
    })
    .post("/scrape-runs", {
      body: RunsRequest,
      answer: one(StartedRuns, "The result for each product"),
      status: 202,
    }, ({ ctx, body }) => startRuns(ctx, body))
    .get("/scrape-runs", {
      query: RunFilter.extend(pageQuery(50, 200)),
      answer: page(Run, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOfRuns(ctx, query))
    .files("/scrape-runs", {
      query: RunFilter,
      words: "All matching runs, in the order of the list",
      open: (ctx, filter) =>
        openListTable(
          "scrape-runs",
          RUN_COLUMNS,
          (page) => pageOfRuns(ctx, { ...filter, ...page }),
        ),
    })
    .files("/scrape-runs/{runId}/results", {
      words: "The results of the finished pages of the run",
      open: (ctx, _all, { runId }) => openResultTable(ctx, runId),
    })
    .get("/scrape-runs/{runId}", {
      answer: one(Run, "The run"),
    }, ({ ctx, runId }) => readRun(ctx, runId))
    .post("/scrape-runs/{runId}/cancel", {
      answer: one(Run, "The run; its stored results stay"),
    }, ({ ctx, runId }) => cancelRun(ctx, kind, runId)).routes;
}

const DUE_PER_BUCKET_MAX = 250;
/** Small, so that the planning of changed products (`scheduleMarks`) is not held up for long. */
const DUE_PER_BUCKET_AND_STEP = 5;

const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

interface ScheduleTools {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly delayMs: number;
}

export async function enqueueDue(tools: ScheduleTools): Promise<number> {
  const { store, clock: { now, newId }, delayMs } = tools;
  let count = 0;
  const enqueueSome = (perBucket: number) =>
    eachApart("due", walkDue(store, now().getTime(), perBucket), async (row) => {
      if (await enqueue(tools, row)) count++;
    });
  const keeper = { store, delayMs, now, newId };
  await keepSchedule(keeper, () => enqueueSome(DUE_PER_BUCKET_AND_STEP));
  await enqueueSome(DUE_PER_BUCKET_MAX);
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
    // The product has changed and may not be due any more, so it is planned first.
    if (await scheduleMarks.find({ store }, row)) return false;
    const found = await findProduct(ctx, productId);
    const { run, active } = await findRunInFlight(ctx, productId);
    // An unfinished run of a retry visits only one shop, so the product stays due for a full run.
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
