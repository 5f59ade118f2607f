import type { CompiledRule } from "./compile_rule.ts";
import { conclude, decideIn, type Decision } from "./decide.ts";
import { judgeRule } from "./judge_rule.ts";
import { type Market, readMarket } from "./market.ts";
import type { Situation } from "./situation.ts";

/** What one pass over all rules says of one product. */
export interface ProductDecisions {
  /** Of the rules whose trigger fired, in their order; in mode `explain` of every rule. */
  readonly decisions: readonly Decision[];
  /** The one whose price counts: the first that has one, also while it rests in its cooldown. */
  readonly winner: Decision | null;
  /** Ranks that are not the remembered ones: to be stored. */
  readonly ranks: readonly { readonly ruleId: string; readonly rank: number }[];
}

const NOTHING: ProductDecisions = { decisions: [], winner: null, ranks: [] };

/**
 * One pass for one product: the first rule that yields a price wins, later ones may still alert
 * (docs/decisions/rules.md). `rules` come from `compileRules`. Costs a scope test per rule that
 * does not concern the product, and a comparison per rule that does not fire.
 */
export function decideProduct(
  rules: readonly CompiledRule[],
  situation: Situation,
): ProductDecisions {
  if (situation.mode === "explain") return explainProduct(rules, situation);
  return decideLive(rules, situation);
}

/** The market is read for the first rule that looks at the product. */
function decideLive(rules: readonly CompiledRule[], situation: Situation): ProductDecisions {
  let market: Market | null = null;
  let found: Collected | null = null;
  for (const rule of rules) {
    if (!rule.scope.includes(situation.product)) continue;
    market ??= readMarket(situation);
    const judgement = judgeRule(rule, market);
    const { fires, rank } = judgement.verdict;
    if (!fires && rank === null) continue;
    found ??= { decisions: [], winner: null, winnerName: null, ranks: [] };
    noteRank(found, rule, rank, situation);
    if (fires) noteDecision(found, rule, conclude(rule, judgement, found.winnerName));
  }
  return found ?? NOTHING;
}

interface Collected {
  decisions: Decision[];
  winner: Decision | null;
  winnerName: string | null;
  ranks: { ruleId: string; rank: number }[];
}

function explainProduct(rules: readonly CompiledRule[], situation: Situation): ProductDecisions {
  const market = readMarket(situation);
  const found: Collected = { decisions: [], winner: null, winnerName: null, ranks: [] };
  for (const rule of rules) {
    const decision = rule.scope.includes(situation.product)
      ? conclude(rule, judgeRule(rule, market), found.winnerName)
      : decideIn(rule, market);
    noteRank(found, rule, decision.rank, situation);
    noteDecision(found, rule, decision);
  }
  return found;
}

function noteDecision(found: Collected, rule: CompiledRule, decision: Decision): void {
  found.decisions.push(decision);
  if (decision.proposedCents === null || found.winner !== null) return;
  found.winner = decision;
  found.winnerName = rule.name;
}

function noteRank(
  found: Collected,
  rule: CompiledRule,
  rank: number | null,
  { history }: Situation,
): void {
  if (rank === null || history.rules[rule.id]?.rank === rank) return;
  found.ranks.push({ ruleId: rule.id, rank });
}
