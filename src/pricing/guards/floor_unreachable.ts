import type { InputGuard } from "../guard.ts";

export const floorUnreachable = {
  value: "floor_unreachable",
  label: "Margin unreachable",
  description: "No price has a margin of 100 %",
  why({ terms, formula, floorPct }) {
    if (floorPct !== null && floorPct >= 100) return "no price has a margin of 100 %";
    const isTargetTooHigh = formula.needs.targetMargin && (terms.targetMarginPct ?? 100) >= 100;
    return isTargetTooHigh ? "no price has the target margin" : null;
  },
} as const satisfies InputGuard;
