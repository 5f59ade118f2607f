import { z } from "zod";
import { add, compareFractions, multiply, percent, whole } from "../../base/fraction.ts";
import { orDefault, percentField } from "../field.ts";
import { comparisonFacts, comparisonOf } from "../comparison.ts";
import { readOptions, referenceFields, referencePrice } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";

const fields = z.strictObject({
  trigger: z.literal("competitor_overcut"),
  competitorDeltaPct: orDefault(percentField(0, 1_000), 0).meta({
    title: "By at least, in percent",
    description: "Share of our price; 0 fires at the first cent",
  }),
  ...referenceFields,
}).meta({ id: "WhenCompetitorOvercut" });

export const competitorOvercut = defineTrigger({
  value: "competitor_overcut",
  label: "Competitors are dearer",
  description: "Fires when the reference is above our price, by at least the given share of it",
  needs: { ownPrice: true, references: true },
  isClockDriven: false,
  fields,
  facts: comparisonFacts,
  judgeBy(when, say) {
    const { kind } = readOptions(when);
    const share = add(whole(1), percent(when.competitorDeltaPct));
    const deltaPct = when.competitorDeltaPct;
    return (view) => {
      const price = referencePrice(kind, view.references);
      if (price === null) return verdict(false, () => ({ code: "no_second", facts: {} }));
      const ours = whole(view.ourPriceCents);
      const fires = compareFractions(price, ours) > 0 &&
        compareFractions(price, multiply(ours, share)) >= 0;
      return verdict(fires, () => say({ ...comparisonOf(view, kind, price), deltaPct, fires }));
    };
  },
});
