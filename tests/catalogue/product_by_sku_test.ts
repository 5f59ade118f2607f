import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addMatch, addProduct } from "../shops/shop.ts";
import { startTestApp, withApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { notingReads } from "../noted_reads.ts";

Deno.test("a product by id or known SKU costs one store call, and its links without a price another one", async () => {
  const memory = await openMemoryStore();
  const { store, takeCalls } = notingReads(memory);
  await using app = await startTestApp({ store });
  const id = await addProduct(app.manager, "A-1");
  const key = await app.key([]);
  // Only products, their index rows, offers and links. Other tables are read in the background.
  const callsOf = async (name: string) => {
    takeCalls();
    await key.read(`/api/public/v1/products/${name}`);
    return takeCalls().filter((call) => /\b(?:p|ps|o|m)\b/.test(call));
  };
  await callsOf("A-1");
  for (const name of ["A-1", id]) assertEquals(await callsOf(name), ["getMany p,o"]);
  for (const shop of ["alpha", "beta"]) await addMatch(app.manager, id, `https://${shop}.de/1`);
  await callsOf("A-1");
  assertEquals(await callsOf("A-1"), ["getMany p,o", "getMany m,m"]);
  memory.kv.close();
});

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
