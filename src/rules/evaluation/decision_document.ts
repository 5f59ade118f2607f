import { z } from "@hono/zod-openapi";
import type { Decision } from "../../engine/pricing/decide.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { toTraceDocument, TraceDocument } from "../proposals/proposal.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";

const cents = z.int().nullable();
const goal = cents.meta({
  description: "Where the moves of a rule with `price` go; null for other rules and without one",
});
const notes = z.array(z.string()).meta({
  description: "Codes of what has changed the price on its way: bounds, endings, the fallback",
});

/** A decision of one rule for a product in a dry run (docs/decisions/rules.md, simulate). */
export const SimulatedDecision = z.object({
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  wouldFire: z.boolean().meta({ description: "The trigger fired, whatever a guard says" }),
  currentCents: cents,
  proposedCents: z.int().optional().meta({ description: "Absent when there is no price" }),
  marginPct: z.number().nullable(),
  bindingGuard: z.string().nullable(),
  goalCents: goal,
  notes,
  cooldownActive: z.boolean().meta({ description: "Ignored here" }),
  reason: z.string(),
  trace: TraceDocument,
}).meta({ id: "SimulatedDecision" });

export type SimulatedDecision = z.infer<typeof SimulatedDecision>;

export function toSimulated(
  { id: productId, sku, title }: Pick<Product, "id" | "sku" | "title">,
  decision: Decision,
): SimulatedDecision {
  const { wouldFire, currentCents, proposedCents, marginPct, bindingGuard } = decision;
  return {
    productId,
    sku,
    title,
    wouldFire,
    currentCents,
    ...(proposedCents === null ? {} : { proposedCents }),
    marginPct,
    bindingGuard,
    goalCents: decision.goalCents,
    notes: [...decision.notes],
    cooldownActive: decision.cooldownActive,
    reason: wireReason(decision.reason),
    trace: toTraceDocument(decision.trace()),
  };
}

export const ExplainedDecision = z.object({
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
  blocked: z.array(z.string()).meta({ description: "Guards that forbid the price" }),
  held: z.array(z.string()).meta({ description: "Guards that keep it from being applied" }),
  reason: z.string(),
  trace: TraceDocument,
}).meta({ id: "ExplainedDecision" });

export type ExplainedDecision = z.infer<typeof ExplainedDecision>;

export function toExplained(ruleName: string, decision: Decision): ExplainedDecision {
  return {
    ruleId: decision.ruleId,
    ruleName,
    outcome: decision.outcome,
    wouldFire: decision.wouldFire,
    cooldownActive: decision.cooldownActive,
    currentCents: decision.currentCents,
    proposedCents: decision.proposedCents,
    marginPct: decision.marginPct,
    bindingGuard: decision.bindingGuard,
    goalCents: decision.goalCents,
    notes: [...decision.notes],
    blocked: [...decision.blocked],
    held: [...decision.held],
    reason: wireReason(decision.reason),
    trace: toTraceDocument(decision.trace()),
  };
}
