/** Before a price is computed: what must be there. Any of them forbids the price. */
import { z } from "zod";
import { knownCost } from "../../base/margin.ts";
import { inputGuard } from "../guard.ts";

const NOTHING = z.object({});

/** In the order in which they are asked. */
export const INPUT_GUARDS = [
  // Without a price of today nothing says how far a new one would go.
  inputGuard({
    value: "no_own_price",
    facts: NOTHING,
    against: ({ view }, say) => view.ourPriceCents > 0 ? null : say({}),
  }),
  // Rules may alert and leave the price of a locked product alone.
  inputGuard({
    value: "price_locked",
    facts: NOTHING,
    isAskedAgain: true,
    against: ({ view }, say) => view.market.situation.product.priceLocked ? say({}) : null,
  }),
  // No price has a margin of 100 %.
  inputGuard({
    value: "floor_unreachable",
    facts: z.object({ of: z.enum(["floor", "target"]) }),
    against({ needs, targetMarginPct, floorPct }, say) {
      if (floorPct !== null && floorPct >= 100) return say({ of: "floor" });
      return needs.targetMargin && (targetMarginPct ?? 100) >= 100 ? say({ of: "target" }) : null;
    },
  }),
  // A margin floor or a target margin needs the cost of the product; 0 is none.
  inputGuard({
    value: "cost_unknown",
    facts: z.object({ neededBy: z.enum(["floor", "target"]), isZero: z.boolean() }),
    isAskedAgain: true,
    against({ view, needs, floorPct }, say) {
      const { product } = view.market.situation;
      if (knownCost(product) !== null) return null;
      const isZero = product.costPriceCents === 0;
      if (floorPct !== null) return say({ neededBy: "floor", isZero });
      return needs.targetMargin ? say({ neededBy: "target", isZero }) : null;
    },
  }),
  // Prices with and without VAT cannot be compared without the rate.
  inputGuard({
    value: "vat_unknown",
    facts: z.object({ neededBy: z.enum(["reference", "margin"]) }),
    isAskedAgain: true,
    against({ view, lacksVat, needs, floorPct }, say) {
      if (lacksVat) return say({ neededBy: "reference" });
      const needsNet = floorPct !== null || needs.targetMargin;
      const { market } = view;
      const isKnown = market.vatFactor !== null || !market.situation.settings.pricesIncludeVat;
      return needsNet && !isKnown ? say({ neededBy: "margin" }) : null;
    },
  }),
  // The formula needs competitors' prices, and too few are usable.
  inputGuard({
    value: "no_reference",
    facts: NOTHING,
    against: ({ view, needs }, say) =>
      !needs.references || view.references.areEnough ? null : say({}),
  }),
] as const;
