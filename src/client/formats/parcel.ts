import type { Workspace } from "../../accounts/workspace.ts";

/** Our shipping, which a price of ours is compared with: 0 where prices are compared without shipping. */
export function parcelCents(
  product: { readonly shippingPriceCents?: number | null; readonly currency: string },
  workspace: Workspace | null,
): number {
  if (!workspace?.compareDelivered) return 0;
  const ofAll = product.currency === workspace.currency ? workspace.ownShippingCents : null;
  return product.shippingPriceCents ?? ofAll ?? 0;
}
