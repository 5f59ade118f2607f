import { createProduct } from "../../src/catalogue/changes/change_product.ts";
import { findDocument } from "../../src/catalogue/products/product_store.ts";
import { parseProduct } from "../../src/catalogue/products/product_wire.ts";
import { withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

withWorkspace.test("createProduct() stores the bytes that it answers, twins included", async (ctx) => {
  const made = await createProduct(ctx, { sku: "SKU-1", title: "T", ourPrice: 299.99 });
  assertEquals(await findDocument(ctx, made.id), made);
  const document = JSON.parse(new TextDecoder().decode(made.bytes));
  assertEquals([document.ourPrice, document.ourPriceCents, document.currency], [
    29999,
    29999,
    "EUR",
  ]);
  assertEquals(parseProduct(made.bytes).ourPriceUpdatedAt, ctx.now().toISOString());
});

withWorkspace.test("createProduct() refuses a taken SKU and names its holder", async (ctx) => {
  const made = await createProduct(ctx, { sku: "A", title: "T" });
  await rejects(createProduct(ctx, { sku: "A", title: "U" }), {
    code: "sku_exists",
    details: { productId: made.id, deleted: false },
  });
  await createProduct(ctx, { sku: "a", title: "case matters" });
});
