import { z } from "zod";
import {
  add,
  compareFractions,
  floorOf,
  isWhole,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
import { orDefault, percentField } from "./field.ts";
import {
  readOptions,
  REFERENCE_KINDS,
  referenceFields,
  referenceOffers,
  referencePrice,
} from "./reference.ts";
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
    facts: z.object({
      kind: z.enum(REFERENCE_KINDS),
      /** Whose price it is; for the average one of them. */
      competitor: z.string(),
      /** How many prices the average is of. */
      count: z.int(),
      /** Per piece of ours, on our side of VAT, rounded down. */
      priceCents: z.int(),
      /** False when something was rounded off. */
      isExact: z.boolean(),
      ourPriceCents: z.int(),
      currency: z.string(),
      /** By how much the rule wants the prices to differ; null where nobody kept it. */
      deltaPct: z.number().nullable(),
      fires: z.boolean(),
    }),
    judgeBy(when, say) {
      const { kind } = readOptions(when);
      const { competitorDeltaPct: deltaPct } = when;
      const share = add(whole(1), percent(sign * deltaPct));
      return ({ market, references, ourPriceCents }) => {
        const price = referencePrice(kind, references);
        if (price === null) return verdict(false, () => ({ code: "no_second", facts: {} }));
        const ours = whole(ourPriceCents);
        const fires = sign * compareFractions(price, ours) > 0 &&
          sign * compareFractions(price, multiply(ours, share)) >= 0;
        return verdict(fires, () =>
          say({
            kind,
            competitor: referenceOffers(kind, references)[0]?.offer.competitor ?? "",
            count: references.offers.length,
            priceCents: floorOf(price),
            isExact: isWhole(price),
            ourPriceCents,
            currency: market.situation.product.currency,
            deltaPct,
            fires,
          }));
      };
    },
  });
}
