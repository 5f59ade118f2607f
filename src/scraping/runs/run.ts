/**
 * A scrape run is a job that visits the linked pages of a product: all of them or, for a retry,
 * those of one shop. A product has at most one unfinished run.
 */
import { z } from "@hono/zod-openapi";
import { listWorkspaces } from "../../accounts/workspace.ts";
import { AVAILABILITIES } from "../../base/codes.ts";
import { ODD_STATUSES, PAGE_WARNINGS } from "../../engine/extraction/page_status.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import { addJob, addJobOnce } from "../../platform/jobs/job_store.ts";
import { hasEnded, type Job, JOB_STATUSES, type JobStatus } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { findInFlight } from "../asked_jobs.ts";
import { PageStatusField } from "../page/last_page.ts";
import type { VisitState } from "../page/visit.ts";

/** Clients of the API read these codes, so a code must never be removed. */
export const SCRAPE_ERRORS = [
  "robots_disallowed",
  "blocked",
  "http_error",
  "timeout",
  "dns_error",
  "unreachable",
  "private_address",
  "redirect_refused",
  "too_large",
  "too_complex",
  "unsupported_content",
  "no_price",
  "ambiguous_price",
  "currency_mismatch",
  "backing_off",
  ...ODD_STATUSES,
] as const;

export const RUN_KIND = "scrape";

const RUN_TRIGGERS = ["manual", "schedule"] as const;

interface RunArgs {
  readonly productId: string;
  readonly sku: string;
  readonly trigger: (typeof RUN_TRIGGERS)[number];
  readonly competitorId?: string | undefined;
  /** Runs with the same trigger wait for a shop in the order of `orderMs`, lowest first. */
  readonly orderMs: number;
}

export interface RunCursor extends VisitState {
  readonly targets: readonly string[];
  readonly n: number;
  /** The link's URL when the visit began; if it has changed, `url` and `hops` are ignored. */
  readonly redirected?: string;
}

export const RunCounts = z.object({
  targets: z.int(),
  ok: z.int().describe("Number of pages with a price"),
  failed: z.int(),
  skipped: z.int().describe("Number of pages that were not visited"),
});
export type RunCounts = z.infer<typeof RunCounts>;

export const NO_COUNTS: RunCounts = { targets: 0, ok: 0, failed: 0, skipped: 0 };

export type RunJob = Job<RunArgs, RunCursor, RunCounts>;

export const FETCHING_PHASE = "fetching";

const PriceAlternative = z.object({ method: z.string(), price: z.int(), currency: z.string() });

export const FOUND_FIELDS = {
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  method: z.string().nullable(),
  confidence: z.number().nullable(),
  alternatives: z.array(PriceAlternative),
  pageStatus: PageStatusField.nullable(),
  warnings: z.array(z.enum(PAGE_WARNINGS))
    .describe("`selector_dead`: the extractor's selector finds no price on the page"),
};

export const NOTHING_FOUND = {
  price: null,
  currency: null,
  inStock: null,
  availability: null,
  method: null,
  confidence: null,
  alternatives: [],
  pageStatus: null,
  warnings: [],
};

export function foundOn(
  { price, currency, inStock, availability, method, confidence, alternatives }: ExtractedPrice,
) {
  const read = { price, currency, inStock, availability, method, confidence };
  return { ...read, alternatives: [...alternatives] };
}

export const RunResult = z.object({
  competitorProductId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  url: z.string(),
  status: z.enum(["ok", "failed", "skipped"])
    .describe("`ok`: the page has a price; `skipped`: it was not visited; `failed`: otherwise"),
  price: z.int().nullable().describe("Minor units of `currency`, as observed"),
  ...FOUND_FIELDS,
  httpStatus: z.int().nullable(),
  errorCode: z.string().nullable().meta({ examples: [...SCRAPE_ERRORS] }),
  message: z.string().nullable(),
  durationMs: z.int().nullable(),
}).meta({ id: "ScrapeResult" });
export type RunResult = Readonly<z.infer<typeof RunResult>>;

const RunStatus = z.enum(JOB_STATUSES);

export const Run = z.object({
  id: z.string(),
  productId: z.string(),
  sku: z.string(),
  title: z.string().nullable().describe("Null: the product was deleted"),
  trigger: z.enum(RUN_TRIGGERS),
  status: RunStatus.describe("`succeeded`: the run reached its end, even if pages failed"),
  hasErrors: z.boolean(),
  counts: RunCounts.describe("Number of pages by outcome"),
  results: z.array(RunResult).describe("Results of the finished targets"),
  requestedBy: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "ScrapeRun" });
export type Run = z.infer<typeof Run>;

export const StartedRun = z.object({ runId: z.string(), status: RunStatus })
  .meta({ id: "StartedScrapeRun" });
export type StartedRun = z.infer<typeof StartedRun>;

export function runStatus(job: RunJob): JobStatus {
  if (hasEnded(job)) return job.status;
  return job.phase === FETCHING_PHASE ? "running" : "queued";
}

export function toRun(job: RunJob, results: readonly RunResult[], title: string | null): Run {
  const { productId, sku, trigger } = job.args;
  const status = runStatus(job);
  return {
    id: job.jobId,
    productId,
    sku,
    title,
    trigger,
    status,
    hasErrors: job.hasErrors,
    counts: job.stats,
    // Results of earlier versions of Kurant have no `pageStatus` and no `warnings`.
    results: results.map((result) => ({
      ...result,
      pageStatus: result.pageStatus ?? null,
      warnings: result.warnings ?? [],
    })),
    requestedBy: job.createdBy,
    createdAt: job.createdAt,
    startedAt: status === "queued" ? null : job.startedAt,
    finishedAt: job.finishedAt,
  };
}

const ScrapeMethod = z.object({
  value: z.string(),
  label: z.object({ de: z.string(), en: z.string() }).describe("Name for people"),
}).meta({ id: "ScrapeMethod" });

export const MethodList = z.object({ data: z.array(ScrapeMethod), count: z.int() })
  .meta({ id: "ScrapeMethodList" });
export type MethodList = Readonly<z.output<typeof MethodList>>;

interface ActiveRun {
  readonly productId: string;
  readonly runId: string;
}

/** `runId` may be the id of a run that has ended, or whose job is already deleted. */
export const activeRuns = defineTable<ActiveRun, "productId">({
  prefix: "ra",
  about: "id of a product's unfinished scrape run",
  key: { productId: "id" },
  value: "runId",
  check: async ({ productId, runId }, workspace) =>
    await findInFlight(workspace, RUN_KIND, runId)
      ? null
      : `Product ${productId} waits for the scrape run ${runId}, but this has ended`,
});

export const askedRuns = defineTable<{ readonly runId: string }, "runId">({
  prefix: "rq",
  about: "an unfinished run that a person requested",
  key: { runId: "id" },
  check: async ({ runId }, workspace) =>
    await findInFlight(workspace, RUN_KIND, runId)
      ? null
      : `The scrape run ${runId} is listed as waiting, but has ended`,
});

export const productRuns = defineTable<ActiveRun, "productId" | "runId">({
  prefix: "rp",
  about: "empty, a run of a product",
  key: { productId: "id", runId: "id" },
});

interface EndedRun {
  readonly status: JobStatus;
  readonly runId: string;
}

export const endedRuns = defineTable<EndedRun, "status" | "runId">({
  prefix: "re",
  about: "empty, a run with this outcome",
  key: { status: "text", runId: "id" },
});

export const runResults = defineTable<
  { readonly runId: string; readonly n: number; readonly result: RunResult },
  "runId" | "n"
>({
  prefix: "rr",
  about: "the result of a run on its n-th page",
  key: { runId: "id", n: "number" },
  value: "result",
});

export async function listResults(workspace: WorkspaceStore, runId: string): Promise<RunResult[]> {
  const found = await runResults.list(workspace, { within: { runId } });
  return found.map(({ row }) => row.result);
}

/** The commit fails if the product got another run after `active` was read. */
function addRunRows(write: Write, run: RunJob, active: Found<ActiveRun> | null): RunJob {
  const { jobId: runId, args: { productId, trigger } } = run;
  activeRuns.save(write, run, active, { productId, runId });
  productRuns.put(write, run, { productId, runId });
  if (trigger === "manual") askedRuns.put(write, run, { runId });
  return run;
}

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

export async function deleteRunRows(write: Write, store: Store, run: RunJob): Promise<void> {
  const { workspaceId, jobId: runId, status, args: { productId } } = run;
  productRuns.drop(write, run, { productId, runId });
  endedRuns.drop(write, run, { status, runId });
  const results = runResults.walk({ store, workspaceId }, { within: { runId } });
  for await (const { row } of results) runResults.drop(write, run, row);
}

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

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

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
  // Runs that people request have an early `notBefore`, so they start before scheduled runs.
  const notBefore = new Date(orderMs - (30 * 86_400_000));
  const run = addJob(write, ctx, { kind: RUN_KIND, args, stats: NO_COUNTS, notBefore });
  return addRunRows(write, run, active);
}

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
