/** Market positions of groups of products, in the form of both interfaces. */

import { fromKeys } from "../base/collections.ts";
import { apart, type MarketAsker, marketQueryOf } from "../catalogue/lists/product_page.ts";
import { FILTER_SHAPE, filterOf } from "../catalogue/lists/product_filter.ts";
import { MARKET_FILTER_SHAPE } from "../catalogue/prices/product_market.ts";
import { MARKET_STATES } from "../engine/pricing/market_facts.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import type { Context } from "../platform/store/context.ts";
import type { MarketCache } from "./current/market_cache.ts";
import { requireMarketScopes } from "./market_rows.ts";
import {
  addInTurns,
  SUMMARY_DIMENSIONS,
  type SummaryDimension,
  SummaryPass,
} from "./table/summary.ts";
import { testOf } from "./table/table_page.ts";
import { z } from "@hono/zod-openapi";

/** Maximum number of groups; only the largest are returned. */
const GROUPS_MAX = 4_000;

const isDimension = (name: string): name is SummaryDimension =>
  SUMMARY_DIMENSIONS.some((known) => known === name);

const By = z.string().optional().transform((text, check): SummaryDimension[] => {
  const names = (text ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const known = names.filter(isDimension);
  const isPair = new Set(names).size === names.length && names.length <= 2;
  if (known.length === names.length && isPair) return known;
  check.addIssue({
    code: "custom",
    message: `Must be one of ${SUMMARY_DIMENSIONS.join(", ")}, or a pair of them`,
  });
  return [];
});

export const MarketSummaryQuery = z.strictObject({
  by: By.meta({
    type: "string",
    description: `One of ${
      SUMMARY_DIMENSIONS.join(", ")
    }, or two with a comma; all as one without it`,
    example: "brand,competitor",
  }),
  ...FILTER_SHAPE,
  ...MARKET_FILTER_SHAPE,
});

export const MarketSummary = z.object({
  items: z.array(z.object({
    brand: z.string().nullable().optional(),
    category: z.string().nullable().optional(),
    competitorId: z.string().optional(),
    competitor: z.string().nullable().optional(),
    products: z.int(),
    compared: z.int().meta({
      description: "Number of products with an own price and an offer that counts",
    }),
    cheapest: z.int(),
    middle: z.int(),
    dearest: z.int(),
    indexPct: z.number().nullable().meta({ description: "Mean of the products' values" }),
    marginPct: z.number().nullable().meta({ description: "Mean of the products' values" }),
    states: z.object(fromKeys(MARKET_STATES, () => z.int()))
      .extend({ ok: z.int().meta({ description: "Number of products that can be compared" }) }),
  })).meta({ description: "Groups, largest first" }),
  total: z.int().meta({ description: "Number of groups" }),
  isCut: z.boolean().meta({ description: `True if there are more than ${GROUPS_MAX} groups` }),
  asOf: z.iso.datetime(),
}).meta({ id: "MarketSummary" });

export async function readMarketSummary(
  ctx: Context,
  cache: MarketCache,
  asker: MarketAsker,
  { by, ...texts }: z.output<typeof MarketSummaryQuery>,
): Promise<z.output<typeof MarketSummary>> {
  const { filterTexts, marketTexts } = apart({ order: "asc" as const, ...texts });
  requireMarketScopes(ctx, marketTexts);
  const query = await marketQueryOf(ctx, asker.cache, filterOf(filterTexts), marketTexts);
  const { table, terms, asOfMs } = await cache.read(ctx);
  const pass = new SummaryPass(table, by);
  const slice = new TimeSlice();
  await addInTurns(pass, table, { testOf: () => testOf(table, query), slice });
  const nameOf = (id: string) => terms.competitors.get(id)?.displayName ?? null;
  return {
    items: pass.groups(GROUPS_MAX).map((group) => ({
      ...group,
      ...(group.competitorId !== undefined && { competitor: nameOf(group.competitorId) }),
    })),
    total: pass.size,
    isCut: pass.size > GROUPS_MAX,
    asOf: new Date(asOfMs).toISOString(),
  };
}
