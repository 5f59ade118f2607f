/** Products with few different values, so that many of them match a filter. */

import type { PriceCause } from "../../src/catalogue/prices/price_rows.ts";
import { createCounters, saveCounters } from "../../src/catalogue/products/change_log_store.ts";
import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import { putProduct } from "../../src/catalogue/products/product_store.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { transact } from "../../src/platform/store/kv.ts";

export const BRANDS = ["Bosch", "Bosch Siemens", "Kühn", "KÜHL & Co", "Sony", null];
export const CATEGORIES = ["Haushalt", "Haushalt/Kühlen", "Audio", null];
export const TIERS = ["STANDARD", "B2B", null];

/** Product `n`. Two products with the same `n` differ only in their ids and times of creation. */
export function productOf(ctx: Context, n: number): Product {
  return {
    ...blankProduct({
      id: ctx.newId(),
      sku: `SKU-${n}`,
      title: n % 7 === 0 ? `Kühlschrank ${n}` : `Gerät ${n}`,
      currency: "EUR",
      createdAt: ctx.now().toISOString(),
    }),
    brand: BRANDS[n % BRANDS.length] ?? null,
    category: CATEGORIES[(n >> 1) % CATEGORIES.length] ?? null,
    tier: TIERS[(n >> 2) % TIERS.length] ?? null,
  };
}

/** Adds products in commits of 50, without audit rows. */
export async function addProducts(
  ctx: Context,
  products: readonly Product[],
  cause: PriceCause = { source: "api", actor: ctx.actor, ref: null },
): Promise<void> {
  for (let at = 0; at < products.length; at += 50) {
    await transact(ctx, (write) => {
      const counters = createCounters();
      for (const product of products.slice(at, at + 50)) {
        putProduct(write, ctx.workspaceId, {
          before: null,
          after: { product, marks: NO_MARKS },
          cause,
        }, counters);
      }
      saveCounters(write, ctx.workspaceId, counters);
    });
  }
}

export async function addNumbered(ctx: Context, count: number): Promise<Product[]> {
  const products = Array.from({ length: count }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  return products;
}
