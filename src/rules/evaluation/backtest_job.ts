/**
 * A back-test computes the prices that a rule would have set in the past, from the stored history
 * of the products (docs/decisions/rules.md).
 */
import { z } from "@hono/zod-openapi";
import { isInStock } from "../../base/codes.ts";
import { Failure, requireById } from "../../base/failure.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  listDocuments,
  listPriceChanges,
  type WalkedChange,
  walkPriceChangesOf,
} from "../../catalogue/products/product_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import {
  type BacktestQuestion,
  BacktestResult,
  backtestResult,
  type BacktestSums,
  NO_BACKTEST,
  type PastProduct,
  replayRule,
} from "../../engine/pricing/backtest.ts";
import { placeRule } from "../../engine/pricing/simulation.ts";
import {
  type Job,
  JOB_STATUSES,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { addJob, findJob } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { isAccepted, type PlacedObservation } from "../../shops/observations/observation.ts";
import { ofProduct, ownedPages } from "../../shops/observations/read_observations.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import {
  pricedProductOf,
  pricingOffersOf,
  readSurroundings,
  type Surroundings,
} from "../proposals/priced_product.ts";
import { listRules, requireRule } from "../rule.ts";
import { ruleAmong } from "./judge.ts";

const OBSERVATIONS_AT_ONCE = 1_000;
const OBSERVATIONS_MAX = 20_000;
const PRICES_MAX = 10_000;

type Reader = Pick<StepTools<never>, "store" | "workspaceId" | "now" | "beat">;

/** Reads the history of `products`, which are sorted by id, until `OBSERVATIONS_MAX` is reached. */
export async function readPasts(
  tools: Reader,
  products: readonly Product[],
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
  surroundings: Surroundings,
) {
  const found: PlacedObservation[][] = [];
  const time = { fromMs, toMs: endMs, order: "asc" } as const;
  let left = OBSERVATIONS_MAX;
  for (const { id } of products) {
    if (left <= 0) break;
    const observations: PlacedObservation[] = [];
    for await (const page of ownedPages(tools, ofProduct(id), time, OBSERVATIONS_AT_ONCE)) {
      observations.push(...page);
      await tools.beat();
    }
    found.push(observations);
    left -= observations.length;
  }
  const read = products.slice(0, found.length);
  const leftAt = products[found.length]?.id ?? null;
  const [rows, prices] = await Promise.all([
    findOffersOf(tools, read.map(({ id }) => id)),
    readPrices(tools, read, endMs),
  ]);
  const pasts = read.map((product, place): PastProduct => {
    const changes = prices.get(product.id) ?? [];
    const ownPrices = changes.length === 0
      ? [{ atMs: 0, cents: product.ourPriceCents }]
      : changes.map(({ atMs, change: { toCents, currency } }) => ({
        atMs,
        cents: currency === product.currency ? toCents : null,
      }));
    const offers = rows[place]?.offers ?? [];
    const offerOf = new Map(offers.map((offer) => [offer.matchId, offer]));
    const observations = (found[place] ?? []).map(({ observation }) => observation)
      .filter((observation) => isAccepted(observation, offerOf.get(observation.matchId)))
      .map(({ matchId, observedAtMs: atMs, priceCents, currency, availability }) => (
        { matchId, atMs, priceCents, currency, inStock: isInStock(availability) }
      ));
    const { offers: matches } = pricingOffersOf(offers, surroundings);
    return { product: pricedProductOf(product), matches, observations, ownPrices };
  });
  return { pasts, leftAt };
}

type DatedChange = Pick<WalkedChange, "atMs" | "change">;

async function readPrices(tools: Reader, products: readonly Product[], beforeMs: number) {
  const found = new Map<string, DatedChange[]>(products.map(({ id }) => [id, []]));
  for await (const { productId, ...change } of walkPriceChangesOf(tools, products)) {
    const ofProduct = found.get(productId);
    if (!ofProduct || change.atMs >= beforeMs) continue;
    ofProduct.push(change);
    if (ofProduct.length > PRICES_MAX) ofProduct.shift();
  }
  for (const { id, ourPriceCents } of products) {
    if (ourPriceCents === null || found.get(id)?.length !== 0) continue;
    const changes = await listPriceChanges(tools, id, { fromMs: 0, beforeMs }, PRICES_MAX);
    found.set(id, changes.map((change) => ({ atMs: Date.parse(change.at), change })).reverse());
  }
  return found;
}

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
  readonly version: number;
  readonly days: number;
  readonly endMs: number;
}

interface BacktestCursor {
  readonly after: string;
  readonly tally: BacktestSums;
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
  const find = (id: string) => findJob<BacktestJob>(workspace, BACKTEST_KIND, id);
  const job = await requireById("back-test", jobId, find);
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
  // Begin 31 days earlier, because rules may use prices that are up to 30 days old.
  const fromMs = args.endMs - (args.days + 31) * DAY_MS;
  const window = { fromMs, endMs: args.endMs };
  const { pasts, leftAt } = await readPasts(tools, products, window, surroundings);
  const tally = structuredClone(cursor?.tally ?? NO_BACKTEST);
  const ask = ruleAmong(question);
  for (const past of pasts) {
    replayRule(tally, past, question, ask);
    await tools.beat();
  }
  const done = leftAt === null ? page : page.filter(({ id }) => id < leftAt);
  const after = done.at(-1)?.id;
  const processed = progress.processed + done.length;
  if (after === undefined || (leftAt === null && page.length < PRODUCTS_PER_STEP)) {
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
  const placed = placeRule(rule, await listRules(workspace));
  return { ...placed, settings: { ...settings, stop: null }, days, endMs };
}
