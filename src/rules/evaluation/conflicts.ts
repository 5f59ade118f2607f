/** Other rules that ask for prices of the same products as one rule. */
import type { SimulationCounters } from "../../engine/pricing/simulation_count.ts";
import { z } from "@hono/zod-openapi";

const Count = z.int();

export const Conflicts = z.array(z.object({
  ruleId: z.string(),
  products: Count.meta({ description: "Products for which both rules have a price" }),
  wins: Count.meta({ description: "Products that belong to the other rule" }),
  loses: Count.meta({
    description: "Products that belong to this rule, and to the other one without it",
  }),
  takesBack: Count.meta({
    description: "Products on which this rule rests: the other one would take its price back",
  }),
}));

export function conflictsOf(counts: SimulationCounters["conflicts"]): z.infer<typeof Conflicts> {
  return Object.entries(counts)
    .map(([ruleId, [products, wins, loses = 0, takesBack = 0]]) => (
      { ruleId, products, wins, loses, takesBack }
    ))
    .sort((a, b) => b.products - a.products || (a.ruleId < b.ruleId ? -1 : 1));
}
