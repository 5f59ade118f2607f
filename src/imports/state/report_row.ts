/** What a dry run reports of single products, as it is kept and as both interfaces show it. */
import { z } from "@hono/zod-openapi";

/** A field of an existing product that an import would change, named and valued as on read. */
export const FieldChange = z.object({
  sku: z.string(),
  field: z.string(),
  date: z.iso.date().optional().meta({ description: "Of `units`: the day they were sold on" }),
  from: z.unknown().meta({ description: "The value before" }),
  to: z.unknown().meta({ description: "The value afterwards" }),
  fromCurrency: z.string().optional()
    .meta({ description: "Of a price: `from` is in its minor units" }),
  toCurrency: z.string().optional().meta({
    description: "Of a price: `to` is in its minor units",
  }),
  written: z.string().optional().meta({
    description: "What the file says, shortened; there where the value that was read from it " +
      "reads otherwise: a number written in another way, a price from the other side of VAT",
  }),
  fromMarginPct: z.number().nullable().optional().meta({
    description: "Of `ourPrice` and `costPrice`: the product's margin before; null where cost, " +
      "price or VAT rate is not known",
  }),
  toMarginPct: z.number().nullable().optional().meta({
    description: "Likewise afterwards, by all that the file changes of the product",
  }),
});

export type FieldChange = Readonly<z.infer<typeof FieldChange>>;

/** A product that an import would make. */
export const Addition = z.object({
  sku: z.string(),
  title: z.string(),
  priceCents: z.int().nullable().meta({
    description: "Our price in minor units; null: it would have none",
  }),
  currency: z.string(),
});

/** A product that `replace` would delete. */
export const Removal = z.object({ sku: z.string(), productId: z.string() });

/** The rows of a report, by kind. */
export interface ReportRows {
  readonly change: FieldChange;
  readonly addition: Readonly<z.infer<typeof Addition>>;
  readonly removal: Readonly<z.infer<typeof Removal>>;
}
