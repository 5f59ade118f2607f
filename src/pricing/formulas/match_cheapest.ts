import { floorOf } from "../../base/fraction.ts";
import type { Formula } from "../formula.ts";
import { cheapestOffers, cheapestPrice } from "../reference.ts";

export const matchCheapest = {
  value: "match_cheapest",
  label: "Match the cheapest",
  description: "The cheapest of the references, whatever the rule compares with; fractions down",
  needs: { references: true, targetMargin: false },
  wish: ({ references }) => ({
    cents: floorOf(cheapestPrice(references)),
    used: cheapestOffers(references),
  }),
} as const satisfies Formula;
