import { z } from "zod";
import { orNull } from "../field.ts";
import { isWatched, readOptions, referenceFields } from "../reference.ts";
import { defineTrigger, verdict } from "../trigger.ts";

const HOUR_MS = 3_600_000;

const own = z.strictObject({
  trigger: z.literal("scrape_stale"),
  staleHours: orNull(z.int().min(1).max(8_760)).meta({
    title: "Older than, in hours",
    description: "Null: twice the scrape interval of the product",
  }),
});

export const scrapeStale = defineTrigger({
  value: "scrape_stale",
  label: "Prices are out of date",
  description:
    "Fires when the newest observation of a product with a match is older than allowed; " +
    "without any, the age counts from the creation of the match",
  needs: { ownPrice: false, references: false },
  isClockDriven: true,
  own,
  fields: own.safeExtend(referenceFields),
  facts: z.object({
    /** Null when the product has no enabled match. */
    since: z.enum(["observation", "match"]).nullable(),
    ageHours: z.int(),
    /** Null where nobody kept it. */
    staleHours: z.number().nullable(),
  }),
  judgeBy(when, say) {
    const options = readOptions(when);
    return ({ market }) => {
      const { offers, product, nowMs } = market.situation;
      const staleHours = when.staleHours ?? 2 * product.scrapeIntervalHours;
      let newestMs = -Infinity;
      let createdMs = Infinity;
      for (const offer of offers) {
        if (!isWatched(options, offer)) continue;
        createdMs = Math.min(createdMs, offer.matchCreatedAtMs);
        newestMs = Math.max(newestMs, offer.observedAtMs ?? -Infinity);
      }
      if (createdMs === Infinity) {
        return verdict(false, () => say({ since: null, ageHours: 0, staleHours }));
      }
      const isObserved = newestMs > -Infinity;
      const ageMs = nowMs - (isObserved ? newestMs : createdMs);
      return verdict(ageMs > staleHours * HOUR_MS, () =>
        say({
          since: isObserved ? "observation" : "match",
          ageHours: Math.floor(ageMs / HOUR_MS),
          staleHours,
        }));
    };
  },
});
