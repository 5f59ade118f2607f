/**
 * Creates or changes many products by SKU, each in its own commit (docs/decisions/catalogue.md).
 */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { flagQuery, ignoring } from "../../platform/http/http.ts";
import { refusedFieldsOf } from "../../platform/http/refused_fields.ts";
import type { Context } from "../../platform/store/context.ts";
import { beginWrite, transact, type Write } from "../../platform/store/kv.ts";
import { findIndexRow } from "../products/index_row_store.ts";
import { type Product, stampChange } from "../products/product.ts";
import { Sku } from "../products/product_fields.ts";
import {
  allowLargeChange,
  ProductPatch,
  READ_ONLY_FIELDS,
  type TierPriceTerms,
  withTierPrices,
  WrittenTierPrices,
} from "../products/product_input.ts";
import { findProduct } from "../products/product_store.ts";
import { applyPatch, newProduct, writeNewProduct } from "./change_product.ts";
import { causedByApi, writeChange } from "./write_change.ts";
import { z } from "@hono/zod-openapi";

const PUT_MODES = ["upsert", "insert", "update"] as const;

export const ProductBatchQuery = z.strictObject({
  mode: z.enum(PUT_MODES).default("upsert").describe(
    "`insert` skips SKUs that exist, `update` skips SKUs that do not exist",
  ),
  dryRun: flagQuery.meta({
    type: "boolean",
    description: "Writes nothing; the answer says what would happen to each item",
  }),
  allowLargeChange,
});

type ProductBatchQuery = z.output<typeof ProductBatchQuery>;

/** For an existing product, an absent field stays and null clears it. */
export const ProductBatchItem = ProductPatch.extend({
  sku: Sku,
  prices: WrittenTierPrices.optional().describe(
    "All tier prices of the product; they replace its current ones",
  ),
}).meta({ id: "ProductBatchItem" });

const Item = ignoring(READ_ONLY_FIELDS.filter((name) => name !== "prices"), ProductBatchItem);

type Item = z.output<typeof Item>;

/** Items are validated one by one, so that an invalid one does not affect the others. */
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
}

/** After an interruption some products are written. A repeated call writes the rest. */
export async function putProducts(
  ctx: Context,
  items: readonly unknown[],
  query: ProductBatchQuery,
): Promise<ProductBatchResult[]> {
  const { currency, timeZone } = await requireWorkspace(ctx);
  const putting = { ...query, currency, timeZone, now: ctx.now() };
  const results: ProductBatchResult[] = [];
  // A receipt belongs to the whole request, not to the commit of an item.
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
  const work = (write: Write) => settle(write, ctx, parsed.data, putting);
  // A dry run never commits.
  const attempt = () => putting.dryRun ? work(beginWrite(ctx)) : transact(ctx, work);
  try {
    const done = await attempt().catch((error) => {
      // Another writer created the product meanwhile, so it is changed instead.
      if (isTaken(error)) return attempt();
      throw error;
    });
    return { index, sku, ...done, error: null };
  } catch (error) {
    if (error instanceof Failure && error.code !== "unavailable") return refused(error);
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Failure && error.code === "sku_exists" &&
    error.details?.deleted === false;
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
  const indexRow = await findIndexRow(ctx, item.sku);
  if (indexRow === null) {
    if (putting.mode === "update") return { id: null, outcome: "skipped" };
    const { title } = item;
    if (title === undefined) {
      throw refuseFields([{ path: "title", message: "A new product needs one" }]);
    }
    const made = newProduct(ctx, { ...item, title }, item.currency ?? putting.currency);
    const product = priced(made);
    await writeNewProduct(write, ctx, product);
    return { id: putting.dryRun ? null : product.id, outcome: "created" };
  }
  if (putting.mode === "insert") return { id: indexRow.id, outcome: "skipped" };
  const found = indexRow.isDeleted ? null : await findProduct(ctx, indexRow.id);
  if (found === null) {
    const message = `The product "${item.sku}" is deleted: restore it first`;
    throw new Failure("sku_exists", message, { productId: indexRow.id, deleted: true });
  }
  const options = { allowsLargeChange: putting.allowLargeChange };
  const after = priced(await applyPatch(ctx, found.product, item, options));
  if (JSON.stringify(after) === JSON.stringify(found.product)) {
    return { id: indexRow.id, outcome: "unchanged" };
  }
  await writeChange(write, ctx, found, stampChange(found.product, after, ctx.now()), {
    action: "product.update",
    cause: causedByApi(ctx),
  });
  return { id: indexRow.id, outcome: "updated" };
}

/** For an item that is refused for another reason. */
function skuOf(input: unknown): string | null {
  const read = z.object({ sku: Sku }).safeParse(input);
  return read.success ? read.data.sku : null;
}

function fieldsOf({ details }: Failure): z.infer<typeof RefusedFields> {
  return z.object({ fields: RefusedFields }).safeParse(details).data?.fields ?? [];
}
