import { createProduct } from "../../src/catalogue/changes/change_product.ts";
import { findCard } from "../../src/catalogue/products/index_row_store.ts";
import { findDocument } from "../../src/catalogue/products/product_store.ts";
import { parseProduct } from "../../src/catalogue/products/product_wire.ts";
import { openTestWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

Deno.test("createProduct() stores the bytes that it answers, twins included", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
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

Deno.test("createProduct() refuses a taken SKU and names its holder", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const made = await createProduct(ctx, { sku: "A", title: "T" });
  await rejects(createProduct(ctx, { sku: "A", title: "U" }), {
    code: "sku_exists",
    details: { productId: made.id, deleted: false },
  });
  await createProduct(ctx, { sku: "a", title: "case matters" });
});

Deno.test("createProduct() leaves one product when eight writers want one SKU", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => createProduct(ctx, { sku: "A", title: `T${n}` })),
  );
  const won = tries.flatMap((result) => result.status === "fulfilled" ? [result.value] : []);
  assertEquals(won.length, 1);
  assertEquals((await findCard(ctx, "A"))?.id, won[0]!.id);
});
