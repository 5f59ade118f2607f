/** Starts, reads and cancels simulations of rules on the catalogue, and applies simulated rules. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { DAY_MS } from "../../base/time.ts";
import { compareTexts } from "../../base/text.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import type { JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { GAP_EDGES, SimulatedOutcome } from "../../engine/pricing/simulation.ts";
import { rejudge } from "../../platform/events/outbox_store.ts";
import { openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import { JOB_STATUSES } from "../../platform/jobs/job.ts";
import { addJob, cancelJob, findJob } from "../../platform/jobs/job_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { type Move, previewMoves, ProposalPreview } from "../proposals/preview_many.ts";
import {
  checkRule,
  draftFields,
  rejudgeArgs,
  requireRule,
  requireSound,
  termsHash,
} from "../rule.ts";
import {
  createSimulationKind,
  findOthers,
  listOutcomes,
  putTerms,
  SIMULATION_KIND,
  type SimulationArgs,
  type SimulationEnd,
  type SimulationJob,
} from "./simulation_store.ts";
import { Conflicts, conflictsOf } from "./count_clauses.ts";
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../../accounts/roles.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";

const SimulationRequest = z.strictObject(
  draftFields("The stored rule that the draft replaces; null or absent: an additional rule"),
).meta({ id: "SimulationRequest" });

const Count = z.int();
const CodeCount = z.object({
  code: z.string().describe("Code of a guard, of a bound, or of why the trigger had no result"),
  products: Count,
});
const Bins = z.array(Count);
const Share = z.number().nullable();

const SimulationResult = z.object({
  inScope: Count.describe("Active products of the scope"),
  fired: Count.describe("Products for which the rule would act"),
  up: Count,
  down: Count,
  wouldApply: Count.describe("Prices that the rule would set automatically"),
  resting: z.array(CodeCount).describe("Products without a new price, by reason"),
  braked: z.array(CodeCount).describe("Prices that a bound or guard changed"),
  margin: z.object({
    before: Share.describe("With current prices, in percent"),
    after: Share.describe("With the rule's prices, in percent"),
    known: Count.describe("Products whose margin is known"),
  }).describe("Average margin of the products of the scope"),
  effect: z.object({
    products: Count.describe("Products whose price changes and whose sales are known"),
    before30dCents: Count.describe("With current prices"),
    after30dCents: Count.describe("With the rule's prices"),
    revenue: z.object({
      before30dCents: Count.describe("With current prices"),
      after30dCents: Count.describe("With the rule's prices"),
    }).nullable().describe(
      "Net revenue of the same products at equal sales; null for older simulations",
    ),
  }).nullable().describe(
    "Net profit of 30 days at equal sales, in minor units of the workspace's currency; null " +
      "without known sales",
  ),
  gap: z.object({
    edges: z.array(z.number())
      .describe("In percent of the cheapest offer; a value on an edge belongs to the bin above it"),
    before: Bins.describe("With current prices"),
    stored: Bins.nullable().describe("With the stored version of the rule"),
    after: Bins.describe("With the rule's prices"),
  }).describe("Products by their gap: one bin below the first edge, one above the last"),
  cheapest: z.object({
    before: Count.describe("With current prices"),
    stored: Count.nullable().describe("With the stored version of the rule"),
    after: Count.describe("With the rule's prices"),
  }).describe("Products for which no offer is cheaper than our price"),
  conflicts: Conflicts,
}).meta({ id: "CatalogueSimulationResult" });

export const CatalogueSimulation = z.object({
  id: z.string(),
  status: z.enum(JOB_STATUSES),
  progress: z.object({ processed: Count, total: Count.nullable() }),
  asOf: z.iso.datetime().describe("The time for which the rule is evaluated"),
  ruleId: z.string().nullable(),
  result: SimulationResult.nullable().describe("Null until the job has succeeded"),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}).meta({ id: "CatalogueSimulation" });

export type CatalogueSimulation = z.infer<typeof CatalogueSimulation>;

const { marginPct, proposedMarginPct, ...moved } = SimulatedOutcome.shape;

export const SimulationItem = z.object({
  ...moved,
  title: z.string().nullable().describe("Null for a product that was deleted since"),
  changePct: Share.describe("Change of the price in percent"),
  marginPct,
  proposedMarginPct,
}).meta({ id: "SimulationItem" });

export type SimulationItem = z.infer<typeof SimulationItem>;

const SimulationItemsQuery = z.strictObject({
  outcome: moved.outcome.optional(),
  guard: z.string().max(40).optional().describe("One of the codes of the result"),
  sort: z.enum(["change", "margin", "sku"]).default("change")
    .describe("`change`: the largest first; `margin`: the smallest first"),
  ...pageQuery(50, 200),
});

export async function startSimulation(
  ctx: Context,
  { rule: terms, ruleId }: z.output<typeof SimulationRequest>,
): Promise<{ id: string; status: "queued" }> {
  await requireSound(ctx, terms, "rule.");
  const total = await countActiveProducts(ctx);
  const id = await transact(ctx, async (write) => {
    const stored = ruleId ? (await requireRule(ctx, ruleId)).rule : null;
    const asOfMs = ctx.now().getTime();
    const own = { ruleId: stored?.id ?? null, asOfMs };
    const { mark: others } = await findOthers(ctx, own);
    const fingerprint = termsHash(terms);
    const args: SimulationArgs = { ...own, fingerprint, others };
    const progress = { processed: 0, total };
    const job = addJob(write, ctx, { kind: SIMULATION_KIND, args, stats: {}, progress });
    const createdAt = stored?.createdAt ?? ctx.now().toISOString();
    const rule: JudgedRule = { ...terms, id: stored?.id ?? job.jobId, createdAt };
    putTerms(write, ctx.workspaceId, job.jobId, { rule, stored });
    ctx.receipt?.put(write, `/api/simulations/${job.jobId}`);
    return job.jobId;
  });
  return { id, status: "queued" };
}

async function requireSimulation(ctx: Context, id: string): Promise<SimulationJob> {
  const job = isId(id) ? await findJob<SimulationJob>(ctx, SIMULATION_KIND, id) : null;
  if (job && Date.parse(job.createdAt) > ctx.now().getTime() - DAY_MS) return job;
  throw noSuch("simulation", id);
}

function endOf(job: SimulationJob): SimulationEnd | null {
  if (job.status !== "succeeded") return null;
  const end: SimulationEnd = Object(job.result);
  return end;
}

export async function readSimulation(ctx: Context, id: string): Promise<CatalogueSimulation> {
  const job = await requireSimulation(ctx, id);
  const { status, progress, error, args } = job;
  const end = endOf(job);
  return {
    id,
    status,
    progress,
    asOf: new Date(args.asOfMs).toISOString(),
    ruleId: args.ruleId,
    result: end && resultOf(end),
    error: error && { code: error.code, message: error.message },
  };
}

function resultOf({ tally, effect, hasStored }: SimulationEnd): CatalogueSimulation["result"] {
  const { margin, gap, cheapest, conflicts, resting, braked, ...counts } = tally;
  const mean = (sum: number) => margin.known === 0 ? null : Math.round(sum / margin.known) / 100;
  const { revenue } = effect;
  return {
    ...counts,
    resting: mostFirst(resting),
    braked: mostFirst(braked),
    margin: { before: mean(margin.before), after: mean(margin.after), known: margin.known },
    effect: effect.products === 0 ? null : {
      products: effect.products,
      before30dCents: effect.before,
      after30dCents: effect.after,
      revenue: { before30dCents: revenue.before, after30dCents: revenue.after },
    },
    gap: {
      edges: [...GAP_EDGES],
      before: [...gap.before],
      stored: hasStored ? [...gap.stored] : null,
      after: [...gap.after],
    },
    cheapest: { ...cheapest, stored: hasStored ? cheapest.stored : null },
    conflicts: conflictsOf(conflicts),
  };
}

function mostFirst(counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([code, products]) => ({ code, products }))
    .sort((a, b) => b.products - a.products || (a.code < b.code ? -1 : 1));
}

async function pageOfOutcomes(
  ctx: Context,
  id: string,
  { outcome, guard, sort, limit, cursor }: z.output<typeof SimulationItemsQuery>,
): Promise<Page<SimulationItem>> {
  const outcomes = await outcomesOf(ctx, id);
  const position = openCursor(ctx, cursor, z.int()) ?? 0;
  const found = outcomes.filter((one) =>
    (outcome === undefined || one.outcome === outcome) &&
    (guard === undefined || one.code === guard)
  ).map(toItem).sort(ORDERS[sort]);
  const rows = found.slice(position, position + limit + 1).map((item, at) => ({ item, at }));
  const page = toPage(ctx, { rows, limit, positionOf: ({ at }) => position + at + 1 });
  const items = page.items.map(({ item }) => item);
  const titleOf = await titlesOf(ctx, items);
  return { ...page, items: items.map((item) => ({ ...item, title: titleOf(item) })) };
}

async function previewSimulation(ctx: Context, id: string): Promise<ProposalPreview> {
  const moves = (await outcomesOf(ctx, id)).flatMap((one): Move[] => {
    const { currentCents, proposedCents, effect30dCents, ...own } = one;
    if (currentCents === null || proposedCents === null) return [];
    return [{
      ...own,
      id: own.productId,
      productTitle: null,
      currentCents,
      proposedCents,
      marginAfterPct: own.proposedMarginPct,
      effectCents: null,
      ...(effect30dCents !== null && { effect30dCents }),
    }];
  });
  const preview = previewMoves(moves);
  const titleOf = await titlesOf(ctx, preview.largest);
  const largest = preview.largest.map((one) => ({ ...one, productTitle: titleOf(one) }));
  return { ...preview, largest };
}

async function titlesOf(ctx: Context, rows: readonly Pick<SimulatedOutcome, "productId">[]) {
  const found = await findDocuments(ctx, rows.map(({ productId }) => productId));
  const titles = new Map(found.map(({ id, bytes }) => [id, parseProduct(bytes).title]));
  return ({ productId }: typeof rows[number]) => titles.get(productId) ?? null;
}

async function outcomesOf(ctx: Context, id: string): Promise<SimulatedOutcome[]> {
  const job = await requireSimulation(ctx, id);
  if (job.status === "succeeded") return await listOutcomes(ctx, id);
  throw new Failure("conflict", `The simulation has no outcomes yet: ${job.status}`);
}

type UntitledItem = Omit<SimulationItem, "title">;

function toItem(one: SimulatedOutcome): UntitledItem {
  const { currentCents, proposedCents } = one;
  const changePct = currentCents === null || currentCents === 0 || proposedCents === null
    ? null
    : Math.round((proposedCents - currentCents) / currentCents * 10_000) / 100;
  return { ...one, changePct };
}

const bySku = (a: UntitledItem, b: UntitledItem) => compareTexts(a.sku, b.sku);

const ORDERS = {
  change: (a, b) => Math.abs(b.changePct ?? 0) - Math.abs(a.changePct ?? 0) || bySku(a, b),
  margin: (a, b) =>
    (a.proposedMarginPct ?? a.marginPct ?? Infinity) -
      (b.proposedMarginPct ?? b.marginPct ?? Infinity) || bySku(a, b),
  sku: bySku,
} as const satisfies Record<string, (a: UntitledItem, b: UntitledItem) => number>;

async function cancelSimulation(ctx: Context, id: string): Promise<CatalogueSimulation> {
  await requireSimulation(ctx, id);
  await transact(ctx, async (write) => {
    await cancelJob(write, ctx, createSimulationKind(), id);
    ctx.receipt?.put(write, `/api/simulations/${id}`);
  });
  return await readSimulation(ctx, id);
}

const ApplyRequest = z.strictObject({
  simulationId: z.string().describe("Id of the simulation that the person has seen"),
}).meta({ id: "RuleApplyRequest" });

const Applied = z.object({
  status: z.literal("queued"),
  products: z.int().describe("Number of products of the scope that are evaluated now"),
  moves: z.int().describe("Number of prices that change according to the simulation"),
}).meta({ id: "RuleApplied" });

/** Throws `conflict` unless the simulation has succeeded and the rule is enabled and unchanged. */
async function applyRule(
  ctx: Context,
  ruleId: string,
  { simulationId }: z.output<typeof ApplyRequest>,
): Promise<z.infer<typeof Applied>> {
  const job = await requireSimulation(ctx, simulationId);
  const end = endOf(job);
  if (!end) throw new Failure("conflict", `The simulation has not succeeded: ${job.status}`);
  const { inScope, up, down } = end.tally;
  await transact(ctx, async (write) => {
    const found = await requireRule(ctx, ruleId);
    const { rule } = found;
    if (termsHash(rule) !== job.args.fingerprint) {
      throw new Failure("conflict", "The rule differs from the simulated one: simulate it again");
    }
    if (!rule.enabled) throw new Failure("conflict", "The rule is disabled: enable it first");
    checkRule(write, ctx.workspaceId, found);
    rejudge(write, ctx, { ...rejudgeArgs(rule), isAsked: true, isApplied: true });
    addAuditRow(write, ctx, {
      action: "rule.apply",
      resource: { type: "rule", id: ruleId, label: rule.name },
      after: { moves: up + down },
    });
    ctx.receipt?.put(write, null);
  });
  return { status: "queued", products: inScope, moves: up + down };
}

const Started = CatalogueSimulation.pick({ id: true, status: true })
  .meta({ id: "SimulationStarted" });

const simulation = (words: string) =>
  one(CatalogueSimulation, words, { external: "CatalogueSimulationData" });

export function simulationRoutes() {
  return resource("", {
    read: { people: viewer, keys: keyWith("rules:read") },
    change: { people: manager, keys: keyWith("rules:write") },
    tags: ["Rules"],
  })
    .post("/simulations", {
      body: SimulationRequest,
      answer: one(
        Started,
        "All products of the scope are evaluated in the background; see `Location`",
      ),
      status: 202,
      location: ({ id }) => `/simulations/${id}`,
    }, ({ ctx, body }) => startSimulation(ctx, body))
    .get("/simulations/{id}", {
      answer: simulation("The current state of the simulation; it is kept for a day"),
    }, ({ ctx, id }) => readSimulation(ctx, id))
    .get("/simulations/{id}/items", {
      query: SimulationItemsQuery,
      answer: page(SimulationItem, "What the rule would do with each product of its scope", {
        inApp: "SimulationItemPage",
      }),
    }, ({ ctx, id, query }) => pageOfOutcomes(ctx, id, query))
    .get("/simulations/{id}/preview", {
      answer: one(ProposalPreview, "What the rule will change now, according to the simulation"),
    }, ({ ctx, id }) => previewSimulation(ctx, id))
    .post("/simulations/{id}/cancel", {
      answer: simulation("The cancelled simulation"),
    }, ({ ctx, id }) => cancelSimulation(ctx, id))
    .post("/rules/{id}/apply", {
      body: ApplyRequest,
      answer: one(Applied, "The products of the scope are queued for evaluation"),
      status: 202,
    }, ({ ctx, id, body }) => applyRule(ctx, id, body)).routes;
}
