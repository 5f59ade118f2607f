/** Before a price is computed: what must be there. Any of them forbids the price. */
import { z } from "zod";
import { knownCost } from "../../../base/margin.ts";
import { needsTarget } from "../bounds.ts";
import type { Draft } from "../draft.ts";
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
  // Somebody holds the price for a while. A back-test asks what live evaluation would have done, and
  // the hold of today says nothing of the past.
  inputGuard({
    value: "price_held",
    facts: z.object({ until: z.iso.datetime() }),
    isAskedAgain: true,
    against({ view }, say) {
      const { product: { heldUntilMs }, nowMs, mode } = view.market.situation;
      if (heldUntilMs === null || heldUntilMs <= nowMs || mode === "backtest") return null;
      return say({ until: new Date(heldUntilMs).toISOString() });
    },
  }),
  // No price has a margin of 100 %.
  inputGuard({
    value: "floor_unreachable",
    facts: z.object({ of: z.enum(["floor", "target"]) }),
    against({ needs, targetMarginPct, limits: { floorPct } }, say) {
      if (floorPct !== null && floorPct >= 100) return say({ of: "floor" });
      return needs.targetMargin && (targetMarginPct ?? 100) >= 100 ? say({ of: "target" }) : null;
    },
  }),
  // A margin floor, a mark-up, a target margin or a price from the cost needs the cost of the
  // product; 0 is none.
  inputGuard({
    value: "cost_unknown",
    facts: z.object({
      neededBy: z.enum(["floor", "target", "markup", "price"]),
      isZero: z.boolean(),
    }),
    isAskedAgain: true,
    against(draft, say) {
      const { product } = draft.view.market.situation;
      const neededBy = knownCost(product) === null ? costNeededBy(draft) : null;
      return neededBy && say({ neededBy, isZero: product.costPriceCents === 0 });
    },
  }),
  // Prices with and without VAT cannot be compared without the rate.
  inputGuard({
    value: "vat_unknown",
    facts: z.object({ neededBy: z.enum(["reference", "margin"]) }),
    isAskedAgain: true,
    against(draft, say) {
      if (draft.lacksVat) return say({ neededBy: "reference" });
      const needsNet = costNeededBy(draft) !== null;
      const { market } = draft.view;
      const isKnown = market.vatFactor !== null || !market.situation.settings.pricesIncludeVat;
      return needsNet && !isKnown ? say({ neededBy: "margin" }) : null;
    },
  }),
  // The amounts of a rule are of one currency.
  inputGuard({
    value: "amount_currency",
    facts: z.object({ amounts: z.string(), product: z.string() }),
    isAskedAgain: true,
    against({ needs, view }, say) {
      const { currency } = view.market.situation.product;
      if (needs.currency === null || needs.currency === currency) return null;
      return say({ amounts: needs.currency, product: currency });
    },
  }),
  // The price, or a bound that the rule insists on, needs the target price of the product.
  inputGuard({
    value: "target_unknown",
    facts: NOTHING,
    isAskedAgain: true,
    against({ needs, limits, view }, say) {
      const isKnown = (view.market.situation.product.targetPriceCents ?? 0) > 0;
      return !isKnown && (needs.targetPrice || needsTarget(limits.bounds)) ? say({}) : null;
    },
  }),
  // The price needs those of competitors, and too few are usable.
  inputGuard({
    value: "no_reference",
    facts: NOTHING,
    against({ view: { references: { offers, areEnough } }, needs }, say) {
      if (!needs.references) return null;
      return areEnough && offers.length >= needs.leastOffers ? null : say({});
    },
  }),
] as const;

/** What needs the cost first; null when nothing does. */
function costNeededBy({ limits: { floorPct, bounds }, needs }: Draft) {
  if (floorPct !== null) return "floor";
  if (bounds !== null && bounds.markupPct !== null) return "markup";
  if (needs.targetMargin) return "target";
  return needs.cost ? "price" : null;
}
