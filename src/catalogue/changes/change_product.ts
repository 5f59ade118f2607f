import { Failure, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { showMoney } from "../../base/money.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireVersion } from "../../platform/http/http.ts";
import { transactVersioned } from "../../platform/store/kv.ts";
import { requireSkuFree } from "./create_product.ts";
import { noSuchProduct } from "../lists/find_product.ts";
import { atOwnPrice } from "./own_price.ts";
import { requireAllowedPrice } from "./personal_price.ts";
import { type Product, stampChange } from "../products/product.ts";
import { type ProductPatch, withFields } from "../products/product_input.ts";
import { centsOf, suspiciousPrices, withPrices } from "../products/product_money.ts";
import { findProduct, type StoredDocument } from "../products/product_store.ts";
import { causedByApi, writeChange } from "./write_change.ts";

export interface ChangeOptions {
  /** What `If-Match` asks for; null when any version may be changed. */
  readonly expected: string | null;
  /** The price that the caller has seen: another one by now is not written over. */
  readonly seen?: Pick<Product, "ourPriceCents" | "currency">;
  /** Lets a price through that became exactly 10^exponent times what it was. */
  readonly allowsLargeChange: boolean;
  /** Why, for the audit log. */
  readonly reason?: string | null | undefined;
}

/**
 * Merges a patch into an active product. One that changes nothing writes nothing. Refuses with
 * `sku_exists`, `version_conflict`, `price_unit_suspicious` for a price that was sent back as read, and
 * `conflict` for one that a person may not set so (`requireAllowedPrice`).
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

/**
 * The product with a patch, times untouched. Refuses with `validation_failed`, and with
 * `price_unit_suspicious` unless that is allowed.
 */
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
