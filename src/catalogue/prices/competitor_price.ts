import { z } from "@hono/zod-openapi";

/**
 * A competitor's newest price of a product, one per enabled match (docs/decisions/competitors.md).
 */
export const CompetitorPrice = z.object({
  competitor: z.string().meta({ description: "Display name" }),
  domain: z.string(),
  url: z.string(),
  price: z.int().nullable().meta({ description: "Minor units as seen; null when never observed" }),
  unitPrice: z.number().nullable().meta({ description: "`price` divided by `packFactor`" }),
  packFactor: z.number(),
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
}).meta({ id: "CompetitorPrice" });

export type CompetitorPrice = Readonly<z.infer<typeof CompetitorPrice>>;
