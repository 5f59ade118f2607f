/**
 * Routes that evaluate rules: simulations for some products, counts, back-tests, reports on a
 * rule's effect, and the decisions about one product.
 */
import { automationRoutes } from "./brakes.ts";
import { keyWith, manager, viewer } from "../../accounts/roles.ts";
import { isId } from "../../base/id.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import {
  type CompiledRule,
  compileRules,
  type JudgedRule,
} from "../../engine/pricing/compile_rule.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context } from "../../platform/store/context.ts";
import { draftFields, listRules, requireDraft, requireRule } from "../rule.ts";
import { Backtest, BacktestRequest, readBacktest, startBacktest } from "./backtest_job.ts";
import { ClauseCountRequest, ClauseCounts, countClauses, SAMPLE_MAX } from "./count_clauses.ts";
import { readSurroundings, type Scene } from "../proposals/priced_product.ts";
import { readSubjects, streamProducts, withFacts } from "./situation_reader.ts";
import { allRules, judge, type Judged, named, ruleAmong } from "./judge.ts";
import { LearningQuery, learnRule, RuleLearning } from "./learning.ts";
import { readOutcome, RuleOutcome } from "./rule_outcome.ts";
import { pick, TopN } from "../../base/collections.ts";
import { noSuch, shown } from "../../base/failure.ts";
import { compareTexts } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import { placeRule } from "../../engine/pricing/simulation.ts";
import { z } from "@hono/zod-openapi";
import type { Product } from "../../catalogue/products/product.ts";
import { toTraceDocument, TraceDocument } from "../proposals/proposal.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import { readBudget } from "./rule_stats.ts";

const cents = z.int().nullable();
const goal = cents
  .describe("The final price that the moves approach; null for a formula or without a price");
const notes = z.array(z.string())
  .describe("Codes of what changed the price while it was computed: bounds, endings, fallback");

const SimulatedDecision = z.object({
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  wouldFire: z.boolean().describe("True if the trigger fires, regardless of guards"),
  currentCents: cents,
  proposedCents: z.int().optional().describe("Absent if there is no price"),
  marginPct: z.number().nullable(),
  bindingGuard: z.string().nullable(),
  goalCents: goal,
  notes,
  cooldownActive: z.boolean().describe("True during the cooldown, which a simulation ignores"),
  reason: z.string(),
  trace: TraceDocument,
}).meta({ id: "SimulatedDecision" });

type SimulatedDecision = z.infer<typeof SimulatedDecision>;

function toSimulated(
  { id: productId, sku, title }: Pick<Product, "id" | "sku" | "title">,
  decision: Decision,
): SimulatedDecision {
  const proposedCents = decision.proposedCents ?? undefined;
  return { productId, sku, title, proposedCents, ...serialised(decision) };
}

function serialised(decision: Decision) {
  const { wouldFire, cooldownActive, currentCents, marginPct, bindingGuard, goalCents } = decision;
  return {
    wouldFire,
    cooldownActive,
    currentCents,
    marginPct,
    bindingGuard,
    goalCents,
    notes: [...decision.notes],
    reason: wireReason(decision.reason),
    trace: toTraceDocument(decision.trace()),
  };
}

const ExplainedDecision = z.object({
  ruleId: z.string(),
  ruleName: z.string(),
  outcome: z.enum(["rest", "alert", "propose", "apply"]),
  wouldFire: z.boolean(),
  cooldownActive: z.boolean(),
  currentCents: cents,
  proposedCents: cents,
  marginPct: z.number().nullable(),
  bindingGuard: z.string().nullable(),
  goalCents: goal,
  notes,
  blocked: z.array(z.string()).describe("Guards that forbid the price"),
  held: z.array(z.string()).describe("Guards that prevent applying it automatically"),
  reason: z.string(),
  trace: TraceDocument,
}).meta({ id: "ExplainedDecision" });

type ExplainedDecision = z.infer<typeof ExplainedDecision>;

function toExplained(ruleName: string, decision: Decision): ExplainedDecision {
  const { ruleId, outcome, proposedCents, blocked, held } = decision;
  const guards = { blocked: [...blocked], held: [...held] };
  return { ruleId, ruleName, outcome, proposedCents, ...guards, ...serialised(decision) };
}

/** If the request names no products, the service chooses a sample (docs/decisions/rules.md). */
const SimulateRequest = z.strictObject({
  sampleProductIds: z.array(z.string())
    .refine((ids) => new Set(ids).size <= SAMPLE_MAX, `Must hold at most ${SAMPLE_MAX} ids`)
    .nullish()
    .meta({ type: ["array", "null"], items: { type: "string" }, maxItems: SAMPLE_MAX }),
}).meta({ id: "SimulateRequest" });

type SimulateRequest = z.infer<typeof SimulateRequest>;

const DraftSimulateRequest = SimulateRequest.extend(
  draftFields("The stored rule that is edited; its cooldowns and ranks are used"),
).meta({ id: "DraftSimulateRequest" });

const Simulation = z.object({
  firstFive: z.array(
    SimulatedDecision.pick({ sku: true, wouldFire: true, proposedCents: true, reason: true }),
  ),
  evaluated: z.int(),
  fired: z.int().describe("Number of products that get a price or an alert"),
  results: z.array(SimulatedDecision),
  ignored: z.array(z.object({ id: z.string(), reason: z.string() })),
}).meta({ id: "Simulation" });

const FIRST = 5;
const FIRST_FIELDS = ["sku", "wouldFire", "proposedCents", "reason"] as const;

async function simulate(
  ctx: Context,
  rule: JudgedRule,
  { sampleProductIds }: SimulateRequest,
  mode: "simulate" | "preview",
) {
  const placed = placeRule(rule, await listRules(ctx));
  const asked = [...new Set(sampleProductIds ?? [])];
  const malformed = asked.filter((one) => !isId(one));
  const surroundings = await readSurroundings(ctx);
  const scene = { surroundings, nowMs: ctx.now().getTime(), mode };
  const ids = asked.length === 0
    ? await sampleOf(await scopeOf(ctx, rule, scene), placed.rule, scene.nowMs)
    : asked.filter(isId);
  const found = new Set<string>();
  const results: SimulatedDecision[] = [];
  let fired = 0;
  const judged = judge(named(ctx, ids, scene), ruleAmong(placed), ctx);
  for await (const { product: { found: { product } }, answer: { decision }, at } of judged) {
    found.add(product.id);
    results[at] = toSimulated(product, decision);
    if (decision.outcome !== "rest" || decision.proposedCents !== null) fired++;
  }
  const unknown = ids.filter((one) => !found.has(one));
  return {
    firstFive: results.slice(0, FIRST).map((one) => pick(one, FIRST_FIELDS)),
    evaluated: results.length,
    fired,
    results,
    ignored: [
      ...malformed.map((one) => ({ id: shown(one), reason: "malformed" })),
      ...unknown.map((one) => ({ id: one, reason: "not_found" })),
    ],
  };
}

const WALKED_MAX = 100_000;

async function scopeOf(
  ctx: Context,
  { scope }: Pick<JudgedRule, "scope">,
  scene: Scene,
): Promise<AsyncIterable<Judged>> {
  if (scope.mode !== "sku") return streamProducts(ctx, { ...scene, most: WALKED_MAX });
  const rows = await findIndexRows(ctx, scope.list);
  return named(ctx, [...rows.values()].map(({ id }) => id), scene);
}

interface Candidate {
  readonly id: string;
  readonly sku: string;
  readonly isObserved: boolean;
}

/** Takes products from all categories in turn; those with recently observed offers come first. */
async function sampleOf(
  products: AsyncIterable<Judged>,
  { scope }: CompiledRule,
  nowMs: number,
): Promise<string[]> {
  const ofCategory = new Map<string | null, TopN<Candidate>>();
  const isBetter = (a: Candidate, b: Candidate) =>
    a.isObserved === b.isObserved ? compareTexts(a.sku, b.sku) < 0 : a.isObserved;
  const fromMs = nowMs - 30 * DAY_MS;
  for await (const { situation: { product, offers } } of products) {
    if (!scope.includes(product)) continue;
    const { id, sku, category } = product;
    const isObserved = offers.some(({ observedAtMs }) => (observedAtMs ?? -Infinity) >= fromMs);
    ofCategory.getOrInsertComputed(category, () => new TopN(SAMPLE_MAX, isBetter))
      .add({ id, sku, isObserved });
  }
  const placed = ofCategory.values().flatMap((best) =>
    best.sorted().map((one, place) => ({ ...one, place }))
  );
  return [...placed].toSorted((a, b) =>
    Number(b.isObserved) - Number(a.isObserved) || a.place - b.place || compareTexts(a.sku, b.sku)
  ).slice(0, SAMPLE_MAX).map(({ id }) => id);
}

const simulated = one(Simulation, "What the rule would do; nothing is written");

export function evaluationRoutes({ cache }: { readonly cache: CatalogueCache }) {
  return [...draftRoutes(), ...automationRoutes(), ...ruleRoutes(cache)];
}

const ACCESS = { read: { people: viewer }, change: { people: manager } };

function draftRoutes() {
  return resource("", ACCESS)
    .post("/rules/simulate", {
      callers: { people: viewer },
      body: DraftSimulateRequest,
      answer: simulated,
    }, async ({ ctx, body }) => {
      return await simulate(ctx, await requireDraft(ctx, body), body, "preview");
    })
    .post("/rules/counts", {
      callers: { people: viewer },
      keepsAnswers: false,
      body: ClauseCountRequest,
      answer: one(ClauseCounts, "How many products each part of the rule leaves"),
    }, ({ ctx, body }) => countClauses(ctx, body)).routes;
}

function ruleRoutes(cache: CatalogueCache) {
  return resource("", ACCESS)
    .post("/rules/{id}/simulate", {
      callers: { people: viewer },
      optionalBody: SimulateRequest,
      answer: simulated,
    }, async ({ ctx, id, body }) => {
      return await simulate(ctx, (await requireRule(ctx, id)).rule, body, "simulate");
    })
    .get("/rules/{id}/learning", {
      query: LearningQuery,
      answer: one(
        RuleLearning,
        "Sales before and after the rule's price changes of a month, whatever their cause",
      ),
    }, ({ ctx, id, query: { month } }) => learnRule(ctx, cache, id, month))
    .get("/rules/{id}/outcome", {
      callers: { people: viewer, keys: keyWith("rules:read") },
      answer: one(
        RuleOutcome,
        "Price changes of the rule since it was enabled, and the sales before and after them",
      ),
    }, ({ ctx, id }) => readOutcome(ctx, id))
    .post("/rules/{id}/backtest", {
      optionalBody: BacktestRequest,
      answer: one(Backtest.pick({ jobId: true, status: true }), "It is queued; see `Location`"),
      status: 202,
      location: ({ jobId }) => `/backtests/${jobId}`,
    }, ({ ctx, id, body }) => startBacktest(ctx, id, body))
    .get("/backtests/{jobId}", {
      tags: ["Rules"],
      answer: one(Backtest, "The current state of the back-test"),
    }, ({ ctx, jobId }) => readBacktest(ctx, jobId))
    .get("/products/{id}/decisions", {
      callers: { people: viewer, keys: keyWith("rules:read") },
      tags: ["Rules"],
      answer: page(
        ExplainedDecision,
        "The current decisions of all enabled rules, in the order of the rules; a single page",
        { inApp: "DecisionPage" },
      ),
    }, async ({ ctx, id }) => {
      const items = await explainProduct(ctx, id);
      return { items, nextCursor: null, count: items.length };
    }).routes;
}

async function explainProduct(ctx: Context, id: string): Promise<ExplainedDecision[]> {
  const surroundings = await readSurroundings(ctx);
  const scene = { surroundings, nowMs: ctx.now().getTime(), mode: "explain" } as const;
  const read = await readSubjects(ctx, isId(id) ? [id] : [], scene);
  const [subject] = read.subjects;
  if (!subject) throw noSuch("product", id);
  const compiled = compileRules(await listRules(ctx));
  const names = new Map(compiled.map((rule) => [rule.id, rule.name]));
  const spent = (await readBudget(ctx, compiled, surroundings))?.spent;
  const situation = { ...await withFacts(ctx, subject.situation), ...spent && { spent } };
  return allRules(compiled)(situation).decisions
    .map((decision) => toExplained(names.get(decision.ruleId) ?? "", decision));
}
