/**
 * Finds the rule that sets a product's price, and the rules that compete with a rule, by evaluating
 * each rule alone. The code is slow, but short enough to check by reading.
 */
import { decide } from "./market.ts";
import type { CompiledRule } from "../../../src/engine/pricing/compile_rule.ts";
import { TEMPORARY_CODES } from "../../../src/engine/pricing/guards.ts";
import type { SimulationQuestion } from "../../../src/engine/pricing/simulation.ts";
import type { Situation } from "../../../src/engine/pricing/situation.ts";

export function rivalsPlainly({ rule, all }: SimulationQuestion, situation: Situation) {
  if (askedAlone(rule, situation) === null) return [];
  const inScope = all.filter(({ price, scope }) => price && scope.includes(situation.product));
  const others = inScope.filter((one) => one.id !== rule.id);
  const owner = ownerPlainly(inScope, situation);
  const without = ownerPlainly(others, situation);
  const fronts = inScope.slice(0, inScope.findIndex(({ id }) => id === rule.id));
  const isOutranked = ownerPlainly(fronts, situation) !== undefined;
  const taker = isOutranked ? undefined : takerPlainly(inScope, rule, situation)?.id;
  return others.map(({ id, ...other }) => ({
    ruleId: id,
    shares: askedAlone({ id, ...other }, situation) !== null,
    wins: id === owner?.id,
    loses: owner?.id === rule.id && id === without?.id,
    takesBack: id === taker,
  })).filter(({ shares, wins, loses, takesBack }) => shares || wins || loses || takesBack);
}

/** The price that the rule would propose if it were alone and no temporary guard stopped it. */
export function askedAlone(rule: CompiledRule, situation: Situation): number | null {
  const { proposedCents, wouldFire, blocked, trace } = decide(rule, situation);
  if (proposedCents !== null) return proposedCents;
  const isHeldUp = wouldFire && blocked.length > 0 &&
    blocked.every((code) => TEMPORARY_CODES.has(code));
  return isHeldUp ? trace().price?.proposedCents ?? null : null;
}

export function atPrice(situation: Situation, ourPriceCents: number): Situation {
  return { ...situation, product: { ...situation.product, ourPriceCents } };
}

/** Returns the first earlier rule that would change the price that `rule` proposes. */
function takerPlainly(rules: readonly CompiledRule[], rule: CompiledRule, situation: Situation) {
  const wish = askedAlone(rule, situation);
  const fronts = rules.slice(0, rules.findIndex(({ id }) => id === rule.id));
  return wish === null
    ? undefined
    : fronts.find((front) => ![null, wish].includes(askedAlone(front, atPrice(situation, wish))));
}

/** Returns the first rule whose proposed price no earlier rule would change. */
export function ownerPlainly(rules: readonly CompiledRule[], situation: Situation) {
  return rules.find((rule) =>
    askedAlone(rule, situation) !== null && !takerPlainly(rules, rule, situation)
  );
}
