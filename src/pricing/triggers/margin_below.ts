import { z } from "zod";
import { percent } from "../../base/fraction.ts";
import { percentField } from "../field.ts";
import {
  compareMargin,
  marginFacts,
  marginPct,
  missingForMargin,
  restsWithout,
} from "../margin.ts";
import { referenceFields } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";

const fields = z.strictObject({
  trigger: z.literal("margin_below"),
  marginPct: percentField(-100, 100).meta({
    title: "Margin in percent",
    description: "Fires when (net price − cost) ÷ net price is below this",
  }),
  ...referenceFields,
}).meta({ id: "WhenMarginBelow" });

export const marginBelow = defineTrigger({
  value: "margin_below",
  label: "Our margin is too small",
  description: "Fires when the margin of our net price is below the given percent",
  needs: { ownPrice: true, references: false },
  isClockDriven: false,
  fields,
  facts: marginFacts,
  judgeBy(when, say) {
    const bound = percent(when.marginPct);
    return ({ market, ourPriceCents }) => {
      const missing = missingForMargin(market);
      if (missing !== null) return verdict(false, () => restsWithout(market, missing));
      const fires = compareMargin(market, ourPriceCents, bound) < 0;
      return verdict(
        fires,
        () => say({ marginPct: marginPct(market, ourPriceCents), boundPct: when.marginPct, fires }),
      );
    };
  },
});
