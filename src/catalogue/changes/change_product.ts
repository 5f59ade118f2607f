/** Creates, changes, deletes and restores one product, each in one commit. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { showMoney } from "../../base/money.ts";
import { requireVersion } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, transactVersioned, type Write } from "../../platform/store/kv.ts";
import { noSuchProduct } from "../lists/find_product.ts";
import { checkSkuFree, findIndexRow, NO_MARKS } from "../products/index_row_store.ts";
import { blankProduct, type Product, stampChange } from "../products/product.ts";
import {
  centsOf,
  type NewProduct,
  type ProductPatch,
  suspiciousPrices,
  withFields,
  withPrices,
} from "../products/product_input.ts";
import {
  findDeletedProduct,
  findDocument,
  findProduct,
  putProduct,
  type StoredDocument,
} from "../products/product_store.ts";
import { createCounters } from "../products/product_counters.ts";
import { toWire } from "../products/product_wire.ts";
import { saveCounters } from "../products/save_counters.ts";
import { atOwnPrice, requireAllowedPrice } from "./personal_price.ts";
import { causedByApi, productAudit, publishProduct, writeChange } from "./write_change.ts";

interface ChangeOptions {
  /** Version of `If-Match`; null accepts any version. */
  readonly expected: string | null;
  /** The price that the caller saw. If it has changed since, it is not overwritten. */
  readonly seen?: Pick<Product, "ourPriceCents" | "currency">;
  /** True accepts a price that is exactly 10^exponent times the previous one. */
  readonly allowsLargeChange: boolean;
  readonly reason?: string | null | undefined;
}

/**
 * Without changes, writes nothing. Throws `sku_exists`, `version_conflict`, `price_unit_suspicious`
 * for a price in the wrong unit, and `conflict` (see `requireAllowedPrice`).
 */
export async function changeProduct(
  ctx: Context,
  id: string,
  patch: ProductPatch,
  options: ChangeOptions,
): Promise<StoredDocument> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const found = isId(id) ? await findProduct(ctx, id) : null;
    if (!found) throw noSuchProduct(id);
    requireVersion(options.expected, found.etag);
    if (options.seen) requireSeen(found.product, options.seen);
    const after = await applyPatch(ctx, found.product, patch, options);
    if (JSON.stringify(after) === JSON.stringify(found.product)) {
      return { id, bytes: found.bytes, etag: found.etag };
    }
    await requireAllowedPrice(write, ctx, found.product, after, options.reason ?? null);
    if (after.sku !== found.product.sku) await requireSkuFree(write, ctx, after.sku);
    const stamped = stampChange(found.product, after, ctx.now());
    const bytes = await writeChange(write, ctx, found, stamped, {
      action: "product.update",
      cause: causedByApi(ctx),
      reason: options.reason,
    });
    return { id, bytes, etag: found.etag };
  });
  return { ...value, etag: versionstamp ?? value.etag };
}

function requireSeen(now: Product, seen: NonNullable<ChangeOptions["seen"]>): void {
  if (now.ourPriceCents === seen.ourPriceCents && now.currency === seen.currency) return;
  const price = now.ourPriceCents === null ? "none" : showMoney(now.ourPriceCents, now.currency);
  throw new Failure("version_conflict", `The price has changed since it was read: it is ${price}`);
}

/** Times stay unchanged. Throws `validation_failed`, and unless allowed `price_unit_suspicious`. */
export async function applyPatch(
  ctx: Context,
  before: Product,
  patch: ProductPatch,
  options: Pick<ChangeOptions, "allowsLargeChange">,
): Promise<Product> {
  const priced = withPrices(withFields(before, patch), patch.currency ?? before.currency, patch);
  if ("refused" in priced) throw refuseFields(priced.refused);
  if (!options.allowsLargeChange) refuseSuspicious(before, priced.product);
  const { product } = priced;
  const isRepriced = before.ourPriceCents !== product.ourPriceCents;
  return isRepriced ? await atOwnPrice(ctx, product, product.ourPriceCents) : product;
}

function refuseSuspicious(before: Product, after: Product): void {
  const fields = suspiciousPrices(before, after);
  const [first] = fields;
  if (first === undefined) return;
  const was = showMoney(centsOf(before, first) ?? 0, before.currency);
  const is = showMoney(centsOf(after, first) ?? 0, after.currency);
  throw new Failure(
    "price_unit_suspicious",
    `"${first}" would go from ${was} to ${is}, as if the integer that was read had been sent ` +
      "back: write major units, or repeat with ?allowLargeChange=true",
    { fields: fields.map((path) => ({ path, message: "Is written in major units" })) },
  );
}

/** Throws `sku_exists` if another product has the SKU, even a soft-deleted one. */
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

export async function writeNewProduct(
  write: Write,
  ctx: Context,
  product: Product,
): Promise<Uint8Array<ArrayBuffer>> {
  await requireSkuFree(write, ctx, product.sku);
  const counters = createCounters();
  const cause = causedByApi(ctx);
  putProduct(write, ctx.workspaceId, {
    before: null,
    after: { product, marks: NO_MARKS },
    cause,
  }, counters);
  await saveCounters(write, ctx, counters);
  publishProduct(write, ctx, { before: null, after: product, cause });
  addAuditRow(write, ctx, productAudit("product.create", null, product));
  return toWire(product);
}

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

/** Throws `sku_exists`. The commit fails if the SKU is taken meanwhile. */
async function requireSkuFree(write: Write, workspace: WorkspaceStore, sku: string): Promise<void> {
  const holder = await findIndexRow(workspace, sku);
  if (holder) {
    const hint = holder.isDeleted ? ", which is deleted: restore it or choose another SKU" : "";
    throw new Failure("sku_exists", `Another product has the SKU "${sku}"${hint}`, {
      productId: holder.id,
      deleted: holder.isDeleted,
    });
  }
  checkSkuFree(write, workspace.workspaceId, sku);
}

/** Document, SKU and history stay. Throws `not_found` and `version_conflict`. */
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

/** Returns an active product unchanged. `pathOf` gives the path for the receipt. */
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
