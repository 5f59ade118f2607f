import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { startOfDay } from "../../base/german_values.ts";
import type { Context } from "../../platform/store/context.ts";
import { followPrice, type Product } from "../products/product.ts";

/**
 * The product at another own price, whoever set it: the entry of its tier follows, valid from today,
 * which is a day of the workspace's zone, as in the files that it is imported from and exported to.
 */
export async function atOwnPrice(
  ctx: Context,
  product: Product,
  ourPriceCents: number | null,
): Promise<Product> {
  const { timeZone } = await requireWorkspace(ctx);
  return followPrice({ ...product, ourPriceCents }, startOfDay(ctx.now(), timeZone));
}
