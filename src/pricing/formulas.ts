/** All formulas: the one place where a new one is registered. */
import { z } from "zod";
import type { Formula } from "./formula.ts";
import { matchCheapest } from "./formulas/match_cheapest.ts";
import { minCompetitorMinus1Pct } from "./formulas/min_competitor_minus_1pct.ts";
import { targetMarginPct } from "./formulas/target_margin_pct.ts";

export const FORMULAS = [matchCheapest, minCompetitorMinus1Pct, targetMarginPct] as const;

export type FormulaName = (typeof FORMULAS)[number]["value"];

const BY_NAME: ReadonlyMap<string, Formula> = new Map(
  FORMULAS.map((formula) => [formula.value, formula]),
);

export const FormulaField = z.enum(FORMULAS.map(({ value }) => value)).meta({
  title: "Formula",
  description: "How the price is computed",
  "x-words": FORMULAS.map(({ value, label, description }) => ({ value, label, description })),
});

/** The formula of a validated name. */
export function formulaOf(name: FormulaName): Formula {
  return BY_NAME.get(name) ?? matchCheapest;
}
