/** What can change a price on its way: the facts of each, by its code. */
import { z } from "zod";
import type { Saying } from "./said.ts";
import { AIM_KINDS } from "./price_aim.ts";
import type { Goal, GoalTerms } from "./price_goal.ts";

const amount = z.object({
  cents: z.int(),
  currency: z.string(),
  of: z.enum(["rule", "product"]),
});
const ofTarget = z.object({ pct: z.number() });

/** A bound says the same of a price that it has changed and of one that it refuses. */
export const BOUND_FACTS = {
  margin_floor: z.object({ floorPct: z.number() }),
  markup_floor: z.object({ markupPct: z.number() }),
  min_price: amount,
  max_price: amount,
  below_target: ofTarget,
  above_target: ofTarget,
} as const;

export const NOTES = {
  ...BOUND_FACTS,
  /** The move ends before its goal. */
  max_move: z.object({
    maxPct: z.number(),
    goalCents: z.int(),
    currency: z.string(),
    /** True for the limit of a day, false for that of one move. */
    isOfDay: z.boolean(),
  }),
  /** Bounds left the price no ending: they come first. */
  ending_dropped: z.object({}),
  /** There was no reference, and the price is reckoned from what stands in for it. */
  fallback: z.object({ kind: z.enum(AIM_KINDS) }),
} as const;

export type NoteCode = keyof typeof NOTES;

export type Note = {
  readonly [Code in NoteCode]: Saying<Code, z.output<(typeof NOTES)[Code]>>;
}[NoteCode];

/** The facts of notes, by their code. */
export type NoteFacts = { readonly [Code in NoteCode]: z.output<(typeof NOTES)[Code]> };

/** What ends the move before its goal; null when nothing does. */
export function cutFacts(
  { cutBy, goalCents }: Pick<Goal, "cutBy" | "goalCents">,
  { maxMovePct, maxMovePerDayPct }: Pick<GoalTerms, "maxMovePct" | "maxMovePerDayPct">,
  currency: string,
): NoteFacts["max_move"] | null {
  if (cutBy === null || goalCents === null) return null;
  const isOfDay = cutBy === "day";
  return { maxPct: (isOfDay ? maxMovePerDayPct : maxMovePct) ?? 0, goalCents, currency, isOfDay };
}
