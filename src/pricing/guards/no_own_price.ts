import type { InputGuard } from "../guard.ts";

export const noOwnPrice = {
  value: "no_own_price",
  label: "No own price",
  description: "Without a price of today nothing says how far a new one would go",
  why: ({ view }) => view.ourPriceCents > 0 ? null : "the product has no own price",
} as const satisfies InputGuard;
