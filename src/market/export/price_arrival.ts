import { z } from "@hono/zod-openapi";
import { ARRIVAL_STATUSES } from "../../catalogue/prices/awaited_price_store.ts";

const cents = z.int().nullable();

/** A price that an export has told and that no import has brought. */
export const PriceArrival = z.object({
  productId: z.string(),
  sku: z.string(),
  tier: z.string().nullable(),
  status: z.enum(ARRIVAL_STATUSES).meta({
    description:
      "`not_arrived`: an import brought another price; `missing`: two full loads with prices, or all " +
      "imports of 48 hours, brought none",
  }),
  expectedCents: z.int().meta({ description: "As it was fetched, minor units of `currency`" }),
  currency: z.string(),
  seenCents: cents.meta({ description: "What an import brought, minor units of `seenCurrency`" }),
  seenCurrency: z.string().nullable().meta({ description: "Null where no import brought any" }),
  seenIn: z.string().nullable().meta({ description: "The import" }),
  fetchedAt: z.iso.datetime().meta({ description: "When the export was fetched" }),
}).meta({ id: "PriceArrival" });

export type PriceArrival = z.infer<typeof PriceArrival>;
