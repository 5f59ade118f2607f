import { AVAILABILITIES } from "../../base/codes.ts";
import { PAGE_WARNINGS } from "../../engine/extraction/page_facts.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import { hasEnded, type Job, JOB_STATUSES, type JobStatus } from "../../platform/jobs/job.ts";
import type { VisitState } from "../page/visit.ts";
import { PageStatusField } from "../page/page_statement.ts";
import { SCRAPE_ERRORS } from "../scrape_errors.ts";
import { z } from "@hono/zod-openapi";

/** The job kind of runs; a run has the id of its job. */
export const RUN_KIND = "scrape";

export const RUN_TRIGGERS = ["manual", "schedule"] as const;

export interface RunArgs {
  readonly productId: string;
  /** The SKU when the run was created. */
  readonly sku: string;
  readonly trigger: (typeof RUN_TRIGGERS)[number];
  /** Restricts the run to this shop; absent for all shops. */
  readonly competitorId?: string | undefined;
  /** When the run was requested or due; at each shop the oldest run goes first. */
  readonly orderMs: number;
}

export interface RunCursor extends VisitState {
  /** Ids of the matches to fetch, in order; fixed when the run begins. */
  readonly targets: readonly string[];
  readonly n: number;
}

export const RunCounts = z.object({
  targets: z.int(),
  ok: z.int().meta({ description: "Number of pages with a price" }),
  failed: z.int(),
  skipped: z.int().meta({ description: "Number of pages that were not visited" }),
});

export type RunCounts = z.infer<typeof RunCounts>;

export const NO_COUNTS: RunCounts = { targets: 0, ok: 0, failed: 0, skipped: 0 };

export type RunJob = Job<RunArgs, RunCursor, RunCounts>;

/** Set when the run has taken its first permit at a shop. */
export const FETCHING_PHASE = "fetching";

const PriceAlternative = z.object({
  method: z.string(),
  price: z.int(),
  currency: z.string(),
});

export const FOUND_FIELDS = {
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  method: z.string().nullable(),
  confidence: z.number().nullable(),
  alternatives: z.array(PriceAlternative),
  pageStatus: PageStatusField.nullable(),
  warnings: z.array(z.enum(PAGE_WARNINGS)).meta({
    description: "`selector_dead`: the extractor's place of the price is not on the page",
  }),
};

/** The result of a page without any facts. */
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
  competitor: z.string().meta({ description: "The competitor's display name" }),
  url: z.string(),
  status: z.enum(["ok", "failed", "skipped"]).meta({
    description: "Whether the page had a price or was not visited",
  }),
  price: z.int().nullable().meta({ description: "Minor units of `currency`, as observed" }),
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
  title: z.string().nullable().meta({ description: "Null: the product was deleted" }),
  trigger: z.enum(RUN_TRIGGERS),
  status: RunStatus.meta({
    description: "`succeeded`: the run reached its end, even if pages failed",
  }),
  hasErrors: z.boolean(),
  counts: RunCounts.meta({ description: "Number of pages by outcome" }),
  results: z.array(RunResult).meta({ description: "Results of the finished targets" }),
  requestedBy: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "ScrapeRun" });

export type Run = z.infer<typeof Run>;

export const StartedRun = z.object({ runId: z.string(), status: RunStatus })
  .meta({ id: "StartedScrapeRun" });

export type StartedRun = z.infer<typeof StartedRun>;

/**
 * Returns the status for display: `queued` until the first permit at a shop, then `running`, even
 * while the run waits for the next permit.
 */
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
    // Older results lack status and warning.
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
  label: z.object({ de: z.string(), en: z.string() }).meta({ description: "Name for people" }),
}).meta({ id: "ScrapeMethod" });

/** Methods in order of precedence. */
export const MethodList = z.object({ data: z.array(ScrapeMethod), count: z.int() })
  .meta({ id: "ScrapeMethodList" });

export type MethodList = Readonly<z.output<typeof MethodList>>;
