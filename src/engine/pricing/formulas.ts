/**
 * Formulas, and the price endings that go with them. A new formula is a row of `FORMULAS` here and a row
 * of `FORMULA_WORDS` in `wording`. The values are public and only grow.
 */
import { z } from "zod";
import { currencyExponent } from "../../base/currency.ts";
import { floorOf, multiply, percent } from "../../base/fraction.ts";
import { priceForMargin } from "./margin.ts";
import type { PricedOffer } from "./market.ts";
import { cheapestOffers, cheapestPrice } from "./reference.ts";
import type { View } from "./trigger.ts";

export const ROUNDINGS = ["none", "x.99", "x.95", "10ct"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

export const RoundingField = z.enum(ROUNDINGS);

const ENDINGS = {
  "x.99": { every: 100, ending: 99 },
  "x.95": { every: 100, ending: 95 },
  "10ct": { every: 10, ending: 0 },
} as const;

/**
 * True for currencies whose prices end in two decimals: only there endings such as x.99 mean
 * something.
 */
export function hasTwoDecimals(currency: string): boolean {
  return currencyExponent(currency) === 2;
}

/**
 * Down to the next lower ending (a price that has it stays), or up to the next higher one when the
 * lower is below the floor.
 */
export function roundPrice(
  cents: number,
  rounding: Exclude<Rounding, "none">,
  floorCents: number | null,
): number {
  const { every, ending } = ENDINGS[rounding];
  const lower = Math.floor((cents - ending) / every) * every + ending;
  return floorCents !== null && lower < floorCents ? lower + every : lower;
}

/** The price that a formula asks for, before floor and rounding. */
export interface Wish {
  readonly cents: number;
  readonly used: readonly PricedOffer[];
}

export interface FormulaNeeds {
  readonly references: boolean;
  readonly targetMargin: boolean;
}

/** One value of `formula`; label and description are those of the reference list. */
export interface Formula {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly needs: FormulaNeeds;
  /** Total once what it needs is there; `targetMarginPct` is below 100. */
  wish(view: View, targetMarginPct: number | null): Wish;
}

const ALMOST = percent(99);

export const FORMULAS = [
  {
    value: "match_cheapest",
    label: "Match the cheapest",
    description: "The cheapest of the references, whatever the rule compares with; fractions down",
    needs: { references: true, targetMargin: false },
    wish: ({ references }) => ({
      cents: floorOf(cheapestPrice(references)),
      used: cheapestOffers(references),
    }),
  },
  {
    value: "min_competitor_minus_1pct",
    label: "1 % below the cheapest",
    description: "99 % of the cheapest of the references; fractions down",
    needs: { references: true, targetMargin: false },
    wish: ({ references }) => ({
      cents: floorOf(multiply(cheapestPrice(references), ALMOST)),
      used: cheapestOffers(references),
    }),
  },
  {
    value: "target_margin_pct",
    label: "Reach a margin",
    description:
      "The lowest price with the target margin: of the action, else of the trigger, else " +
      "of the margin floor; fractions up",
    needs: { references: false, targetMargin: true },
    wish: ({ market }, pct) => ({ cents: priceForMargin(market, pct ?? 0), used: [] }),
  },
] as const satisfies readonly Formula[];

export type FormulaName = (typeof FORMULAS)[number]["value"];

export const FormulaField = z.enum(FORMULAS.map(({ value }) => value)).meta({
  title: "Formula",
  description: "How the price is computed",
  "x-words": FORMULAS.map(({ value, label, description }) => ({ value, label, description })),
});

export function formulaOf(name: FormulaName): Formula {
  return FORMULAS.find(({ value }) => value === name) ?? FORMULAS[0];
}
