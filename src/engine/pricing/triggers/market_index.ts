import { z } from "zod";
import {
  compareFractions,
  divide,
  floorOf,
  multiply,
  percent,
  whole,
} from "../../../base/fraction.ts";
import { orDefault, orNull, percentField } from "../field.ts";
import { referenceFields, sumOf } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";

const INDEX_MAX = 100_000;

const own = z.strictObject({
  trigger: z.literal("market_index"),
  indexAbove: orNull(percentField(0, INDEX_MAX)).meta({
    title: "Above",
    description: "100 is the mean of the market; fires above it, not at it",
  }),
  indexBelow: orNull(percentField(0, INDEX_MAX)).meta({
    title: "Below",
    description: "100 is the mean of the market; fires below it, not at it",
  }),
  always: orDefault(z.boolean(), false).meta({
    title: "At every evaluation",
    description: "Fires wherever our price stands, also without competitors; in place of a bound",
  }),
}).superRefine(({ indexAbove, indexBelow, always }, check) => {
  const hasBound = indexAbove !== null || indexBelow !== null;
  if (hasBound !== always) return;
  const message = always
    ? 'Must be null beside "always"'
    : 'Give "indexAbove", "indexBelow" or both, or "always"';
  const path = [always && indexAbove === null ? "indexBelow" : "indexAbove"];
  check.addIssue({ code: "custom", path, message });
});

export const marketIndex = defineTrigger({
  value: "market_index",
  label: "We are off the market",
  description: "Fires when our price ÷ mean of the references × 100 is beyond a bound, or always",
  needs: { ownPrice: true, references: true },
  needsWhen: ({ always }) => ({ ownPrice: true, references: !always }),
  isClockDriven: false,
  own,
  fields: own.safeExtend(referenceFields),
  facts: z.object({
    /** Rounded down to 2 decimals; null when the references ask nothing, or nobody looked at them. */
    index: z.number().nullable(),
    indexAbove: z.number().nullable(),
    indexBelow: z.number().nullable(),
    /** True for a rule that is not about the index. Traces that were stored earlier lack it. */
    always: z.boolean().default(false),
    fires: z.boolean(),
  }),
  judgeBy({ indexAbove, indexBelow, always }, say) {
    if (always) {
      const facts = { index: null, indexAbove, indexBelow, always, fires: true };
      return () => verdict(true, () => say(facts));
    }
    const above = indexAbove === null ? null : percent(indexAbove);
    const below = indexBelow === null ? null : percent(indexBelow);
    return ({ references, ourPriceCents }) => {
      const sum = sumOf(references.offers);
      // Our price times the number of offers against the bound times their sum: no division.
      const ours = whole(ourPriceCents * references.offers.length);
      const isAbove = above !== null && compareFractions(ours, multiply(sum, above)) > 0;
      const isBelow = below !== null && compareFractions(ours, multiply(sum, below)) < 0;
      const fires = isAbove || isBelow;
      return verdict(fires, () => {
        const index = compareFractions(sum, whole(0)) === 0
          ? null
          : floorOf(divide(multiply(ours, whole(10_000)), sum)) / 100;
        return say({ index, indexAbove, indexBelow, always, fires });
      });
    };
  },
});
