import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProduct } from "../shops/shop.ts";
import { withApp } from "../harness.ts";

withApp.test("a SKU leads to the product that has it now, whatever was cached before", async (app) => {
  const key = await app.key([]);
  const idAt = async (sku: string) => {
    const answer = await key.get(`/api/public/v1/products/${encodeURIComponent(sku)}`);
    const { data } = await answer.json();
    return answer.status === 200 ? data.id : answer.status;
  };
  const first = await addProduct(app.manager, "A-1");
  assertEquals(await idAt("A-1"), first);
  await app.manager.change(`/api/products/${first}`, { sku: "A-10" });
  assertEquals([await idAt("A-1"), await idAt("A-10")], [404, first]);

  const second = await addProduct(app.manager, "A-1");
  assertEquals([await idAt("A-1"), await idAt("A-10")], [second, first]);
  await app.manager.remove(`/api/products/${second}`);
  assertEquals(await idAt("A-1"), 404);
  await app.manager.act(`/api/products/${second}/restore`);
  assertEquals([await idAt("A-1"), await idAt("A-1")], [second, second]);

  await app.manager.change(`/api/products/${first}`, { sku: 'ä "1"' });
  assertEquals([await idAt('ä "1"'), await idAt('ä "1"'), await idAt("A-10")], [first, first, 404]);
});
