import type { PriceGuard } from "../guard.ts";

export const cooldown = {
  value: "cooldown",
  label: "Cooldown",
  description: "The rule fired for this product a short time ago",
  why: ({ isCoolingDown }) => isCoolingDown ? "the rule fired a short time ago" : null,
} as const satisfies PriceGuard;
