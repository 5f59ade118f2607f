import { floorOf, multiply, percent } from "../../base/fraction.ts";
import type { Formula } from "../formula.ts";
import { cheapestOffers, cheapestPrice } from "../reference.ts";

const SHARE = percent(99);

export const minCompetitorMinus1Pct = {
  value: "min_competitor_minus_1pct",
  label: "1 % below the cheapest",
  description: "99 % of the cheapest of the references; fractions down",
  needs: { references: true, targetMargin: false },
  wish: ({ references }) => ({
    cents: floorOf(multiply(cheapestPrice(references), SHARE)),
    used: cheapestOffers(references),
  }),
} as const satisfies Formula;
