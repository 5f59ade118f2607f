/** What the retailer sold of its compared products, as the ERP says it day by day. */

import { daysBefore } from "../../base/time.ts";
import { recordSales } from "../../catalogue/sales/record_sales.ts";
import { chanceOf } from "./chance.ts";
import type { DemoProduct } from "./demo_catalogue.ts";
import { contextOf, type DemoStage } from "./demo_stage.ts";

/** Of one product; a call takes 5,000 rows. */
const PRODUCTS_PER_CALL = 50;

/** Tells what was sold on so many days up to a date, that one among them. */
export async function tellSales(
  stage: DemoStage,
  products: readonly DemoProduct[],
  until: string,
  days: number,
): Promise<void> {
  const dates = Array.from({ length: days }, (_, at) => daysBefore(until, at));
  for (let from = 0; from < products.length; from += PRODUCTS_PER_CALL) {
    const rows = products.slice(from, from + PRODUCTS_PER_CALL).flatMap((product) =>
      dates.map((date) => ({ sku: product.sku, date, units: unitsSold(product, date) }))
    );
    await recordSales(contextOf(stage, stage.erp), { rows });
  }
}

/** Cheap articles sell often, dear ones seldom; of each some days are better than others. */
function unitsSold({ sku, priceCents }: DemoProduct, date: string): number {
  const usual = 0.4 + 4 * chanceOf("popular", sku) * Math.min(1, 15_000 / priceCents);
  return Math.floor(usual * 2 * chanceOf("sold", sku, date));
}
