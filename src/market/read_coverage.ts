/** How much of the catalogue has a linked page where, as both interfaces answer it. */
import { z } from "@hono/zod-openapi";
import { sharePct } from "../base/percent.ts";
import type { Context } from "../platform/store/context.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import type { MarketMemory } from "./current/market_memory.ts";
import { COVERAGE_GROUPS, coverageOf, type CoverageSums, GROUPS_MAX } from "./table/coverage.ts";

export const CoverageQuery = z.strictObject({
  by: z.enum(COVERAGE_GROUPS).default("brand").meta({
    description: "What products are put together by",
  }),
});

const Shop = z.object({
  competitorId: z.string(),
  linked: z.int().meta({
    description: "Products with a linked page there that is not known to show another one",
  }),
  confirmed: z.int().meta({
    description: "Those of them whose page was seen to show the product, or a person said so",
  }),
  percent: z.number().meta({ description: "`linked` of the products, with one decimal" }),
});

const Sums = z.object({
  products: z.int().meta({ description: "Active products" }),
  shops: z.array(Shop).meta({ description: "Enabled competitors, in one order everywhere" }),
});

export const Coverage = Sums.extend({
  shops: z.array(Shop.extend({ competitor: z.string() })).meta({
    description: "Enabled competitors, in one order everywhere",
  }),
  anywhere: z.int().meta({ description: "Products with a link to one competitor at least" }),
  atThree: z.int().meta({ description: "Products with links to three competitors at least" }),
  groups: z.array(
    Sums.extend({
      name: z.string().nullable().meta({ description: "The brand or category; null: none" }),
    }),
  ).meta({ description: `The largest first; at most ${GROUPS_MAX}, fewer of many competitors` }),
  rest: Sums.extend({ groups: z.int().meta({ description: "How many they are" }) }).nullable()
    .meta({ description: "The other groups together; null where all are told" }),
  asOf: z.iso.datetime(),
}).meta({ id: "Coverage" });

export type Coverage = Readonly<z.output<typeof Coverage>>;

/** From the table in memory: 503 `unavailable` while it is loaded, 422 `market_too_large` where it has no room. */
export async function readCoverage(
  ctx: Context,
  memory: MarketMemory,
  { by }: z.output<typeof CoverageQuery>,
): Promise<Coverage> {
  const { table, terms, asOfMs } = await memory.read(ctx);
  const enabled = [...terms.competitors.values()].filter((one) => one.enabled)
    .toSorted((a, b) => a.id < b.id ? -1 : 1);
  const slice = new TimeSlice();
  const coverage = await coverageOf(table, by, enabled.map(({ id }) => id), slice);
  const shown = ({ products, cells }: CoverageSums) => ({
    products,
    shops: cells.map((cell, at) => ({
      competitorId: enabled[at]?.id ?? "",
      ...cell,
      percent: products === 0 ? 0 : sharePct(cell.linked / products, 1),
    })),
  });
  const { all, anywhere, atThree, groups, rest } = coverage;
  const { products, shops } = shown(all);
  return {
    products,
    shops: shops.map((shop, at) => ({ ...shop, competitor: enabled[at]?.displayName ?? "" })),
    anywhere,
    atThree,
    groups: groups.map(({ name, ...sums }) => ({ name, ...shown(sums) })),
    rest: rest && { groups: rest.groups, ...shown(rest) },
    asOf: new Date(asOfMs).toISOString(),
  };
}
