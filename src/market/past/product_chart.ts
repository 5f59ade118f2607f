/** Our price and those of all shops over time, as lines to draw (docs/decisions/market.md). */

import { DAY_MS, HOUR_MS, iso } from "../../base/time.ts";
import { listPriceChanges } from "../../catalogue/products/price_changes.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Observation } from "../../shops/observations/observation.ts";
import { productPages } from "../../shops/observations/read_stretch.ts";
import { thinLimitMs } from "../../shops/observations/retention_limits.ts";
import { unitCents } from "../unit_cents.ts";
import { type ChartPoint, sightedLine, steppedLine, usualMs } from "./chart_line.ts";
import { readPastShops } from "./past_shops.ts";
import { z } from "@hono/zod-openapi";

export const ChartQuery = z.strictObject({
  days: z.enum(["7", "30", "90", "365"]).default("90").meta({
    type: "string",
    description: "Length of the chart back from now",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

const at = z.iso.datetime();

/** A time and the price from then on. */
const point = z.tuple([at, z.int().nullable()]);

export const ProductChart = z.object({
  own: z.array(point).meta({
    description: "Times, each with our price from then on; null: no price, or another currency",
  }),
  shops: z.array(z.object({
    competitorProductId: z.string(),
    competitorId: z.string(),
    competitor: z.string().meta({ description: "Display name" }),
    isOurs: z.boolean().meta({ description: "True if we are currently the seller" }),
    packFactor: z.number().meta({
      description: "Number of our pieces that the shop sells for its price; `points` are per piece",
    }),
    points: z.array(point).meta({
      description:
        "Times, each with the price per piece from then on, with or without VAT like ours",
    }),
    gaps: z.array(z.tuple([at, at])).meta({
      description: "Start and end of times without an observation for more than two intervals",
    }),
    lastSeenAt: at.nullable(),
  })).meta({ description: "The prices of each shop" }),
  currency: z.string().meta({ description: "Currency of all prices, which are in minor units" }),
  from: at.meta({ description: "Start of the chart" }),
  to: at.meta({ description: "End of the chart: now" }),
}).meta({ id: "ProductChart" });

export type ProductChart = z.infer<typeof ProductChart>;

const INTERVALS = 2;
/** Pushed prices have their own interval; they count for this multiple of it. */
const USUAL_FACTOR = 2.5;
const ROWS_PER_READ = 500;
/** Maximum number of observations; beyond that, the oldest part of the window is omitted. */
const SIGHTS_MAX = 40_000;

export interface ChartDeps {
  /** Number of days after which each match keeps only one observation per day. */
  readonly observationDays: number;
}

export async function readChart(
  ctx: Context,
  product: Product,
  { days }: z.output<typeof ChartQuery>,
  { observationDays }: ChartDeps,
): Promise<ProductChart> {
  const now = ctx.now();
  const window = { fromMs: now.getTime() - Number(days) * DAY_MS, toMs: now.getTime() };
  const fetchedMs = INTERVALS * product.scrapeIntervalHours * HOUR_MS;
  // Thinned days keep one observation, which may be at any hour.
  const daily = Math.max(fetchedMs, INTERVALS * DAY_MS);
  const thinnedMs = thinLimitMs(now, observationDays);
  const observationsOf = await readObservations(ctx, product, window.fromMs - daily, window.toMs);
  const shops = await readPastShops(ctx, product);
  const drawn = new Set([...shops.linked.map(({ matchId }) => matchId), ...observationsOf.keys()]);
  const answer: ProductChart["shops"] = [];
  for (const matchId of drawn) {
    const shop = await shops.of(matchId);
    if (shop === null) continue;
    const seen = observationsOf.get(matchId) ?? [];
    const observations = seen.flatMap(({ priceCents, observedAtMs }): ChartPoint[] => {
      const cents = unitCents(priceCents, shop, shops.ours);
      return cents === null ? [] : [[observedAtMs, cents]];
    });
    const rhythmMs = seen.some(({ source }) => source === "push")
      ? USUAL_FACTOR * usualMs(observations)
      : 0;
    const { points, gaps } = sightedLine(
      observations,
      window,
      (atMs) => Math.max(atMs < thinnedMs ? daily : fetchedMs, rhythmMs),
    );
    const lastMs = Math.max(shop.seenAtMs ?? 0, seen.at(-1)?.observedAtMs ?? 0);
    answer.push({
      competitorProductId: matchId,
      competitorId: shop.competitorId,
      competitor: shop.competitor,
      isOurs: shop.isOurs,
      packFactor: shop.packFactor,
      points: points.map(([atMs, cents]) => [iso(atMs), cents]),
      gaps: gaps.map(([fromMs, toMs]) => [iso(fromMs), iso(toMs)]),
      lastSeenAt: lastMs === 0 ? null : iso(lastMs),
    });
  }
  const own = steppedLine(await readOwnPrices(ctx, product, window.toMs), window);
  return {
    own: own.map(([atMs, cents]) => [iso(atMs), cents]),
    shops: answer,
    currency: product.currency,
    from: iso(window.fromMs),
    to: iso(window.toMs),
  };
}

/**
 * Reads observations in the product's currency, by match, oldest first; if there are too many, only
 * the newest.
 */
async function readObservations(
  ctx: Context,
  { id, currency }: Product,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<string, readonly Observation[]>> {
  const found: Observation[] = [];
  const stretch = { fromMs: Math.max(0, fromMs), toMs, order: "desc" } as const;
  for await (const rows of productPages(ctx, id, stretch, ROWS_PER_READ)) {
    found.push(...rows.map(({ observation }) => observation));
    if (found.length >= SIGHTS_MAX) break;
  }
  const fitting = found.reverse().filter((one) => one.currency === currency);
  return Map.groupBy(fitting, ({ matchId }) => matchId);
}

async function readOwnPrices(
  ctx: Context,
  { id, currency }: Product,
  toMs: number,
): Promise<ChartPoint<number | null>[]> {
  const stretch = { fromMs: 0, beforeMs: toMs + 1 };
  const changes = await listPriceChanges(ctx, id, stretch, 2_000);
  return changes.reverse().map((change) => [
    Date.parse(change.at),
    change.currency === currency ? change.toCents : null,
  ]);
}
