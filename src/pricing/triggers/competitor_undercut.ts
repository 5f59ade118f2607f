import { z } from "zod";
import { compareFractions, multiply, percent, subtract, whole } from "../../base/fraction.ts";
import { orDefault, percentField } from "../field.ts";
import { comparisonFacts, comparisonOf } from "../comparison.ts";
import { readOptions, referenceFields, referencePrice } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";

const fields = z.strictObject({
  trigger: z.literal("competitor_undercut"),
  competitorDeltaPct: orDefault(percentField(0, 100), 0).meta({
    title: "By at least, in percent",
    description: "Share of our price; 0 fires at the first cent",
  }),
  ...referenceFields,
}).meta({ id: "WhenCompetitorUndercut" });

export const competitorUndercut = defineTrigger({
  value: "competitor_undercut",
  label: "A competitor is cheaper",
  description: "Fires when the reference is below our price, by at least the given share of it",
  needs: { ownPrice: true, references: true },
  isClockDriven: false,
  fields,
  facts: comparisonFacts,
  judgeBy(when, say) {
    const { kind } = readOptions(when);
    const share = subtract(whole(1), percent(when.competitorDeltaPct));
    const deltaPct = when.competitorDeltaPct;
    return (view) => {
      const price = referencePrice(kind, view.references);
      if (price === null) return verdict(false, () => ({ code: "no_second", facts: {} }));
      const ours = whole(view.ourPriceCents);
      const fires = compareFractions(price, ours) < 0 &&
        compareFractions(price, multiply(ours, share)) <= 0;
      return verdict(fires, () => say({ ...comparisonOf(view, kind, price), deltaPct, fires }));
    };
  },
});
