/** The decision of a single rule about one product. */
import type { CompiledRule } from "../../../src/engine/pricing/compile_rule.ts";
import { decideIn, type Decision } from "../../../src/engine/pricing/decide.ts";
import { readMarket } from "../../../src/engine/pricing/market.ts";
import type { Situation } from "../../../src/engine/pricing/situation.ts";

export function decide(rule: CompiledRule, situation: Situation): Decision {
  return decideIn(rule, readMarket(situation));
}
