import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/store/context.ts";
import { noSuchProduct } from "../lists/find_product.ts";
import { stampChange } from "../products/product.ts";
import {
  findDeletedProduct,
  findDocument,
  type StoredDocument,
} from "../products/product_store.ts";
import { causedByApi, writeChange } from "./write_change.ts";
import { transactVersioned } from "../../platform/store/kv.ts";

/**
 * Makes a soft-deleted product active again; one that is active is answered as it is. `pathOf` says
 * where it is read.
 */
export async function restoreProduct(
  ctx: Context,
  id: string,
  pathOf = (id: string) => `/api/products/${id}`,
): Promise<StoredDocument> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const active = isId(id) ? await findDocument(ctx, id) : null;
    if (active) return active;
    const found = isId(id) ? await findDeletedProduct(ctx, id) : null;
    if (!found) throw noSuchProduct(id);
    const after = { ...stampChange(found.product, found.product, ctx.now()), deletedAt: null };
    const bytes = await writeChange(write, ctx, found, after, {
      action: "product.restore",
      cause: causedByApi(ctx),
    });
    ctx.receipt?.put(write, pathOf(id));
    return { id, bytes, etag: found.etag };
  });
  return { ...value, etag: versionstamp ?? value.etag };
}
