import { z } from "zod";
import { percent } from "../../base/fraction.ts";
import { percentField } from "./field.ts";
import { compareMargin, marginFacts, marginPct, missingForMargin, restsWithout } from "./margin.ts";
import { referenceFields } from "./reference.ts";
import { defineTrigger, verdict } from "./trigger.ts";

/** `side`: where the margin of our net price lies when the trigger fires. */
export function defineMarginTrigger<const Code extends string>({ value, label, side }: {
  readonly value: Code;
  readonly label: string;
  readonly side: "above" | "below";
}) {
  const sign = side === "above" ? 1 : -1;
  const own = z.strictObject({
    trigger: z.literal(value),
    marginPct: percentField(-100, 100).meta({
      title: "Margin in percent",
      description: `Fires when (net price − cost) ÷ net price is ${side} this`,
    }),
  });
  return defineTrigger({
    value,
    label,
    description: `Fires when the margin of our net price is ${side} the given percent`,
    needs: { ownPrice: true, references: false },
    isClockDriven: false,
    own,
    fields: own.safeExtend(referenceFields),
    facts: marginFacts,
    judgeBy({ marginPct: boundPct }, say) {
      const bound = percent(boundPct);
      return ({ market, ourPriceCents }) => {
        const missing = missingForMargin(market);
        if (missing !== null) return verdict(false, () => restsWithout(market, missing));
        const fires = sign * compareMargin(market, ourPriceCents, bound) > 0;
        return verdict(
          fires,
          () => say({ marginPct: marginPct(market, ourPriceCents), boundPct, fires }),
        );
      };
    },
  });
}
