/** Guards that are checked when a person approves a price, possibly long after its computation. */
import { percent } from "../../base/fraction.ts";
import { BOUND_FACTS } from "./bounds.ts";
import type { BoundCode } from "./codes.ts";
import { approvalGuard } from "./guard.ts";
import { compareMargin, missingForMargin } from "./market.ts";
import { z } from "zod";

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

/** Cost, VAT and bounds may have changed. A chosen price may break a bound if there is a reason. */
function boundGuard<const Code extends BoundCode, Facts extends z.ZodObject>(
  value: Code,
  facts: Facts,
) {
  return approvalGuard({
    value,
    facts,
    isAskedAgain: true,
    against({ bounds, proposedCents, chosen }, say) {
      if (chosen?.hasReason) return null;
      const broken = bounds.find(({ said: { code }, side, cents }) =>
        code === value && (side === "low" ? proposedCents < cents : proposedCents > cents)
      );
      return broken ? say(facts.parse(broken.said.facts)) : null;
    },
  });
}

export const BOUND_GUARDS = [
  boundGuard("margin_floor", BOUND_FACTS.margin_floor),
  boundGuard("markup_floor", BOUND_FACTS.markup_floor),
  boundGuard("min_price", BOUND_FACTS.min_price),
  boundGuard("max_price", BOUND_FACTS.max_price),
  boundGuard("below_target", BOUND_FACTS.below_target),
  boundGuard("above_target", BOUND_FACTS.above_target),
] as const;

/** A person who chooses such a price must give a reason. A rule's price has the rule's own floor. */
export const belowCost = approvalGuard({
  value: "below_cost",
  facts: z.object({ costCents: z.int(), currency: z.string() }),
  against({ proposedCents, view: { market }, chosen }, say) {
    if (chosen === null || chosen.hasReason || missingForMargin(market) !== null) return null;
    const { costPriceCents, currency } = market.situation.product;
    return compareMargin(market, proposedCents, percent(0)) < 0
      ? say({ costCents: costPriceCents ?? 0, currency })
      : null;
  },
});
