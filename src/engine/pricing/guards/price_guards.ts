/** Of the price as it is between bounds and rounded. Any of them forbids the price. */
import { z } from "zod";
import { isoOrNull } from "../../../base/iso_time.ts";
import { MINOR_UNITS_MAX } from "../../../base/money.ts";
import { type Limits, needsPast } from "../bounds.ts";
import { asJudged, isBraked, rivalOf } from "../brake.ts";
import type { PricedDraft } from "../draft.ts";
import { priceGuard } from "../guard.ts";
import { cutFacts, NOTES } from "../notes.ts";
import type { Stop } from "../price_goal.ts";

const NOTHING = z.object({});
const DAY_MS = 86_400_000;

// No price is greater than the service stores.
const priceTooHigh = priceGuard({
  value: "price_too_high",
  facts: NOTHING,
  against: ({ wish, proposedCents, aimed }, say) => {
    const wished = aimed === null ? wish.cents : 0;
    return Math.max(wished, proposedCents) > MINOR_UNITS_MAX ? say({}) : null;
  },
});

// No amount keeps to all bounds.
const boundsConflict = priceGuard({
  value: "bounds_conflict",
  facts: z.object({
    lowCents: z.int(),
    low: z.string(),
    highCents: z.int(),
    high: z.string(),
    currency: z.string(),
  }),
  against({ tight, view: { market } }, say) {
    const conflict = conflictOf(tight);
    return conflict && say({ ...conflict, currency: market.situation.product.currency });
  },
});

// The price is the one of today, or rounding would turn a raise into a cut.
const noChange = priceGuard({
  value: "no_change",
  facts: z.object({ isRounded: z.boolean() }),
  isAskedAgain: true,
  against({ wish, proposedCents, aimed, view: { ourPriceCents } }, say) {
    if (aimed !== null) return aimed.goal.stop === "no_change" ? say({ isRounded: false }) : null;
    // A price that means to go down and does not is the floor's (floor_above_current).
    if (wish.cents < ourPriceCents || proposedCents > ourPriceCents) return null;
    if (proposedCents === ourPriceCents) return say({ isRounded: false });
    return wish.cents > ourPriceCents ? say({ isRounded: true }) : null;
  },
});

/** Of the price of a formula, in the order in which they are asked: the direction comes last. */
export const PRICE_GUARDS = [
  // A price is at least one minor unit.
  priceGuard({
    value: "price_too_low",
    facts: NOTHING,
    against: ({ wish, proposedCents }, say) => wish.cents < 1 || proposedCents < 1 ? say({}) : null,
  }),
  priceTooHigh,
  boundsConflict,
  // A rule that means to go down never ends at or above the price of today.
  priceGuard({
    value: "floor_above_current",
    facts: z.object({ lowestCents: z.int(), currency: z.string() }),
    against({ wish, proposedCents, view: { ourPriceCents, market } }, say) {
      if (wish.cents >= ourPriceCents || proposedCents < ourPriceCents) return null;
      return say({ lowestCents: proposedCents, currency: market.situation.product.currency });
    },
  }),
  noChange,
] as const;

/** Why a price that is aimed at is not given, in the order in which it comes about. */
export const AIM_GUARDS = [
  boundsConflict,
  priceTooHigh,
  noChange,
  // The only endings lie on the other side of the price of today.
  stopGuard("ending_beyond"),
  // The rule moves prices the other way only.
  priceGuard({
    value: "direction",
    facts: z.object({ goalCents: z.int(), isRaise: z.boolean(), currency: z.string() }),
    against({ aimed, view: { market, ourPriceCents } }, say) {
      const goalCents = stoppedAt(aimed, "direction");
      if (goalCents === null) return null;
      const { currency } = market.situation.product;
      return say({ goalCents, isRaise: goalCents > ourPriceCents, currency });
    },
  }),
  // The move is smaller than the rule makes.
  stopGuard("deadband"),
  // No amount keeps to the bounds and to the largest move at once.
  priceGuard({
    value: "max_move",
    facts: NOTES.max_move,
    against({ aimed, limits: { bounds }, view: { market } }, say) {
      if (aimed?.goal.stop !== "max_move" || bounds === null) return null;
      const facts = cutFacts(aimed.goal, bounds, market.situation.product.currency);
      return facts && say(facts);
    },
  }),
  // What the last 24 hours were must be known to a rule that keeps to a bound of a day. A back-test
  // does not know it.
  priceGuard({
    value: "day_unread",
    facts: NOTHING,
    against({ limits: { bounds }, view: { market: { situation: { history, mode } } } }, say) {
      const isMissing = needsPast(bounds) && history.price === null && mode !== "backtest";
      return isMissing ? say({}) : null;
    },
  }),
  // The price was changed often enough within 24 hours.
  priceGuard({
    value: "moves_per_day",
    facts: z.object({
      most: z.int(),
      count: z.int(),
      // Absent in traces of before.
      until: z.iso.datetime().nullish(),
    }),
    against({ limits: { bounds }, view: { market: { situation: { history } } } }, say) {
      const most = bounds?.maxMovesPerDay ?? null;
      const count = history.price?.movesOfDay ?? 0;
      if (most === null || count < most) return null;
      const freeingMs = history.price?.moveTimesMs?.[most - 1] ?? null;
      return say({ most, count, until: isoOrNull(freeingMs === null ? null : freeingMs + DAY_MS) });
    },
  }),
  // The rule has cut the price by itself so often that it makes no more cuts for a while.
  priceGuard({
    value: "brake",
    facts: z.object({
      count: z.int(),
      until: z.iso.datetime(),
      competitor: z.string().nullable(),
    }),
    against({ brake, proposedCents, view: { memory, market, ourPriceCents } }, say) {
      const { offers, nowMs } = market.situation;
      if (brake === null || proposedCents >= ourPriceCents || !memory?.brake) return null;
      const known = asJudged(memory.brake, brake, nowMs);
      if (!isBraked(known, nowMs)) return null;
      const { cuts, untilMs } = known;
      const rivalId = rivalOf(cuts);
      const rival = offers.find(({ competitorId }) => competitorId === rivalId);
      return say({
        count: cuts.length,
        until: new Date(untilMs ?? nowMs).toISOString(),
        competitor: rival?.competitor ?? null,
      });
    },
  }),
] as const;

/** A rule that says one of these has not fired: there was nothing to do. */
export const REST_CODES: ReadonlySet<string> = new Set([
  "no_reference",
  "no_change",
  "ending_beyond",
  "direction",
  "deadband",
]);

/** Says where the goal is that the price does not go to for this reason. */
function stopGuard<const Code extends Stop>(value: Code) {
  return priceGuard({
    value,
    facts: z.object({ goalCents: z.int(), currency: z.string() }),
    against({ aimed, view: { market } }, say) {
      const goalCents = stoppedAt(aimed, value);
      return goalCents === null
        ? null
        : say({ goalCents, currency: market.situation.product.currency });
    },
  });
}

function stoppedAt(aimed: PricedDraft["aimed"], stop: Stop): number | null {
  return aimed?.goal.stop === stop ? aimed.goal.goalCents : null;
}

function conflictOf({ low, high, span: { lowCents, highCents } }: Limits) {
  if (lowCents <= highCents || high === null) return null;
  return { lowCents, low: low?.said.code ?? "", highCents, high: high.said.code };
}
