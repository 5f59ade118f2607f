import { isId } from "../../base/id.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import type { Context } from "../../platform/store/context.ts";
import { SimulatedDecision, toSimulated } from "./decision_document.ts";
import { draftFields } from "../change_rule.ts";
import { judge, named, oneRule } from "./judge.ts";
import { SAMPLE_MAX, sampleProducts } from "./sample_products.ts";
import { readSurroundings } from "./situation_reader.ts";
import { z } from "@hono/zod-openapi";

/** The products to simulate (docs/decisions/rules.md); without ids the service chooses. */
export const SimulateRequest = z.strictObject({
  sampleProductIds: z.array(z.string())
    .refine((ids) => new Set(ids).size <= SAMPLE_MAX, `Must hold at most ${SAMPLE_MAX} ids`)
    .nullish()
    .meta({ type: ["array", "null"], items: { type: "string" }, maxItems: SAMPLE_MAX }),
}).meta({ id: "SimulateRequest" });

export type SimulateRequest = z.infer<typeof SimulateRequest>;

/** A rule that is not stored as it stands here: a new one, or a stored one while it is edited. */
export const DraftSimulateRequest = SimulateRequest.extend(
  draftFields("The stored rule that is edited: its cooldowns and ranks count"),
).meta({ id: "DraftSimulateRequest" });

export type DraftSimulateRequest = z.infer<typeof DraftSimulateRequest>;

export const Simulation = z.object({
  firstFive: z.array(SimulatedDecision.pick({
    sku: true,
    wouldFire: true,
    proposedCents: true,
    reason: true,
  })),
  evaluated: z.int(),
  fired: z.int().meta({ description: "Products for which a price or an alert comes out" }),
  results: z.array(SimulatedDecision),
  ignored: z.array(z.object({ id: z.string(), reason: z.string() })),
}).meta({ id: "Simulation" });

export type Simulation = z.infer<typeof Simulation>;

const FIRST = 5;
const SHOWN_CHARACTERS = 100;

/** A dry run: nothing is written, cooldowns are ignored (docs/decisions/rules.md). */
export async function simulate(
  ctx: Context,
  cache: CatalogueCache,
  rule: JudgedRule,
  { sampleProductIds }: SimulateRequest,
): Promise<Simulation> {
  const compiled = compileRule(rule);
  const asked = [...new Set(sampleProductIds ?? [])];
  const malformed = asked.filter((one) => !isId(one));
  const ids = asked.length === 0
    ? await sampleProducts(ctx, cache, rule, compiled)
    : asked.filter(isId);
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "simulate" } as const;
  const found = new Set<string>();
  const results: SimulatedDecision[] = [];
  let fired = 0;
  await judge(named(ctx, ids, surroundings), oneRule(compiled), moment, {
    history: ctx,
    take: ({ situation: { product } }, { decision }, at) => {
      found.add(product.id);
      results[at] = toSimulated(product, decision);
      if (hasEffect(decision)) fired++;
    },
  });
  const unknown = ids.filter((one) => !found.has(one));
  return {
    firstFive: results.slice(0, FIRST).map(toFirst),
    evaluated: results.length,
    fired,
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

/** A price or an alert comes out, which is what the simulation of a catalogue counts, too. */
function hasEffect({ outcome, proposedCents }: Decision): boolean {
  return outcome !== "rest" || proposedCents !== null;
}

function toFirst({ sku, wouldFire, proposedCents, reason }: SimulatedDecision) {
  return {
    sku,
    wouldFire,
    ...(proposedCents === undefined ? {} : { proposedCents }),
    reason,
  };
}
