import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transactVersioned, type Write } from "../../platform/store/kv.ts";
import { announceProduct } from "./announce_product.ts";
import { blankProduct, type Product } from "../products/product.ts";
import { productAudit } from "./product_audit.ts";
import { type NewProduct, withFields } from "../products/product_input.ts";
import { withPrices } from "../products/product_money.ts";
import { NO_MARKS } from "../products/card.ts";
import { checkSkuFree, findCard } from "../products/card_store.ts";
import { putProduct, type StoredDocument } from "../products/product_store.ts";
import { createTally } from "../products/product_tally.ts";
import { toWire } from "../products/product_wire.ts";
import { saveTally } from "../products/save_tally.ts";
import { causedByApi } from "./write_change.ts";

/** Refuses with `sku_exists` when the SKU is taken, by a soft-deleted product too. */
export async function createProduct(ctx: Context, input: NewProduct): Promise<StoredDocument> {
  const currency = input.currency ?? (await requireWorkspace(ctx)).currency;
  const product = newProduct(ctx, input, currency);
  const { value: bytes, versionstamp } = await transactVersioned(ctx, async (write) => {
    const stored = await writeNewProduct(write, ctx, product);
    ctx.receipt?.put(write, `/api/products/${product.id}`);
    return stored;
  });
  if (versionstamp === null) throw new Error("A new product was not committed");
  return { id: product.id, bytes, etag: versionstamp };
}

/** Adds a new product to a commit. Refuses as `createProduct` does. */
export async function writeNewProduct(
  write: Write,
  ctx: Context,
  product: Product,
): Promise<Uint8Array<ArrayBuffer>> {
  await requireSkuFree(write, ctx, product.sku);
  const tally = createTally();
  const cause = causedByApi(ctx);
  putProduct(write, ctx.workspaceId, {
    before: null,
    after: { product, marks: NO_MARKS },
    cause,
  }, tally);
  await saveTally(write, ctx, tally);
  announceProduct(write, ctx, { before: null, after: product, cause });
  addAuditRow(write, ctx, productAudit("product.create", null, product));
  return toWire(product);
}

/** The product that an input asks for. Refuses with `validation_failed` prices that cannot be. */
export function newProduct(ctx: Context, input: NewProduct, currency: string): Product {
  const blank = blankProduct({
    id: ctx.newId(),
    sku: input.sku,
    title: input.title,
    currency,
    createdAt: ctx.now().toISOString(),
  });
  const priced = withPrices(withFields(blank, input), currency, input);
  if ("refused" in priced) throw refuseFields(priced.refused);
  const { product } = priced;
  return product.ourPriceCents === null
    ? product
    : { ...product, ourPriceUpdatedAt: product.createdAt };
}

/** Names the holder of a taken SKU; the commit fails when somebody takes it meanwhile. */
export async function requireSkuFree(
  write: Write,
  workspace: WorkspaceStore,
  sku: string,
): Promise<void> {
  const holder = await findCard(workspace, sku);
  if (holder) {
    const hint = holder.isDeleted ? ", which is deleted: restore it or choose another SKU" : "";
    throw new Failure("sku_exists", `Another product has the SKU "${sku}"${hint}`, {
      productId: holder.id,
      deleted: holder.isDeleted,
    });
  }
  checkSkuFree(write, workspace.workspaceId, sku);
}
