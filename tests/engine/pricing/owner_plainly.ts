/** Finds the rule that owns a product's price by judging each rule alone. */
import { decide } from "./market.ts";
import type { CompiledRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { Situation } from "../../../src/engine/pricing/situation.ts";

const HOLDS = ["max_move", "day_unread", "moves_per_day", "brake"];

/** The price of a rule as if it were the only one, even if a temporary guard holds the price. */
export function askedAlone(rule: CompiledRule, situation: Situation): number | null {
  const { proposedCents, wouldFire, blocked, trace } = decide(rule, situation);
  if (proposedCents !== null) return proposedCents;
  const isHeldUp = wouldFire && blocked.length > 0 && blocked.every((code) => HOLDS.includes(code));
  return isHeldUp ? trace().price?.proposedCents ?? null : null;
}

export function atPrice(situation: Situation, ourPriceCents: number): Situation {
  return { ...situation, product: { ...situation.product, ourPriceCents } };
}

/** The first earlier rule that would change the price of a later rule. */
export function takerPlainly(
  rules: readonly CompiledRule[],
  rule: CompiledRule,
  situation: Situation,
) {
  const wish = askedAlone(rule, situation);
  const fronts = rules.slice(0, rules.findIndex(({ id }) => id === rule.id));
  return wish === null
    ? undefined
    : fronts.find((front) => ![null, wish].includes(askedAlone(front, atPrice(situation, wish))));
}

/** The first rule whose price no earlier rule would change. */
export function ownerPlainly(rules: readonly CompiledRule[], situation: Situation) {
  return rules.find((rule) =>
    askedAlone(rule, situation) !== null && !takerPlainly(rules, rule, situation)
  );
}
