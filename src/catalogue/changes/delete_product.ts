import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireVersion } from "../../platform/http/http.ts";
import { transact } from "../../platform/store/kv.ts";
import { noSuchProduct } from "../lists/find_product.ts";
import { stampChange } from "../products/product.ts";
import { findProduct } from "../products/product_store.ts";
import { causedByApi, writeChange } from "./write_change.ts";

/**
 * Soft-deletes an active product: it keeps its record, SKU and history. Refuses with `not_found`
 * what is deleted already, with `version_conflict` what `expected` does not name.
 */
export async function deleteProduct(
  ctx: Context,
  id: string,
  expected: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = isId(id) ? await findProduct(ctx, id) : null;
    if (!found) throw noSuchProduct(id);
    requireVersion(expected, found.etag);
    const stamped = stampChange(found.product, found.product, ctx.now());
    await writeChange(write, ctx, found, { ...stamped, deletedAt: stamped.updatedAt }, {
      action: "product.delete",
      cause: causedByApi(ctx),
    });
  });
}
