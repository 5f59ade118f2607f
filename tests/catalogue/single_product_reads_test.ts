import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addMatch, addProduct } from "../shops/shop.ts";
import { startTestApp, withApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { notingReads } from "../noted_reads.ts";

Deno.test("a product by id, or by a SKU that was read before, costs one store call", async () => {
  const cache = await openMemoryStore();
  const { store, takeCalls } = notingReads(cache);
  await using app = await startTestApp({ store });
  const id = await addProduct(app.manager, "A-1");
  const key = await app.key([]);
  // Leaves out the reads of the market, which is loaded in the background.
  const ownCalls = () => takeCalls().filter((call) => /\b[po]\b/.test(call));
  await key.read("/api/public/v1/products/A-1");
  takeCalls();

  const bySku = await key.read("/api/public/v1/products/A-1");
  assertEquals(ownCalls(), ["getMany p,o"]);
  const byId = await key.read(`/api/public/v1/products/${id}`);
  assertEquals(ownCalls(), ["getMany p,o"]);
  assertEquals(bySku, byId);
  assertEquals(bySku.data.competitorPrices, []);

  // A sorted list waits until the market is loaded.
  await app.viewer.read("/api/products?sort=gapPct");
  takeCalls();
  await app.viewer.read(`/api/products/${id}`);
  assertEquals(ownCalls(), ["getMany p,o"]);
  cache.kv.close();
});

Deno.test("the unobserved prices of a product cost one call for the links and one for changed shops", async () => {
  const cache = await openMemoryStore();
  const { store, takeCalls } = notingReads(cache);
  await using app = await startTestApp({ store });
  const id = await addProduct(app.manager, "A-1");
  await addMatch(app.manager, id, "https://alpha.de/1");
  await addMatch(app.manager, id, "https://beta.de/1");
  const key = await app.key([]);
  await key.read("/api/public/v1/products/A-1");
  takeCalls();
  const { data } = await key.read("/api/public/v1/products/A-1");
  assertEquals(data.competitorPrices.map(({ domain }: { domain: string }) => domain), [
    "alpha.de",
    "beta.de",
  ]);
  // Events are relayed in the background, and read other tables.
  const asked = takeCalls().filter((call) => /\b(?:p|o|m|cv)\b/.test(call));
  assertEquals(asked.filter((call) => /\b[pom]\b/.test(call)), ["getMany p,o", "getMany m,m"]);
  assertEquals(asked.at(-1), "getMany cv");
  cache.kv.close();
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
