import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { changeProduct } from "../../src/catalogue/changes/change_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { deleteProduct } from "../../src/catalogue/changes/delete_product.ts";
import { createDictionaryMemory } from "../../src/catalogue/lists/dictionary_memory.ts";
import { readDictionary } from "../../src/catalogue/lists/dictionary_store.ts";
import { sweepDictionary } from "../../src/catalogue/lists/sweep_dictionary.ts";
import { openTestWorkspace, type TestWorkspace } from "./catalogue_workspace.ts";
import { addProducts, productOf } from "./random_products.ts";

const OPTIONS = { expected: null, allowsLargeChange: false };
const MINUTE_MS = 60_000;

async function brands({ ctx }: TestWorkspace): Promise<[string, number][]> {
  return [...(await readDictionary(ctx)).dictionary.values.b].sort();
}

Deno.test("a remembered dictionary knows a new value at once, and counts within 30 s", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const memory = createDictionaryMemory();
  const brand = async () => [...(await memory.read(ctx)).values.b].sort();
  const [first, second] = ["A", "B"].map((sku) => ({ ...productOf(ctx, 1), sku, brand: "Bosch" }));
  assertEquals(await brand(), []);
  await addProducts(ctx, [first!]);
  assertEquals(await brand(), [["bosch", 1]]);
  await addProducts(ctx, [second!]);
  assertEquals(await brand(), [["bosch", 1]]);
  workspace.advance(30_001);
  assertEquals(await brand(), [["bosch", 2]]);
  await changeProduct(ctx, first!.id, { brand: "Neu" }, OPTIONS);
  assertEquals(await brand(), [["bosch", 1], ["neu", 1]]);
});

Deno.test("sweepDictionary() removes what was empty for ten minutes, and nothing that came back", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const products = ["Weg", "Zurück", "Bleibt"].map((brand, n) => ({ ...productOf(ctx, n), brand }));
  await addProducts(ctx, products);
  await deleteProduct(ctx, products[0]!.id, null);
  await deleteProduct(ctx, products[1]!.id, null);
  const first = await sweepDictionary(ctx, null);
  workspace.advance(9 * MINUTE_MS);
  await sweepDictionary(ctx, first);
  assertEquals(await brands(workspace), [["bleibt", 1], ["weg", 0], ["zurück", 0]]);

  await addProducts(ctx, [{ ...productOf(ctx, 7), brand: "Zurück" }]);
  workspace.advance(MINUTE_MS);
  const before = (await readDictionary(ctx)).version;
  await sweepDictionary(ctx, first);
  assertEquals(await brands(workspace), [["bleibt", 1], ["zurück", 1]]);
  assertEquals((await readDictionary(ctx)).version === before, false);
  assertEquals(await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId)), []);
});

Deno.test("sweepDictionary() leaves a value that came and went between its passes", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const product = { ...productOf(ctx, 0), brand: "Weg" };
  await addProducts(ctx, [product]);
  await changeProduct(ctx, product.id, { brand: null }, OPTIONS);
  const first = await sweepDictionary(ctx, null);
  await changeProduct(ctx, product.id, { brand: "Weg" }, OPTIONS);
  await changeProduct(ctx, product.id, { brand: null }, OPTIONS);
  workspace.advance(10 * MINUTE_MS);
  const second = await sweepDictionary(ctx, first);
  assertEquals(await brands(workspace), [["weg", 0]]);
  workspace.advance(10 * MINUTE_MS);
  await sweepDictionary(ctx, second);
  assertEquals(await brands(workspace), []);
});
