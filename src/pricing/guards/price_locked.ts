import type { InputGuard } from "../guard.ts";

export const priceLocked = {
  value: "price_locked",
  label: "Price locked",
  description: "The product is locked: rules may alert and leave its price alone",
  why: ({ view }) => view.market.situation.product.priceLocked ? "the price is locked" : null,
} as const satisfies InputGuard;
