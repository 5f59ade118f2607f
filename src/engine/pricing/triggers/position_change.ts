import { z } from "zod";
import { orDefault } from "../field.ts";
import { rankOf, referenceFields } from "../reference.ts";
import { defineTrigger } from "../trigger.ts";

const DIRECTIONS = ["worse", "better", "any"] as const;

const own = z.strictObject({
  trigger: z.literal("position_change"),
  direction: orDefault(z.enum(DIRECTIONS), "any").meta({
    title: "Direction",
    description: "Worse is a higher rank number",
  }),
  minPositions: orDefault(z.int().min(1).max(200), 1).meta({
    title: "By at least, in places",
    description: "Smaller changes are recorded and do not fire",
  }),
});

export const positionChange = defineTrigger({
  value: "position_change",
  label: "Our rank has changed",
  description: "Fires when our rank among the offers (1 is the cheapest, equal prices share a " +
    "rank) differs from the one at the evaluation before; the first one only records",
  needs: { ownPrice: true, references: true },
  isClockDriven: false,
  own,
  fields: own.safeExtend(referenceFields),
  facts: z.object({ rank: z.int(), of: z.int(), before: z.int().nullable() }),
  judgeBy({ direction, minPositions }, say) {
    return ({ references, memory, ourPriceCents }) => {
      const rank = rankOf(ourPriceCents, references);
      const before = memory?.rank ?? null;
      const said = () => say({ rank, of: references.offers.length + 1, before });
      if (before === null) return { fires: false, said, rank };
      const places = rank - before;
      const isWanted = direction === "any" || (direction === "worse" ? places > 0 : places < 0);
      const fires = isWanted && Math.abs(places) >= minPositions;
      return { fires, said, rank };
    };
  },
});
