import { z } from "@hono/zod-openapi";
import { AVAILABILITIES } from "../../base/availability.ts";
import { CONDITIONS } from "../../base/condition.ts";

/** What a page of a shop says of the one product that it shows. */
export const ShopPage = z.object({
  url: z.string(),
  title: z.string().nullable(),
  brand: z.string().nullable(),
  gtin: z.string().nullable().meta({ description: "The GTIN or EAN on the page" }),
  mpn: z.string().nullable(),
  sku: z.string().nullable().meta({ description: "The number of the shop" }),
  condition: z.enum(CONDITIONS).nullable(),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  isOpenVariant: z.boolean().meta({
    description: "The page has variants, and nothing says which one counts",
  }),
  seenAt: z.iso.datetime().meta({ description: "When the page was visited last" }),
}).meta({ id: "ShopPage" });

export type ShopPage = Readonly<z.output<typeof ShopPage>>;
