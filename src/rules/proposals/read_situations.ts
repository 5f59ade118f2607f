/** Products and their market as they are now, as rules see them. */
import type { Product } from "../../catalogue/products/product.ts";
import { findCompetitors } from "../../shops/competitor_store.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { NO_HISTORY, type Situation } from "../../engine/pricing/situation.ts";
import { pricingOffersOf } from "./priced_offer.ts";
import { pricedProductOf, pricingSettingsOf } from "./priced_product.ts";

/** By product id, without what rules remember of them. */
export async function readSituations(
  ctx: Context,
  products: readonly Product[],
): Promise<ReadonlyMap<string, Situation>> {
  const [rows, workspace] = await Promise.all([
    findOffersOf(ctx, products.map(({ id }) => id)),
    requireWorkspace(ctx),
  ]);
  const offersOf = new Map(rows.map(({ productId, offers }) => [productId, offers]));
  const shops = rows.flatMap(({ offers }) => offers.map(({ competitorId }) => competitorId));
  const competitors = await findCompetitors(ctx, shops);
  const settings = pricingSettingsOf(workspace);
  const nowMs = ctx.now().getTime();
  return new Map(
    products.map((product): [string, Situation] => [product.id, {
      product: pricedProductOf(product),
      offers: pricingOffersOf(offersOf.get(product.id) ?? [], competitors),
      history: NO_HISTORY,
      settings,
      nowMs,
      mode: "live",
    }]),
  );
}
