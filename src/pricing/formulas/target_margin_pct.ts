import type { Formula } from "../formula.ts";
import { priceForMargin } from "../margin.ts";

export const targetMarginPct = {
  value: "target_margin_pct",
  label: "Reach a margin",
  description:
    "The lowest price with the target margin: of the action, else of the trigger, else " +
    "of the margin floor; fractions up",
  needs: { references: false, targetMargin: true },
  wish: ({ market }, pct) => ({ cents: priceForMargin(market, pct ?? 0), used: [] }),
} as const satisfies Formula;
