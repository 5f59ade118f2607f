/** Back-test: the prices that a rule would have set in the past (docs/decisions/rules.md). */
import { Failure, noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { DAY_MS } from "../../base/time.ts";
import { listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import {
  type BacktestCounters,
  type BacktestQuestion,
  BacktestResult,
  backtestResult,
  EMPTY_BACKTEST,
} from "../../engine/pricing/backtest.ts";
import { placeRule } from "../../engine/pricing/simulation.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import {
  type Job,
  JOB_STATUSES,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireRule } from "../change_rule.ts";
import { pricedProductOf } from "../proposals/priced_product.ts";
import { listRules } from "../rule_store.ts";
import { everyMoment, judge, ruleAmong } from "./judge.ts";
import { readPasts } from "./past_reader.ts";
import { readSurroundings, type Surroundings } from "./situation_reader.ts";
import { z } from "@hono/zod-openapi";

const BACKTEST_KIND = "backtest";
const DAYS_DEFAULT = 30;
const PRODUCTS_PER_STEP = 500;

export const BacktestRequest = z.strictObject({
  days: z.int().min(1).max(90).default(DAYS_DEFAULT)
    .describe("Number of past days to test"),
}).meta({ id: "BacktestRequest" });

export const Backtest = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  progress: z.object({ processed: z.int(), total: z.int().nullable() }),
  result: BacktestResult.nullable().describe("Null until the job has succeeded"),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}).meta({ id: "Backtest" });

export type Backtest = z.infer<typeof Backtest>;

interface BacktestArgs {
  readonly ruleId: string;
  /** Version of the rule at the start. If this version changes, the job fails. */
  readonly version: number;
  readonly days: number;
  readonly endMs: number;
}

interface BacktestCursor {
  readonly after: string;
  readonly tally: BacktestCounters;
}

type BacktestJob = Job<BacktestArgs, BacktestCursor, Record<never, never>>;

export async function startBacktest(
  ctx: Context,
  ruleId: string,
  { days }: z.output<typeof BacktestRequest>,
): Promise<{ jobId: string; status: "queued" }> {
  const total = await countActiveProducts(ctx);
  const jobId = await transact(ctx, async (write) => {
    const { rule } = await requireRule(ctx, ruleId);
    const args = { ruleId, version: rule.version, days, endMs: ctx.now().getTime() };
    const progress = { processed: 0, total };
    const job = addJob(write, ctx, { kind: BACKTEST_KIND, args, stats: {}, progress });
    ctx.receipt?.put(write, `/api/backtests/${job.jobId}`);
    return job.jobId;
  });
  return { jobId, status: "queued" };
}

export async function readBacktest(workspace: WorkspaceStore, jobId: string): Promise<Backtest> {
  const job = isId(jobId) ? await findJob<BacktestJob>(workspace, BACKTEST_KIND, jobId) : null;
  if (!job) throw noSuch("back-test", jobId);
  const { status, progress, error } = job;
  return {
    jobId,
    status,
    progress,
    result: BacktestResult.nullable().parse(job.result ?? null),
    error: error && { code: error.code, message: error.message },
  };
}

export function createBacktestKind(): JobKind<BacktestJob> {
  return { kind: BACKTEST_KIND, step: takeStep };
}

async function takeStep(
  { args, cursor, progress }: BacktestJob,
  tools: StepTools<BacktestJob>,
): Promise<StepResult<BacktestJob>> {
  const surroundings = await readSurroundings(tools);
  const question = await readQuestion(tools, args, surroundings);
  const page = await listDocuments(tools, cursor?.after ?? null, PRODUCTS_PER_STEP);
  const products = page.map(({ bytes }) => parseProduct(bytes))
    .filter((product) => question.rule.scope.includes(pricedProductOf(product)));
  // A reference price may be 31 days old.
  const fromMs = args.endMs - (args.days + 31) * DAY_MS;
  const window = { fromMs, endMs: args.endMs };
  const { pasts, leftAt } = await readPasts(tools, products, window, surroundings);
  let counters = cursor?.tally ?? EMPTY_BACKTEST;
  const moments = everyMoment(pasts, question, counters, async (sums) => {
    counters = sums;
    await tools.beat();
  });
  await judge(moments, ruleAmong(question), { nowMs: args.endMs, mode: "backtest" }, {
    history: null,
    take: ({ fold }, { market, decision }) => fold.add(market, decision),
  });
  const done = leftAt === null ? page : page.filter(({ id }) => id < leftAt);
  const after = done.at(-1)?.id;
  const processed = progress.processed + done.length;
  if (after === undefined || (leftAt === null && page.length < PRODUCTS_PER_STEP)) {
    const result = backtestResult(counters, question);
    return { progress: { processed, total: processed }, end: { status: "succeeded", result } };
  }
  return { cursor: { after, tally: counters }, progress: { ...progress, processed } };
}

async function readQuestion(
  workspace: WorkspaceStore,
  { ruleId, version, days, endMs }: BacktestArgs,
  { settings }: Surroundings,
): Promise<BacktestQuestion> {
  const { rule } = await requireRule(workspace, ruleId);
  if (rule.version !== version) {
    throw new Failure("version_conflict", "The rule has changed meanwhile: begin again");
  }
  const others = (await listRules(workspace)).filter(({ id }) => id !== ruleId);
  const placed = placeRule(rule, others);
  // The current stop of automatic prices does not apply to the past.
  return { ...placed, settings: { ...settings, stop: null }, days, endMs };
}
