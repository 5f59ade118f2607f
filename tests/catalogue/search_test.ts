import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { fold } from "../../src/base/text.ts";
import { changeProduct } from "../../src/catalogue/change_product.ts";
import { createSearchMemory } from "../../src/catalogue/search_memory.ts";
import { joinShardText, searchShard } from "../../src/catalogue/search_text.ts";
import { openMemoryStore } from "../../src/platform/open_store.ts";
import { openTestWorkspace } from "./catalogue_workspace.ts";
import { addProducts, productOf } from "./random_products.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "Ü", "-", " "), maxLength: 8 });

Deno.test("searchShard() finds what looking into each product finds", () => {
  const cards = fc.array(fc.record({ sku: word, text: word.map(fold) }), { maxLength: 20 });
  fc.assert(fc.property(cards, word.filter((text) => text !== "").map(fold), (list, needle) => {
    const named = list.map((card, n) => ({ ...card, id: `id${n}` }));
    const expected = named
      .filter(({ sku, text }) => fold(sku).includes(needle) || text.includes(needle))
      .map(({ id }) => id);
    assertEquals(searchShard(joinShardText(named), needle), expected);
  }));
});

Deno.test("find() is null for more ids than wanted, and goes on after an id", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const products = Array.from({ length: 30 }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  const searches = createSearchMemory();
  assertEquals(await searches.find(ctx, "sku-", null, 29), null);
  const ids = products.map(({ id }) => id).sort();
  assertEquals(await searches.find(ctx, "sku-", null, 30), ids);
  assertEquals(await searches.find(ctx, "sku-", ids[9]!, 30), ids.slice(10));
});

Deno.test("find() stays right when there is no room for more than one workspace", async () => {
  const store = await openMemoryStore();
  using a = await openTestWorkspace(store);
  using b = await openTestWorkspace(store);
  const searches = createSearchMemory(1);
  const [ofA, ofB] = [productOf(a.ctx, 1), productOf(b.ctx, 2)];
  await addProducts(a.ctx, [ofA]);
  await addProducts(b.ctx, [ofB]);
  for (let round = 0; round < 2; round++) {
    assertEquals(await searches.find(a.ctx, "sku", null, 9), [ofA.id]);
    assertEquals(await searches.find(b.ctx, "sku", null, 9), [ofB.id]);
  }
  const options = { expected: null, allowsLargeChange: false };
  await changeProduct(a.ctx, ofA.id, { title: "ganz neu" }, options);
  assertEquals(await searches.find(a.ctx, "ganz", null, 9), [ofA.id]);
  store.kv.close();
});

Deno.test("find() answers side by side while texts are loaded", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const products = Array.from({ length: 50 }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  const searches = createSearchMemory();
  const found = await Promise.all(
    Array.from({ length: 8 }, () => searches.find(ctx, "sku-1", null, 50)),
  );
  for (const ids of found) assertEquals(ids?.length, 11);
});
