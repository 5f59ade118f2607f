/** Where a price stands in the market, as a proposal keeps it of the time when it was made. */
import { z } from "@hono/zod-openapi";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";

const cents = z.int().nullable();

/** As `market` of products, of which it is a part (docs/decisions/market.md). */
export const MarketStand = z.object({
  offers: z.int().meta({ description: "Those whose price counts" }),
  cheapestCents: cents.meta({
    description: "Of one piece of ours, on our side of VAT, in minor units of `currency`",
  }),
  cheapestCompetitorId: z.string().nullable(),
  cheapestCompetitor: z.string().nullable().meta({ description: "Display name" }),
  averageCents: cents,
  gapCents: cents.meta({ description: "Ours − cheapest" }),
  gapPct: z.number().nullable().meta({ description: "(ours − cheapest) ÷ cheapest" }),
  rank: z.int().nullable().meta({ description: "1 is the cheapest; equal prices share a rank" }),
  of: z.int().meta({ description: "Offers and ours" }),
}).meta({ id: "MarketStand" });

export type MarketStand = Readonly<z.infer<typeof MarketStand>>;

export function marketStandOf({ offers, cheapest, averageCents, own }: MarketFacts): MarketStand {
  return {
    offers: offers.length,
    cheapestCents: cheapest?.cents ?? null,
    cheapestCompetitorId: cheapest?.competitorId ?? null,
    cheapestCompetitor: cheapest?.competitor ?? null,
    averageCents,
    gapCents: own?.gapCents ?? null,
    gapPct: own?.gapPct?.pct ?? null,
    rank: own?.rank ?? null,
    of: offers.length + 1,
  };
}

/** What tells whether competitors have moved; our own price is no part of it. */
export type Rivals = Pick<
  MarketStand,
  "offers" | "cheapestCents" | "cheapestCompetitorId" | "averageCents"
>;

/** True when an offer that counts has come, gone, or moved by enough to be seen in the average. */
export function hasMoved(then: Rivals, now: Rivals): boolean {
  return then.offers !== now.offers || then.cheapestCents !== now.cheapestCents ||
    then.cheapestCompetitorId !== now.cheapestCompetitorId ||
    then.averageCents !== now.averageCents;
}
