/** Of the price as lifted and rounded. Any of them forbids the price. */
import { z } from "zod";
import { MINOR_UNITS_MAX } from "../../base/money.ts";
import { priceGuard } from "../guard.ts";

const NOTHING = z.object({});

/** In the order in which they are asked: the direction comes last. */
export const PRICE_GUARDS = [
  // A price is at least one minor unit.
  priceGuard({
    value: "price_too_low",
    facts: NOTHING,
    against: ({ wish, proposedCents }, say) => wish.cents < 1 || proposedCents < 1 ? say({}) : null,
  }),
  // No price is greater than the service stores.
  priceGuard({
    value: "price_too_high",
    facts: NOTHING,
    against: ({ wish, proposedCents }, say) =>
      Math.max(wish.cents, proposedCents) > MINOR_UNITS_MAX ? say({}) : null,
  }),
  // A rule that means to go down never ends at or above the price of today.
  priceGuard({
    value: "floor_above_current",
    facts: z.object({ lowestCents: z.int(), currency: z.string() }),
    against({ wish, proposedCents, view: { ourPriceCents, market } }, say) {
      if (wish.cents >= ourPriceCents || proposedCents < ourPriceCents) return null;
      return say({ lowestCents: proposedCents, currency: market.situation.product.currency });
    },
  }),
  // The price is the one of today, or rounding would turn a raise into a cut.
  priceGuard({
    value: "no_change",
    facts: z.object({ isRounded: z.boolean() }),
    against({ wish, proposedCents, view: { ourPriceCents } }, say) {
      // A price that means to go down and does not is the floor's (floor_above_current).
      if (wish.cents < ourPriceCents || proposedCents > ourPriceCents) return null;
      if (proposedCents === ourPriceCents) return say({ isRounded: false });
      return wish.cents > ourPriceCents ? say({ isRounded: true }) : null;
    },
  }),
] as const;
