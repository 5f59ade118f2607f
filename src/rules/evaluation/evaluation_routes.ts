/**
 * Routes for simulations of some products, counts, back-tests, reports on a rule's effect, the stop
 * of automatic prices, and decisions about a product.
 */
import { resumeAutomation, stopAutomation } from "../../accounts/change_settings.ts";
import { keyWith, manager, viewer } from "../../accounts/roles.ts";
import { requireWorkspace, Workspace } from "../../accounts/workspace.ts";
import { isId, leastIdAt } from "../../base/id.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import { compileRules } from "../../engine/pricing/compile_rule.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { requireDraft, requireRule } from "../change_rule.ts";
import { listRules } from "../rule.ts";
import { Backtest, BacktestRequest, readBacktest, startBacktest } from "./backtest_job.ts";
import { ClauseCountRequest, ClauseCounts, countClauses, RunningCounts } from "./count_clauses.ts";
import { readSurroundings } from "../proposals/priced_product.ts";
import { readBudget, readSubjects, withFacts } from "./situation_reader.ts";
import {
  DraftSimulateRequest,
  ExplainedDecision,
  simulate,
  SimulateRequest,
  Simulation,
  toExplained,
} from "./simulate_rule.ts";
import { allRules } from "./judge.ts";
import { LearningQuery, learnRule, RuleLearning } from "./learning.ts";
import { readOutcome, RuleOutcome } from "./rule_outcome.ts";
import { DAY_MS } from "../../base/time.ts";
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { countOpenProposals, listProposals } from "../proposals/proposal_store.ts";

const PER_READ = 1_000;

const AutomationStopRequest = z.strictObject({
  reason: AuditReason.refine((reason) => reason !== null, "Must give a reason")
    .describe("The reason, which is shown to all people of the workspace"),
}).meta({ id: "AutomationStopRequest" });

const AutomationResumeRequest = z.strictObject({
  reason: AuditReason.optional(),
}).meta({ id: "AutomationResumeRequest" });

const Automation = z.object({
  automationStop: Workspace.shape.automationStop,
  rules: z.int()
    .describe("Enabled rules that set prices automatically; while stopped, they propose them"),
  waiting: z.int().describe("Number of open proposals, up to 100,000"),
  applied24h: z.int()
    .describe("Number of prices that rules set automatically in the last 24 hours, up to 10,000"),
}).meta({ id: "Automation" });

async function automationOf(
  workspace: WorkspaceStore & Pick<Context, "now">,
  { automationStop }: Pick<Workspace, "automationStop">,
) {
  const [rules, waiting, applied24h] = await Promise.all([
    listRules(workspace),
    countOpenProposals(workspace, 100_000),
    countAppliedByRules(workspace, workspace.now().getTime() - DAY_MS, 10_000),
  ]);
  const automatic = rules.filter(({ enabled, actions }) =>
    enabled && actions.some(({ type }) => type === "auto_apply_if_safe")
  );
  return { automationStop, rules: automatic.length, waiting, applied24h };
}

async function countAppliedByRules(workspace: WorkspaceStore, sinceMs: number, max: number) {
  const least = leastIdAt(sinceMs);
  let [counted, seen] = [0, 0];
  const index = { by: "status", status: "applied" } as const;
  const pages = pagesOf((...at) => listProposals(workspace, index, ...at, "desc"), idOf, PER_READ);
  for await (const page of pages) {
    const young = page.filter(({ id }) => id >= least);
    counted += young.filter(({ decidedBy }) => decidedBy?.type === "system").length;
    seen += page.length;
    if (young.length < PER_READ || seen >= max) break;
  }
  return counted;
}

const simulated = one(Simulation, "What the rule would do; nothing is written");

export function evaluationRoutes({ cache }: { readonly cache: CatalogueCache }) {
  return [...draftRoutes(cache), ...automationRoutes(), ...ruleRoutes(cache)];
}

const ACCESS = { read: { people: viewer }, change: { people: manager } };

function draftRoutes(cache: CatalogueCache) {
  const counts = new RunningCounts();
  return resource("", ACCESS)
    .post("/rules/simulate", {
      callers: { people: viewer },
      body: DraftSimulateRequest,
      answer: simulated,
    }, async ({ ctx, body }) => {
      return await simulate(ctx, cache, await requireDraft(ctx, body), body, "preview");
    })
    .post("/rules/counts", {
      callers: { people: viewer },
      keepsAnswers: false,
      body: ClauseCountRequest,
      answer: one(ClauseCounts, "How many products each part of the rule leaves"),
    }, async ({ ctx, body }) => {
      using count = counts.begin(ctx);
      return await countClauses(ctx, body, count.signal);
    }).routes;
}

function automationRoutes() {
  return resource("", { ...ACCESS, tags: ["Automation"] })
    .get("/automation", {
      answer: one(Automation, "Automatic prices: how many there are, and whether they are stopped"),
    }, async ({ ctx }) => automationOf(ctx, await requireWorkspace(ctx)))
    .post("/automation/stop", {
      body: AutomationStopRequest,
      answer: one(Automation, "Automatic prices are stopped; the numbers that this affects"),
    }, async ({ ctx, body: { reason } }) => automationOf(ctx, await stopAutomation(ctx, reason)))
    .post("/automation/resume", {
      sensitive: true,
      optionalBody: AutomationResumeRequest,
      answer: one(Automation, "Rules set prices automatically again"),
    }, async ({ ctx, body: { reason = null } }) => {
      return automationOf(ctx, await resumeAutomation(ctx, reason));
    }).routes;
}

function ruleRoutes(cache: CatalogueCache) {
  return resource("", ACCESS)
    .post("/rules/{id}/simulate", {
      callers: { people: viewer },
      optionalBody: SimulateRequest,
      answer: simulated,
    }, async ({ ctx, id, body }) => {
      return await simulate(ctx, cache, (await requireRule(ctx, id)).rule, body, "simulate");
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
  if (!subject) throw noSuchProduct(id);
  const compiled = compileRules(await listRules(ctx));
  const names = new Map(compiled.map((rule) => [rule.id, rule.name]));
  const spent = (await readBudget(ctx, compiled, surroundings))?.spent;
  const situation = { ...await withFacts(ctx, subject.situation), ...spent && { spent } };
  return allRules(compiled).ask(situation).decisions
    .map((decision) => toExplained(names.get(decision.ruleId) ?? "", decision));
}
