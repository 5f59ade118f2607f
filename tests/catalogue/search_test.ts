import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { fold } from "../../src/base/text.ts";
import { changeProduct } from "../../src/catalogue/changes/change_product.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { createSearchMemory, type SearchMemory } from "../../src/catalogue/lists/search_memory.ts";
import { countHits, joinShardText, searchShards } from "../../src/catalogue/lists/search_text.ts";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { openMemoryStore } from "../memory_store.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { openTestWorkspace } from "./catalogue_workspace.ts";
import { countReads } from "./counted_reads.ts";
import { addProducts, productOf } from "./random_products.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "Ü", "-", " "), maxLength: 8 });

Deno.test("searchShards() finds what looking into each product finds, from any id on", () => {
  const cards = fc.array(fc.record({ sku: word, text: word.map(fold) }), { maxLength: 40 });
  const needles = word.filter((text) => text !== "").map(fold);
  fc.assert(fc.property(cards, needles, fc.nat(45), (list, needle, at) => {
    const named = list.map((card, n) => ({ ...card, id: idOf(n * 7 % 41) }));
    const shards = [0, 1, 2].map((shard) => joinShardText(named.filter((_, n) => n % 3 === shard)));
    const after = at < 5 ? null : idOf(at - 5);
    const expected = named
      .filter(({ sku, text }) => fold(sku).includes(needle) || text.includes(needle))
      .map(({ id }) => id).toSorted();
    const wanted = expected.filter((id) => after === null || id > after);
    assertEquals([...searchShards(shards, needle, after)], wanted);
    const counted = shards.reduce((sum, shard) => sum + countHits(shard, needle), 0);
    assertEquals(counted, expected.length);
  }));
});

function idOf(n: number): string {
  return `id${String(n).padStart(2, "0")}`;
}

Deno.test("searchShards() looks no further than ids are taken", () => {
  const cards = Array.from({ length: 1_000 }, (_, n) => ({
    sku: `S${n}`,
    id: `id${1_000 + n}`,
    text: "kühlschrank",
  }));
  let looks = 0;
  const { text, starts, ids } = joinShardText(cards);
  const watched = new Proxy(starts, {
    get: (target, name) => (looks++, Reflect.get(target, name)),
  });
  const hits = searchShards([{ text, starts: watched, ids }], "kühl", null);
  assertEquals(hits.take(3).toArray(), ["id1000", "id1001", "id1002"]);
  ok(looks < 100, `${looks} looks`);
});

const idsOf = async (searches: SearchMemory, ctx: WorkspaceStore, needle: string, after = "") => [
  ...(await searches.find(ctx, needle)).idsAfter(after || null),
];

Deno.test("find() gives every id in order, goes on after an id, and says about how many", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const products = Array.from({ length: 600 }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  const searches = createSearchMemory();
  const ids = products.map(({ id }) => id).sort();
  assertEquals(await idsOf(searches, ctx, "sku-"), ids);
  assertEquals(await idsOf(searches, ctx, "sku-", ids[9]), ids.slice(10));
  const { count } = await searches.find(ctx, "sku-");
  ok(count > 200 && count < 1_800, `${count} of 600`);
});

Deno.test("find() stays right when there is no room for more than one workspace", async () => {
  const store = await openMemoryStore();
  using a = await openTestWorkspace(store);
  using b = await openTestWorkspace(store);
  const searches = createSearchMemory({ charactersMax: 1 });
  const [ofA, ofB] = [productOf(a.ctx, 1), productOf(b.ctx, 2)];
  await addProducts(a.ctx, [ofA]);
  await addProducts(b.ctx, [ofB]);
  for (let round = 0; round < 2; round++) {
    assertEquals(await idsOf(searches, a.ctx, "sku"), [ofA.id]);
    assertEquals(await idsOf(searches, b.ctx, "sku"), [ofB.id]);
  }
  const options = { expected: null, allowsLargeChange: false };
  await changeProduct(a.ctx, ofA.id, { title: "ganz neu" }, options);
  assertEquals(await idsOf(searches, a.ctx, "ganz"), [ofA.id]);
  store.kv.close();
});

Deno.test("find() answers side by side while texts are loaded, each of them read once", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  const products = Array.from({ length: 50 }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  const reads = countReads(ctx.store);
  const searches = createSearchMemory();
  const loading = searches.load({ ...ctx, store: reads.store }, () => false);
  const found = await Promise.all(
    Array.from({ length: 8 }, () => idsOf(searches, { ...ctx, store: reads.store }, "sku-1")),
  );
  await loading;
  for (const ids of found) assertEquals(ids.length, 11);
  const shards = new Set(products.map(({ sku }) => shard(sku))).size;
  assertEquals(reads.cards(), shards);
});

Deno.test("load() reads no more once it is stopped, and a search reads the rest", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  await addProducts(ctx, Array.from({ length: 50 }, (_, n) => productOf(ctx, n)));
  const reads = countReads(ctx.store);
  const searches = createSearchMemory();
  await searches.load({ ...ctx, store: reads.store }, () => true);
  assertEquals(reads.cards(), 0);
  assertEquals((await idsOf(searches, ctx, "sku-1")).length, 11);
});

Deno.test("signing in and opening the list load what a search then finds in memory", async () => {
  for (const path of ["/api/auth/me", "/api/products"]) {
    const store = await openMemoryStore();
    const reads = countReads(store);
    {
      await using app = await startTestApp({ store: reads.store });
      const skus = Array.from({ length: 30 }, (_, n) => `SKU-${n}`);
      for (const sku of skus) {
        await bodyOf(app.owner.post("/api/products", { sku, title: "T" }), 201);
      }
      const shards = new Set(skus.map(shard)).size;
      await bodyOf(app.owner.get(path), 200);
      await until("the search texts are loaded", () => reads.cards() === shards);
      const { items } = await bodyOf(app.owner.get("/api/products?q=sku-1"), 200);
      assertEquals([items.length, reads.cards()], [11, shards]);
    }
    store.kv.close();
  }
});
