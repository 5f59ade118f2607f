import { MINOR_UNITS_MAX } from "../../base/money.ts";
import type { PriceGuard } from "../guard.ts";

export const priceTooHigh = {
  value: "price_too_high",
  label: "Price too high",
  description: "No price is greater than the service stores",
  why: ({ wish, proposedCents }) =>
    Math.max(wish.cents, proposedCents) > MINOR_UNITS_MAX ? "no price is that high" : null,
} as const satisfies PriceGuard;
