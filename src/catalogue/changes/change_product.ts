/** Creates, changes, deletes and restores products. Each product is written in its own commit. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { Failure, refuseFields, requireById } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { showMoney } from "../../base/money.ts";
import { flagQuery, ignoring, refusedFieldsOf, requireVersion } from "../../platform/http/http.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, transactVersioned, type Write } from "../../platform/store/kv.ts";
import { checkSkuFree, findIndexRow, NO_MARKS } from "../products/index_row_store.ts";
import { blankProduct, type Product, stampChange, toWire } from "../products/product.ts";
import {
  allowLargeChange,
  type NewProduct,
  ProductPatch,
  READ_ONLY_FIELDS,
  refuseSuspicious,
  type TierPriceTerms,
  withFields,
  withPrices,
  withTierPrices,
  WrittenTierPrices,
} from "../products/product_input.ts";
import {
  findDeletedProduct,
  findDocument,
  findProduct,
  putProduct,
  type StoredDocument,
  type StoredProduct,
} from "../products/product_store.ts";
import { createCounters, saveCounters } from "../products/change_log_store.ts";
import {
  atOwnPrice,
  causedByApi,
  productAudit,
  productEvents,
  requireAllowedPrice,
  writeChange,
} from "./write_change.ts";
import { Sku } from "../products/product_fields.ts";
import { z } from "@hono/zod-openapi";

interface ChangeOptions {
  readonly expected: string | null;
  /** Price and currency that the user saw; the request fails if they have changed since. */
  readonly seen?: Pick<Product, "ourPriceCents" | "currency">;
  readonly allowsLargeChange: boolean;
  readonly reason?: string | null | undefined;
}

/** Throws `conflict` if a reason or an approval is missing (see `requireAllowedPrice`). */
export async function changeProduct(
  ctx: Context,
  id: string,
  patch: ProductPatch,
  options: ChangeOptions,
): Promise<StoredDocument> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const found = await requireActive(ctx, id);
    requireVersion(options.expected, found.etag);
    if (options.seen) requireSeen(found.product, options.seen);
    const after = await applyPatch(ctx, found.product, patch, options);
    if (JSON.stringify(after) === JSON.stringify(found.product)) {
      return { id, bytes: found.bytes, etag: found.etag };
    }
    await requireAllowedPrice(write, ctx, found.product, after, options.reason ?? null);
    if (after.sku !== found.product.sku) {
      await requireSkuFree(ctx, after.sku);
      checkSkuFree(write, ctx.workspaceId, after.sku);
    }
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

async function requireActive(workspace: WorkspaceStore, id: string): Promise<StoredProduct> {
  return await requireById("product", id, (id) => findProduct(workspace, id));
}

function requireSeen(now: Product, seen: NonNullable<ChangeOptions["seen"]>): void {
  if (now.ourPriceCents === seen.ourPriceCents && now.currency === seen.currency) return;
  const price = now.ourPriceCents === null ? "none" : showMoney(now.ourPriceCents, now.currency);
  throw new Failure("version_conflict", `The price has changed since it was read: it is ${price}`);
}

async function applyPatch(
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

/** Throws `sku_exists` if an active or soft-deleted product already has the SKU. */
export async function createProduct(ctx: Context, input: NewProduct): Promise<StoredDocument> {
  const product = newProduct(ctx, input, (await requireWorkspace(ctx)).currency);
  const { value: bytes, versionstamp } = await transactVersioned(ctx, async (write) => {
    await requireSkuFree(ctx, product.sku);
    ctx.receipt?.put(write, `/api/products/${product.id}`);
    return writeNewProduct(write, ctx, product);
  });
  if (versionstamp === null) throw new Error("A new product was not committed");
  return { id: product.id, bytes, etag: versionstamp };
}

function writeNewProduct(write: Write, ctx: Context, product: Product): Uint8Array<ArrayBuffer> {
  checkSkuFree(write, ctx.workspaceId, product.sku);
  const counters = createCounters();
  const cause = causedByApi(ctx);
  putProduct(write, ctx.workspaceId, {
    before: null,
    after: { product, marks: NO_MARKS },
    cause,
  }, counters);
  saveCounters(write, ctx.workspaceId, counters);
  publish(write, ctx, productEvents(ctx, null, product, cause));
  addAuditRow(write, ctx, productAudit("product.create", null, product));
  return toWire(product);
}

function newProduct(ctx: Context, input: NewProduct, ofWorkspace: string): Product {
  const currency = input.currency ?? ofWorkspace;
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

async function requireSkuFree(workspace: WorkspaceStore, sku: string): Promise<void> {
  const holder = await findIndexRow(workspace, sku);
  if (!holder) return;
  const hint = holder.isDeleted ? ", which is deleted: restore it or choose another SKU" : "";
  throw new Failure("sku_exists", `Another product has the SKU "${sku}"${hint}`, {
    productId: holder.id,
    deleted: holder.isDeleted,
  });
}

export async function deleteProduct(
  ctx: Context,
  id: string,
  expected: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireActive(ctx, id);
    requireVersion(expected, found.etag);
    const stamped = stampChange(found.product, found.product, ctx.now());
    await writeChange(write, ctx, found, { ...stamped, deletedAt: stamped.updatedAt }, {
      action: "product.delete",
      cause: causedByApi(ctx),
    });
  });
}

export async function restoreProduct(
  ctx: Context,
  id: string,
  pathOf = (id: string) => `/api/products/${id}`,
): Promise<StoredDocument> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const active = isId(id) ? await findDocument(ctx, id) : null;
    if (active) return active;
    const found = await requireById("product", id, (id) => findDeletedProduct(ctx, id));
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

const PUT_MODES = ["upsert", "insert", "update"] as const;

export const ProductBatchQuery = z.strictObject({
  mode: z.enum(PUT_MODES).default("upsert")
    .describe("`insert` skips SKUs that exist, `update` skips SKUs that do not exist"),
  dryRun: flagQuery.meta({
    type: "boolean",
    description: "Writes nothing; the answer says what would happen to each item",
  }),
  allowLargeChange,
});

type ProductBatchQuery = z.output<typeof ProductBatchQuery>;

/** For an existing product, absent fields keep their values and null clears a field. */
export const ProductBatchItem = ProductPatch.extend({
  sku: Sku,
  prices: WrittenTierPrices.optional()
    .describe("All tier prices of the product; they replace its current ones"),
}).meta({ id: "ProductBatchItem" });

const Item = ignoring(READ_ONLY_FIELDS.filter((name) => name !== "prices"), ProductBatchItem);

type Item = z.output<typeof Item>;

export const ProductBatch = z.strictObject({
  items: z.array(
    z.unknown().meta({ allOf: [{ $ref: "#/components/schemas/ProductBatchItem" }] }),
  ).min(1).max(1_000).describe("The products"),
}).meta({
  id: "ProductBatch",
  example: { items: [{ sku: "SKU-1", title: "Kühlschrank KS 300", ourPrice: 299.99, stock: 12 }] },
});

const PUT_OUTCOMES = ["created", "updated", "unchanged", "skipped", "refused"] as const;

const RefusedFields = z.array(
  z.object({ path: z.string().describe("The name of the field, dotted"), message: z.string() }),
);

export const ProductBatchResult = z.object({
  index: z.int().describe("Index of the item, from 0"),
  sku: z.string().nullable().describe("Null if the item has no readable SKU"),
  id: z.string().nullable().describe("Id of the product; null if there is none"),
  outcome: z.enum(PUT_OUTCOMES).describe("What happened to the item"),
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: RefusedFields.describe("The refused fields with their errors"),
  }).nullable().describe("The error of a refused item; else null"),
}).meta({ id: "ProductBatchResult" });

export type ProductBatchResult = z.infer<typeof ProductBatchResult>;

interface Putting extends ProductBatchQuery, TierPriceTerms {
  readonly currency: string;
  /** In a dry run, each SKU's product after the earlier items; `id` is null for a new product. */
  readonly planned: Map<string, { readonly id: string | null; readonly product: Product }>;
}

/** If a request was interrupted, sending it again writes the remaining products. */
export async function putProducts(
  ctx: Context,
  items: readonly unknown[],
  query: ProductBatchQuery,
): Promise<ProductBatchResult[]> {
  const { currency, timeZone } = await requireWorkspace(ctx);
  const putting = { ...query, currency, timeZone, now: ctx.now(), planned: new Map() };
  const results: ProductBatchResult[] = [];
  const ofItem = { ...ctx, receipt: null };
  for (const [index, input] of items.entries()) {
    results.push(await putItem(ofItem, index, input, putting));
  }
  return results;
}

async function putItem(
  ctx: Context,
  index: number,
  input: unknown,
  putting: Putting,
): Promise<ProductBatchResult> {
  const parsed = Item.safeParse(input);
  const sku = parsed.data?.sku ?? skuOf(input);
  const refused = (failure: Failure): ProductBatchResult => {
    const { code, message } = failure;
    const error = { code, message, fields: fieldsOf(failure) };
    return { index, sku, id: null, outcome: "refused", error };
  };
  if (!parsed.success) {
    return refused(refuseFields(refusedFieldsOf(parsed.error.issues)));
  }
  try {
    const done = await transact(ctx, (write) => settle(write, ctx, parsed.data, putting));
    return { index, sku, ...done, error: null };
  } catch (error) {
    if (error instanceof Failure && error.code !== "unavailable") return refused(error);
    throw error;
  }
}

type Done = Pick<ProductBatchResult, "id" | "outcome">;

async function settle(
  write: Write,
  ctx: Context,
  { prices, ...item }: Item,
  putting: Putting,
): Promise<Done> {
  const priced = (product: Product): Product => {
    if (prices === undefined) return product;
    const read = withTierPrices(product, prices, putting);
    if ("refused" in read) throw refuseFields(read.refused);
    return read.product;
  };
  const planned = putting.planned.get(item.sku);
  const indexRow = planned ? null : await findIndexRow(ctx, item.sku);
  const known = planned ?? indexRow;
  if (known === null) {
    if (putting.mode === "update") return { id: null, outcome: "skipped" };
    const { title } = item;
    if (title === undefined) {
      throw refuseFields([{ path: "title", message: "Is required for a new product" }]);
    }
    const product = priced(newProduct(ctx, { ...item, title }, putting.currency));
    if (putting.dryRun) putting.planned.set(item.sku, { id: null, product });
    else writeNewProduct(write, ctx, product);
    return { id: putting.dryRun ? null : product.id, outcome: "created" };
  }
  const { id } = known;
  if (putting.mode === "insert") return { id, outcome: "skipped" };
  const found = indexRow && !indexRow.isDeleted ? await findProduct(ctx, indexRow.id) : null;
  const before = planned?.product ?? found?.product;
  if (before === undefined) {
    const message = `The product "${item.sku}" is deleted: restore it first`;
    throw new Failure("sku_exists", message, { productId: id, deleted: true });
  }
  const options = { allowsLargeChange: putting.allowLargeChange };
  const after = priced(await applyPatch(ctx, before, item, options));
  if (JSON.stringify(after) === JSON.stringify(before)) return { id, outcome: "unchanged" };
  if (putting.dryRun) putting.planned.set(item.sku, { id, product: after });
  else if (found) {
    await writeChange(write, ctx, found, stampChange(before, after, ctx.now()), {
      action: "product.update",
      cause: causedByApi(ctx),
    });
  }
  return { id, outcome: "updated" };
}

function skuOf(input: unknown): string | null {
  const read = z.object({ sku: Sku }).safeParse(input);
  return read.success ? read.data.sku : null;
}

function fieldsOf({ details }: Failure): z.infer<typeof RefusedFields> {
  return z.object({ fields: RefusedFields }).safeParse(details).data?.fields ?? [];
}
