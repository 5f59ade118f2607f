/** What a single product costs the store, whichever way it is asked for. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Store } from "../../src/platform/store/kv.ts";
import { bodyOf } from "../api/answers.ts";
import { addMatch, addProduct } from "../competitors/shop.ts";
import { startTestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";

const READS = ["get", "getMany", "list"];

/** The same store, which notes each call that reads, with the tables that it reads. */
function notingReads(store: Store) {
  const calls: string[] = [];
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (typeof name !== "string" || !READS.includes(name)) return member.bind(target);
      return (...args: unknown[]) => {
        calls.push(`${name} ${tablesOf(args[0])}`);
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { store: { ...store, kv }, takeCalls: () => calls.splice(0) };
}

/** Of a key, of several, or of what a list selects. */
function tablesOf(asked: unknown): string {
  const names = JSON.stringify(asked).matchAll(/\["(\w+)"/g);
  return [...names].map(([, name]) => name).join();
}

Deno.test("a product by id and by a SKU that was asked for before is one call of the store", async () => {
  const memory = await openMemoryStore();
  const { store, takeCalls } = notingReads(memory);
  await using app = await startTestApp({ store });
  const id = await addProduct(app.manager, "A-1");
  const key = await app.key([]);
  await bodyOf(key.get("/api/public/v1/products/A-1"), 200);
  takeCalls();

  const bySku = await bodyOf(key.get("/api/public/v1/products/A-1"), 200);
  assertEquals(takeCalls(), ["getMany p,o"]);
  const byId = await bodyOf(key.get(`/api/public/v1/products/${id}`), 200);
  assertEquals(takeCalls(), ["getMany p,o"]);
  assertEquals(bySku, byId);
  assertEquals(bySku.data.competitorPrices, []);

  await bodyOf(app.viewer.get(`/api/products/${id}`), 200);
  assertEquals(takeCalls().filter((call) => !/^get [su]/.test(call)), ["getMany p,o"]);
  memory.kv.close();
});

Deno.test("the prices of a product, never observed, are two more calls beside each other", async () => {
  const memory = await openMemoryStore();
  const { store, takeCalls } = notingReads(memory);
  await using app = await startTestApp({ store });
  const id = await addProduct(app.manager, "A-1");
  await addMatch(app.manager, id, "https://alpha.de/1");
  await addMatch(app.manager, id, "https://beta.de/1");
  const key = await app.key([]);
  await bodyOf(key.get("/api/public/v1/products/A-1"), 200);
  takeCalls();
  const { data } = await bodyOf(key.get("/api/public/v1/products/A-1"), 200);
  assertEquals(data.competitorPrices.map(({ domain }: { domain: string }) => domain), [
    "alpha.de",
    "beta.de",
  ]);
  assertEquals(takeCalls(), ["getMany p,o", "list m", "getMany c,c"]);
  memory.kv.close();
});

Deno.test("a SKU leads to the product that has it now, whatever was found under it before", async () => {
  await using app = await startTestApp();
  const key = await app.key([]);
  const idAt = async (sku: string) => {
    const answer = await key.get(`/api/public/v1/products/${encodeURIComponent(sku)}`);
    const { data } = await answer.json();
    return answer.status === 200 ? data.id : answer.status;
  };
  const first = await addProduct(app.manager, "A-1");
  assertEquals(await idAt("A-1"), first);
  await bodyOf(app.manager.patch(`/api/products/${first}`, { sku: "A-10" }), 200);
  assertEquals([await idAt("A-1"), await idAt("A-10")], [404, first]);

  const second = await addProduct(app.manager, "A-1");
  assertEquals([await idAt("A-1"), await idAt("A-10")], [second, first]);
  await bodyOf(app.manager.delete(`/api/products/${second}`), 200);
  assertEquals(await idAt("A-1"), 404);
  await bodyOf(app.manager.post(`/api/products/${second}/restore`), 200);
  assertEquals([await idAt("A-1"), await idAt("A-1")], [second, second]);

  await bodyOf(app.manager.patch(`/api/products/${first}`, { sku: 'ä "1"' }), 200);
  assertEquals([await idAt('ä "1"'), await idAt('ä "1"'), await idAt("A-10")], [first, first, 404]);
});
