import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { requireRefusal } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { MinorUnits } from "../products/product_fields.ts";
import { changeProduct } from "./change_product.ts";

const PRICES_MAX = 200;

/** Prices of many products, each as somebody has seen what it replaces. */
export const BulkPrices = z.strictObject({
  prices: z.array(z.strictObject({
    id: z.string().meta({ description: "The product" }),
    currency: z.string().meta({
      description: "Of both prices; the product's own must be the same",
    }),
    seenCents: MinorUnits.meta({ description: "The price that is replaced, in minor units" }),
    ourPriceCents: MinorUnits.meta({ description: "The new one; null takes it away" }),
  })).min(1).max(PRICES_MAX).meta({ description: "The new prices, one per product" }),
  reason: AuditReason.optional(),
}).meta({ id: "BulkPrices" });

/** As a client sends it. */
export type BulkPrices = z.input<typeof BulkPrices>;

export const BulkPricesOutcome = z.object({
  results: z.array(z.object({
    id: z.string().meta({ description: "The product" }),
    ok: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).optional()
      .meta({ description: "Why it was refused; absent when it was not" }),
  })).meta({ description: "One per price, in their order" }),
}).meta({ id: "BulkPricesOutcome" });

export type BulkPricesOutcome = z.infer<typeof BulkPricesOutcome>;

/**
 * Sets prices one by one, each as `PATCH` would: `version_conflict` for a price or currency that is no
 * longer the one that was seen, `not_found`, and `price_unit_suspicious`. What is refused keeps nobody
 * from the others.
 */
export async function setPrices(
  ctx: Context,
  { prices, reason }: z.output<typeof BulkPrices>,
  { allowsLargeChange }: { readonly allowsLargeChange: boolean },
): Promise<BulkPricesOutcome> {
  // The answer is kept for a repeated request; a crash in the middle shows in the prices.
  const each = { ...ctx, receipt: null };
  const results: BulkPricesOutcome["results"] = [];
  for (const { id, currency, seenCents, ourPriceCents } of prices) {
    try {
      await changeProduct(each, id, { ourPriceCents }, {
        expected: null,
        seen: { ourPriceCents: seenCents, currency },
        allowsLargeChange,
        reason,
      });
      results.push({ id, ok: true });
    } catch (error) {
      const { code, message } = requireRefusal(error);
      results.push({ id, ok: false, error: { code, message } });
    }
  }
  return { results };
}
