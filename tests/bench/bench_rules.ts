/** Rules for benchmarks that evaluate catalogues. */
import type { TestApp } from "../harness.ts";
import { addSilentRule } from "../rules/evaluation/market.ts";

export const RULES = 10;

const WHENS = [
  { trigger: "competitor_undercut", competitorDeltaPct: 30 },
  { trigger: "competitor_overcut", competitorDeltaPct: 60 },
  { trigger: "margin_below", marginPct: 1 },
  { trigger: "margin_above", marginPct: 95 },
  { trigger: "market_index", indexAbove: 150, indexBelow: 50 },
];

/**
 * Adds rules for brands, categories and all products, which hardly ever fire. Returns their ids.
 */
export async function addBenchRules(app: TestApp): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < RULES; n++) {
    const scopes = [
      { mode: "all" },
      { mode: "attribute", matches: { brand: [`Brand ${n}`, `Brand ${n + 1}`] } },
      { mode: "attribute", matches: { category: { contains: "e" } } },
    ];
    ids.push(
      await addSilentRule(app, {
        name: `Rule ${n}`,
        cooldownMinutes: 60,
        when: WHENS[n % WHENS.length],
        scope: scopes[n % scopes.length],
        marginFloor: { pct: 5 },
      }),
    );
  }
  return ids;
}
