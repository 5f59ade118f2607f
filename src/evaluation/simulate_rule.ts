import { z } from "@hono/zod-openapi";
import { refuseFields } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import type { CatalogueMemory } from "../catalogue/lists/catalogue_memory.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import type { Context } from "../platform/store/context.ts";
import { ignoring } from "../platform/http/http.ts";
import { type CompiledRule, compileRule, type JudgedRule } from "../pricing/compile_rule.ts";
import { decide } from "../pricing/decide.ts";
import { refuseRule } from "../pricing/refuse_rule.ts";
import { NewRule } from "../pricing/rule.ts";
import { requireRule } from "../rules/find_rule.ts";
import { RULE_READ_ONLY } from "../rules/rule.ts";
import { SimulatedDecision, toSimulated } from "./decision_document.ts";
import { lacksHistory } from "./judge_subject.ts";
import { withFacts } from "./price_facts.ts";
import { SAMPLE_MAX, sampleProducts } from "./sample_products.ts";
import { readSubjects, readSurroundings, type Subject } from "./situation_reader.ts";

/** What is to be looked at (docs/decisions/rules.md); without ids the service chooses. */
export const SimulateRequest = z.strictObject({
  sampleProductIds: z.array(z.string())
    .refine((ids) => new Set(ids).size <= SAMPLE_MAX, `Must hold at most ${SAMPLE_MAX} ids`)
    .nullish()
    .meta({ type: ["array", "null"], items: { type: "string" }, maxItems: SAMPLE_MAX }),
}).meta({ id: "SimulateRequest" });

export type SimulateRequest = z.infer<typeof SimulateRequest>;

/** A rule that is not stored as it stands here: a new one, or a stored one while it is edited. */
export const DraftSimulateRequest = SimulateRequest.extend({
  rule: ignoring(RULE_READ_ONLY, NewRule),
  ruleId: z.string().nullish().meta({
    description: "The stored rule that is edited: its cooldowns and ranks count",
  }),
}).meta({ id: "DraftSimulateRequest" });

export type DraftSimulateRequest = z.infer<typeof DraftSimulateRequest>;

export const Simulation = z.object({
  firstFive: z.array(SimulatedDecision.pick({
    sku: true,
    wouldFire: true,
    proposedCents: true,
    reason: true,
  })),
  evaluated: z.int(),
  fired: z.int(),
  results: z.array(SimulatedDecision),
  ignored: z.array(z.object({ id: z.string(), reason: z.string() })),
}).meta({ id: "Simulation" });

export type Simulation = z.infer<typeof Simulation>;

const FIRST = 5;
const SHOWN_CHARACTERS = 100;

/**
 * A dry run: nothing is written, cooldowns are ignored (docs/decisions/rules.md). Refuses with
 * `not_found`.
 */
export async function simulateRule(
  ctx: Context,
  memory: CatalogueMemory,
  id: string,
  request: SimulateRequest,
): Promise<Simulation> {
  const { rule } = await requireRule(ctx, id);
  return await simulate(ctx, memory, rule, request);
}

/**
 * The same dry run for terms that nobody has saved. Refuses with `validation_failed` what could not
 * be saved either, and with `not_found` a `ruleId` that names no rule.
 */
export async function simulateDraft(
  ctx: Context,
  memory: CatalogueMemory,
  { rule: terms, ruleId, ...request }: DraftSimulateRequest,
): Promise<Simulation> {
  const refused = refuseRule(terms, await requireWorkspace(ctx));
  if (refused.length > 0) {
    throw refuseFields(refused.map((field) => ({ ...field, path: `rule.${field.path}` })));
  }
  const stored = ruleId ? (await requireRule(ctx, ruleId)).rule : null;
  const { id, createdAt } = stored ?? { id: ctx.newId(), createdAt: ctx.now().toISOString() };
  return await simulate(ctx, memory, { ...terms, id, createdAt }, request);
}

async function simulate(
  ctx: Context,
  memory: CatalogueMemory,
  rule: JudgedRule,
  { sampleProductIds }: SimulateRequest,
): Promise<Simulation> {
  const compiled = compileRule(rule);
  const named = [...new Set(sampleProductIds ?? [])];
  const malformed = named.filter((one) => !isId(one));
  const ids = named.length === 0
    ? await sampleProducts(ctx, memory, rule, compiled)
    : named.filter(isId);
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "simulate" } as const;
  const { subjects } = await readSubjects(ctx, ids, surroundings, moment);
  const found = new Set(subjects.map((subject) => subject.found.id));
  const unknown = ids.filter((one) => !found.has(one));
  const results = await Promise.all(
    subjects.map((subject) => simulateSubject(ctx, compiled, subject)),
  );
  return {
    firstFive: results.slice(0, FIRST).map(toFirst),
    evaluated: results.length,
    fired: results.filter(({ wouldFire }) => wouldFire).length,
    results,
    ignored: [
      ...malformed.map((one) => ({
        id: one.slice(0, SHOWN_CHARACTERS).toWellFormed(),
        reason: "malformed",
      })),
      ...unknown.map((one) => ({ id: one, reason: "not_found" })),
    ],
  };
}

async function simulateSubject(
  ctx: Context,
  compiled: CompiledRule,
  { situation }: Subject,
): Promise<SimulatedDecision> {
  const first = decide(compiled, situation);
  if (!lacksHistory(first)) return toSimulated(situation.product, first);
  return toSimulated(situation.product, decide(compiled, await withFacts(ctx, situation)));
}

function toFirst({ sku, wouldFire, proposedCents, reason }: SimulatedDecision) {
  return {
    sku,
    wouldFire,
    ...(proposedCents === undefined ? {} : { proposedCents }),
    reason,
  };
}
