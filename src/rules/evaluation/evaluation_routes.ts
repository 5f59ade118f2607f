/** Dry runs, back-tests, and the decisions of all rules for one product. */

import { manager, viewer } from "../../accounts/route_access.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { isId } from "../../base/id.ts";
import type { CatalogueMemory } from "../../catalogue/lists/catalogue_cache.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import { compileRules } from "../../engine/pricing/compile_rule.ts";
import { decideProduct } from "../../engine/pricing/decide.ts";
import {
  jsonAnswer,
  jsonBody,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { listRules } from "../rule_store.ts";
import {
  Automation,
  automationOf,
  AutomationResumeRequest,
  AutomationStopRequest,
  resume,
  stop,
} from "./automation.ts";
import { Backtest, BacktestRequest, readBacktest, startBacktest } from "./backtest_job.ts";
import { ClauseCountRequest, ClauseCounts, countClauses, Looks } from "./count_clauses.ts";
import { readBudget } from "./day_budget.ts";
import { ExplainedDecision, toExplained } from "./decision_document.ts";
import { LearningQuery, learnRule } from "./learn_rule.ts";
import { RuleLearning } from "./learning.ts";
import { withFacts } from "./price_facts.ts";
import {
  DraftSimulateRequest,
  simulateDraft,
  SimulateRequest,
  simulateRule,
  Simulation,
} from "./simulate_rule.ts";
import { readSubjects, readSurroundings } from "./situation_reader.ts";
import { z } from "@hono/zod-openapi";

const tags = ["Rules"];
const params = z.object({ id: z.string() });

const simulate = route({
  method: "post",
  path: "/api/rules/{id}/simulate",
  access: viewer,
  request: { params, body: optionalJsonBody(SimulateRequest) },
  responses: { 200: jsonAnswer(Simulation, "What the rule would do; nothing is written") },
});

const simulateUnsaved = route({
  method: "post",
  path: "/api/rules/simulate",
  access: viewer,
  request: { body: jsonBody(DraftSimulateRequest) },
  responses: { 200: jsonAnswer(Simulation, "What the rule would do; nothing is written") },
});

const countEachClause = route({
  method: "post",
  path: "/api/rules/counts",
  access: viewer,
  keepsAnswers: false,
  request: { body: jsonBody(ClauseCountRequest) },
  responses: {
    200: jsonAnswer(ClauseCounts, "What each part of the rule leaves; nothing is written"),
  },
});

const backtest = route({
  method: "post",
  path: "/api/rules/{id}/backtest",
  access: manager,
  request: { params, body: optionalJsonBody(BacktestRequest) },
  responses: {
    202: jsonAnswer(Backtest.pick({ jobId: true, status: true }), "It is queued; see `Location`"),
  },
});

const readTest = route({
  method: "get",
  path: "/api/backtests/{jobId}",
  access: viewer,
  tags,
  request: { params: z.object({ jobId: z.string() }) },
  responses: { 200: jsonAnswer(Backtest, "The back-test as it stands") },
});

const decisions = route({
  method: "get",
  path: "/api/products/{id}/decisions",
  access: viewer,
  tags,
  request: { params },
  responses: {
    200: jsonAnswer(
      pageOf(ExplainedDecision).meta({ id: "DecisionPage" }),
      "Every enabled rule judged now, in the order in which they are asked; one page",
    ),
  },
});

const learning = route({
  method: "get",
  path: "/api/rules/{id}/learning",
  access: viewer,
  request: { params, query: LearningQuery },
  responses: {
    200: jsonAnswer(
      RuleLearning,
      "What followed the changes that the rule made in a month; not what came of them",
    ),
  },
});

const automationTags = ["Automation"];

const readAutomation = route({
  method: "get",
  path: "/api/automation",
  access: viewer,
  tags: automationTags,
  responses: { 200: jsonAnswer(Automation, "What rules do by themselves, and whether they may") },
});

const stopAll = route({
  method: "post",
  path: "/api/automation/stop",
  access: manager,
  tags: automationTags,
  request: { body: jsonBody(AutomationStopRequest) },
  responses: { 200: jsonAnswer(Automation, "No rule sets a price by itself; what that stops") },
});

const resumeAll = route({
  method: "post",
  path: "/api/automation/resume",
  access: manager,
  tags: automationTags,
  request: { body: optionalJsonBody(AutomationResumeRequest) },
  responses: { 200: jsonAnswer(Automation, "Rules set prices by themselves again") },
});

export function evaluationRoutes({ memory }: { readonly memory: CatalogueMemory }) {
  const looks = new Looks();
  return room()
    .openapi(
      simulateUnsaved,
      async (c) => c.json(await simulateDraft(c.var.ctx, memory, c.req.valid("json")), 200),
    )
    .openapi(countEachClause, async (c) => {
      using look = looks.begin(c.var.ctx);
      return c.json(await countClauses(c.var.ctx, c.req.valid("json"), look.signal), 200);
    })
    .openapi(readAutomation, async (c) => {
      const { ctx } = c.var;
      return c.json(await automationOf(ctx, await requireWorkspace(ctx)), 200);
    })
    .openapi(stopAll, async (c) => {
      const { reason } = c.req.valid("json");
      return c.json(await stop(c.var.ctx, reason), 200);
    })
    .openapi(resumeAll, async (c) => {
      const { reason = null } = c.req.valid("json");
      return c.json(await resume(c.var.ctx, reason), 200);
    })
    .openapi(simulate, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await simulateRule(c.var.ctx, memory, id, c.req.valid("json")), 200);
    })
    .openapi(learning, async (c) => {
      const { month } = c.req.valid("query");
      return c.json(await learnRule(c.var.ctx, memory, c.req.valid("param").id, month), 200);
    })
    .openapi(backtest, async (c) => {
      const started = await startBacktest(
        c.var.ctx,
        c.req.valid("param").id,
        c.req.valid("json"),
      );
      return c.json(started, 202, { Location: `/api/backtests/${started.jobId}` });
    })
    .openapi(
      readTest,
      async (c) => c.json(await readBacktest(c.var.ctx, c.req.valid("param").jobId), 200),
    )
    .openapi(decisions, async (c) => {
      const items = await explainProduct(c.var.ctx, c.req.valid("param").id);
      return c.json({ items, nextCursor: null, count: items.length }, 200);
    });
}

/**
 * The decision of every enabled rule for a product, in the order of the rules. Refuses with
 * `not_found`.
 */
async function explainProduct(ctx: Context, id: string): Promise<ExplainedDecision[]> {
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "explain" } as const;
  const read = await readSubjects(ctx, isId(id) ? [id] : [], surroundings, moment);
  const [subject] = read.subjects;
  if (!subject) throw noSuchProduct(id);
  const compiled = compileRules((await listRules(ctx)).map(({ rule }) => rule));
  const names = new Map(compiled.map((rule) => [rule.id, rule.name]));
  const spent = (await readBudget(ctx, compiled, surroundings))?.spent;
  const situation = {
    ...await withFacts(ctx, subject.situation),
    ...spent && { spent },
  };
  return decideProduct(compiled, situation).decisions
    .map((decision) => toExplained(names.get(decision.ruleId) ?? "", decision));
}
