import { z } from "zod";
import { add, compareFractions, multiply, percent, whole } from "../base/fraction.ts";
import { orDefault, percentField } from "./field.ts";
import { comparisonFacts, comparisonOf } from "./comparison.ts";
import { readOptions, referenceFields, referencePrice } from "./reference.ts";
import { defineTrigger, verdict } from "./trigger.ts";

/** `side`: where the reference lies, seen from our price, when the trigger fires. */
export function defineCompetitorTrigger<const Code extends string>(
  { value, label, side, deltaPctMax }: {
    readonly value: Code;
    readonly label: string;
    readonly side: "above" | "below";
    readonly deltaPctMax: number;
  },
) {
  const sign = side === "above" ? 1 : -1;
  const own = z.strictObject({
    trigger: z.literal(value),
    competitorDeltaPct: orDefault(percentField(0, deltaPctMax), 0).meta({
      title: "By at least, in percent",
      description: "Share of our price; 0 fires at the first cent",
    }),
  });
  return defineTrigger({
    value,
    label,
    description: `Fires when the reference is ${side} our price, by at least the given share of it`,
    needs: { ownPrice: true, references: true },
    isClockDriven: false,
    own,
    fields: own.safeExtend(referenceFields),
    facts: comparisonFacts,
    judgeBy(when, say) {
      const { kind } = readOptions(when);
      const { competitorDeltaPct: deltaPct } = when;
      const share = add(whole(1), percent(sign * deltaPct));
      return (view) => {
        const price = referencePrice(kind, view.references);
        if (price === null) return verdict(false, () => ({ code: "no_second", facts: {} }));
        const ours = whole(view.ourPriceCents);
        const fires = sign * compareFractions(price, ours) > 0 &&
          sign * compareFractions(price, multiply(ours, share)) >= 0;
        return verdict(fires, () => say({ ...comparisonOf(view, kind, price), deltaPct, fires }));
      };
    },
  });
}
