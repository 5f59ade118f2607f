/** Products and their market as they are now, as rules see them. */

import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";
import { NO_HISTORY, type Situation } from "../../engine/pricing/situation.ts";
import type { Context } from "../../platform/store/context.ts";
import { findCompetitors } from "../../shops/competitor_store.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import { pricedProductOf, pricingOffersOf, pricingSettingsOf } from "./priced_product.ts";
import { z } from "@hono/zod-openapi";

/** By product id, without what rules remember of them. */
export async function readSituations(
  ctx: Context,
  products: readonly Product[],
): Promise<ReadonlyMap<string, Situation>> {
  const [rows, workspace] = await Promise.all([
    findOffersOf(ctx, products.map(({ id }) => id)),
    requireWorkspace(ctx),
  ]);
  const offersOf = new Map(rows.map(({ productId, offers }) => [productId, offers]));
  const shops = rows.flatMap(({ offers }) => offers.map(({ competitorId }) => competitorId));
  const competitors = await findCompetitors(ctx, shops);
  const settings = pricingSettingsOf(workspace);
  const nowMs = ctx.now().getTime();
  return new Map(
    products.map((product): [string, Situation] => [product.id, {
      product: pricedProductOf(product),
      offers: pricingOffersOf(offersOf.get(product.id) ?? [], competitors),
      history: NO_HISTORY,
      settings,
      nowMs,
      mode: "live",
    }]),
  );
}

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

/** Facts that tell whether competitors have moved; our own price is excluded. */
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
