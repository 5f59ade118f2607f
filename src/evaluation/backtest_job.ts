/**
 * What a rule would have done, as a job over all products of its scope (docs/decisions/rules.md,
 * Back-test).
 */
import { z } from "@hono/zod-openapi";
import { isInStock } from "../base/availability.ts";
import { Failure } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { countActiveProducts } from "../catalogue/products/product_count_store.ts";
import { listPriceChanges } from "../catalogue/products/price_changes.ts";
import { listDocuments } from "../catalogue/products/product_store.ts";
import { parseProduct } from "../catalogue/products/product_wire.ts";
import { findOffersOf } from "../competitors/offers/offer_store.ts";
import { readProduct } from "../observations/lists/read_stretch.ts";
import type { PlacedObservation, Position } from "../observations/observation.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import {
  type Job,
  JOB_STATUSES,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../platform/jobs/job.ts";
import { findJob } from "../platform/jobs/job_store.ts";
import { addJob } from "../platform/jobs/add_job.ts";
import { transact } from "../platform/store/kv.ts";
import {
  type BacktestQuestion,
  backtestResult,
  type BacktestTally,
  EMPTY_TALLY,
  tallyProduct,
} from "../pricing/backtest.ts";
import { compileRule, compileRules } from "../pricing/compile_rule.ts";
import type { PastProduct, PastSight } from "../pricing/past.ts";
import type { PricedProduct } from "../pricing/situation.ts";
import { pricedProductOf } from "../proposals/priced_product.ts";
import { requireRule } from "../rules/find_rule.ts";
import { listRules } from "../rules/rule_store.ts";
import { pricingOffersOf } from "../proposals/priced_offer.ts";
import { readSurroundings, type Surroundings } from "./situation_reader.ts";

export const BACKTEST_KIND = "backtest";
const DAYS_MAX = 90;
const DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;
/** References are at most this old, so the scene is set by what came before the window. */
const BEFORE_MS = 31 * DAY_MS;
const PRODUCTS_PER_STEP = 50;
const SIGHTS_AT_ONCE = 1_000;
const PRICES_MAX = 10_000;

export const BacktestRequest = z.strictObject({
  days: z.int().min(1).max(DAYS_MAX).default(DAYS_DEFAULT)
    .meta({ description: "How many days back" }),
}).meta({ id: "BacktestRequest" });

const Count = z.int();

export const Backtest = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  progress: z.object({ processed: Count, total: Count.nullable() }),
  result: z.object({
    days: Count.meta({ description: "How many days back" }),
    evaluated: Count,
    firesPerDay: z.array(z.object({
      date: z.iso.date().meta({ description: "The day, in UTC" }),
      fires: Count,
      proposals: Count.meta({ description: "How many proposals it would have made" }),
    })),
    moves: z.object({
      up: Count,
      down: Count,
      averagePct: z.number().nullable().meta({ description: "The mean change, in percent" }),
    }).meta({ description: "The changes of price that it would have proposed" }),
    margin: z.object({
      currentPct: z.number().nullable().meta({
        description: "With the prices that there were, in percent",
      }),
      proposedPct: z.number().nullable().meta({
        description: "With the prices that it would have proposed, in percent",
      }),
    }).meta({ description: "The mean margin of the products whose cost is known" }),
    conflicts: z.array(z.object({ ruleId: z.string(), products: Count })),
  }).nullable().meta({ description: "Null until it has succeeded" }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}).meta({ id: "Backtest" });

export type Backtest = z.infer<typeof Backtest>;

interface BacktestArgs {
  readonly ruleId: string;
  /** A rule that changes meanwhile would be half the one and half the other. */
  readonly version: number;
  readonly days: number;
  readonly endMs: number;
}

interface BacktestCursor {
  readonly after: string;
  readonly tally: BacktestTally;
}

export type BacktestJob = Job<BacktestArgs, BacktestCursor, Record<never, never>>;

/** Adds the job. Refuses with `not_found`. */
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

/** Refuses with `not_found` what is no back-test of the workspace. */
export async function readBacktest(workspace: WorkspaceStore, jobId: string): Promise<Backtest> {
  const job = isId(jobId) ? await findJob<BacktestJob>(workspace, BACKTEST_KIND, jobId) : null;
  if (!job) {
    const shown = jobId.slice(0, 100).toWellFormed();
    throw new Failure("not_found", `There is no back-test "${shown}"`);
  }
  const { status, progress, error } = job;
  return {
    jobId,
    status,
    progress,
    result: Backtest.shape.result.parse(job.result ?? null),
    error: error && { code: error.code, message: error.message },
  };
}

/** Reads only; a step is a page of products, and what it has summed up is its cursor. */
export function createBacktestKind(): JobKind<BacktestJob> {
  return {
    kind: BACKTEST_KIND,
    slotsPerProcess: 1,
    slotsPerWorkspace: 1,
    isSerialPerWorkspace: false,
    step: takeStep,
  };
}

async function takeStep(
  { args, cursor, progress }: BacktestJob,
  tools: StepTools<BacktestJob>,
): Promise<StepResult<BacktestJob>> {
  const surroundings = await readSurroundings(tools);
  const question = await readQuestion(tools, args, surroundings);
  const page = await listDocuments(tools, cursor?.after ?? null, PRODUCTS_PER_STEP);
  const products = page.map(({ bytes }) => pricedProductOf(parseProduct(bytes)));
  let tally = cursor?.tally ?? EMPTY_TALLY;
  for (const product of products.filter((one) => question.rule.scope.includes(one))) {
    tally = tallyProduct(tally, await readPast(tools, product, question, surroundings), question);
    await tools.beat();
  }
  const after = page.at(-1)?.id;
  const processed = progress.processed + page.length;
  if (after === undefined || page.length < PRODUCTS_PER_STEP) {
    const result = backtestResult(tally, question);
    return { progress: { processed, total: processed }, end: { status: "succeeded", result } };
  }
  return { cursor: { after, tally }, progress: { ...progress, processed } };
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
  const all = (await listRules(workspace)).map((found) => found.rule);
  const others = compileRules(all.filter(({ id }) => id !== ruleId));
  // A stop of today says nothing about the past.
  return { rule: compileRule(rule), others, settings: { ...settings, stop: null }, days, endMs };
}

async function readPast(
  tools: StepTools<BacktestJob>,
  product: PricedProduct,
  { days, endMs }: BacktestQuestion,
  { competitors }: Surroundings,
): Promise<PastProduct> {
  const fromMs = endMs - days * DAY_MS - BEFORE_MS;
  const [rows, sights, changes] = await Promise.all([
    findOffersOf(tools, [product.id]),
    readSights(tools, product.id, fromMs, endMs),
    listPriceChanges(tools, product.id, { fromMs: 0, beforeMs: endMs }, PRICES_MAX),
  ]);
  const matches = pricingOffersOf(rows[0]?.offers ?? [], competitors);
  // Of a workspace that began inside the window nothing older is known: today's price goes before.
  const ownPrices = changes.length === 0
    ? [{ atMs: 0, cents: product.ourPriceCents }]
    : changes.map(({ at, toCents }) => ({ atMs: Date.parse(at), cents: toCents })).reverse();
  return { product, matches, sights, ownPrices };
}

async function readSights(
  tools: StepTools<BacktestJob>,
  productId: string,
  fromMs: number,
  toMs: number,
): Promise<PastSight[]> {
  const sights: PastSight[] = [];
  for (let after: Position | null = null;;) {
    const stretch = { fromMs, toMs, order: "asc", after } as const;
    const read: PlacedObservation[] = await readProduct(tools, productId, stretch, SIGHTS_AT_ONCE);
    sights.push(...read.map(sightOf));
    after = read.at(-1) ?? null;
    if (read.length < SIGHTS_AT_ONCE) return sights;
    await tools.beat();
  }
}

function sightOf({ observation }: PlacedObservation): PastSight {
  const { matchId, observedAtMs, priceCents, currency, availability, confidence } = observation;
  const inStock = isInStock(availability);
  return { matchId, atMs: observedAtMs, priceCents, currency, inStock, confidence };
}
