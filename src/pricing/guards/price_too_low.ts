import type { PriceGuard } from "../guard.ts";

export const priceTooLow = {
  value: "price_too_low",
  label: "Price too low",
  description: "A price is at least one minor unit",
  why: ({ wish, proposedCents }) =>
    wish.cents < 1 || proposedCents < 1 ? "the price is below one minor unit" : null,
} as const satisfies PriceGuard;
