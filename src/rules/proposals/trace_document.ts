/** Traces as the interfaces show them: facts with their English sentences. */
import { z } from "zod";
import { Trace } from "../../engine/pricing/trace.ts";
import { wireObjection, wireSaid } from "../../engine/wording/reason_text.ts";

const { trigger, guards } = Trace.shape;

/** Why a rule says what it says: inputs, references, formula and guards. */
export const TraceDocument = Trace.extend({
  trigger: trigger.extend({
    reason: z.string().meta({ description: "`said` in a sentence" }),
  }).meta({ description: "What the trigger looked at, and what it said" }),
  guards: z.array(guards.element.extend({
    why: z.string().nullable().meta({ description: "Its objection in a sentence" }),
  })).meta({ description: "In the order in which they were asked" }),
}).meta({ id: "Trace", description: "Inputs, references, formula and guards of the decision" });

export type TraceDocument = z.infer<typeof TraceDocument>;

export function toTraceDocument(trace: Trace): TraceDocument {
  const { trigger, guards } = trace;
  return {
    ...trace,
    trigger: { ...trigger, reason: wireSaid(trigger.said) },
    guards: guards.map((asked) => ({
      ...asked,
      why: asked.facts && wireObjection({ code: asked.guard, facts: asked.facts }),
    })),
  };
}
