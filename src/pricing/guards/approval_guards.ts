/** What else is asked when a person approves a price; what rules ask themselves says `isAskedAgain`. */
import { z } from "zod";
import { percent } from "../../base/fraction.ts";
import { approvalGuard } from "../guard.ts";
import { compareMargin } from "../margin.ts";

/** Asked before all others. */
export const priceChanged = approvalGuard({
  value: "price_changed",
  facts: z.object({
    fromCents: z.int(),
    fromCurrency: z.string(),
    nowCents: z.int().nullable(),
    nowCurrency: z.string(),
  }),
  against({ made, view: { market } }, say) {
    const { ourPriceCents, currency } = market.situation.product;
    if (ourPriceCents === made.fromCents && currency === made.currency) return null;
    return say({
      fromCents: made.fromCents,
      fromCurrency: made.currency,
      nowCents: ourPriceCents,
      nowCurrency: currency,
    });
  },
});

/** Cost, VAT and floor may have moved since; a price that is computed is lifted to its floor instead. */
export const marginFloor = approvalGuard({
  value: "margin_floor",
  facts: z.object({ floorPct: z.number() }),
  against({ floorPct, proposedCents, view }, say) {
    if (floorPct === null) return null;
    return compareMargin(view.market, proposedCents, percent(floorPct)) < 0
      ? say({ floorPct })
      : null;
  },
});
