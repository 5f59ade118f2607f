import { z } from "zod";
import { compareFractions, multiply, percent, subtract, whole } from "../../base/fraction.ts";
import { showMoney } from "../../base/money.ts";
import { orDefault, percentField } from "../field.ts";
import { readOptions, referenceFields, referencePrice } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";
import { sayReference } from "../words.ts";

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
  fields,
  judgeBy(when) {
    const { kind } = readOptions(when);
    const share = subtract(whole(1), percent(when.competitorDeltaPct));
    return ({ market, references, ourPriceCents }) => {
      const { currency } = market.situation.product;
      const price = referencePrice(kind, references);
      if (price === null) return verdict(false, () => "there is no second competitor price");
      const ours = whole(ourPriceCents);
      const fires = compareFractions(price, ours) < 0 &&
        compareFractions(price, multiply(ours, share)) <= 0;
      return verdict(fires, () => {
        const asks = sayReference(kind, references, price, currency);
        const wanted = when.competitorDeltaPct === 0
          ? ""
          : ` by at least ${when.competitorDeltaPct} %`;
        const is = fires ? "which is" : "which is not";
        return `${asks}, ${is} below our ${showMoney(ourPriceCents, currency)}${wanted}`;
      });
    };
  },
});
