import { z } from "zod";
import { percent } from "../../base/fraction.ts";
import { percentField } from "../field.ts";
import { compareMargin, marginPct, missingForMargin, sayMissing } from "../margin.ts";
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
  fields,
  judgeBy(when) {
    const bound = percent(when.marginPct);
    return ({ market, ourPriceCents }) => {
      const missing = missingForMargin(market);
      if (missing !== null) {
        return verdict(false, () => sayMissing(market, missing));
      }
      const fires = compareMargin(market, ourPriceCents, bound) < 0;
      return verdict(fires, () => {
        const shown = marginPct(market, ourPriceCents);
        return `the margin is ${shown} %, ${fires ? "" : "not "}below ${when.marginPct} %`;
      });
    };
  },
});
