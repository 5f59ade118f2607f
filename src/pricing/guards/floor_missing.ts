import type { PriceGuard } from "../guard.ts";

export const floorMissing = {
  value: "floor_missing",
  label: "No margin floor",
  description: "Nothing is applied by itself without a margin floor",
  why: ({ floorPct }) => floorPct === null ? "the rule has no margin floor" : null,
} as const satisfies PriceGuard;
