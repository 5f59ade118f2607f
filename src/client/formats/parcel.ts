import type { Workspace } from "../../accounts/workspace.ts";

/** Our shipping cost in minor units; 0 if unknown, or if prices are compared without shipping. */
export function parcelCents(
  product: { readonly shippingPriceCents?: number | null; readonly currency: string },
  workspace: Workspace | null,
): number {
  if (!workspace?.compareDelivered) return 0;
  const ofAll = product.currency === workspace.currency ? workspace.ownShippingCents : null;
  return product.shippingPriceCents ?? ofAll ?? 0;
}
