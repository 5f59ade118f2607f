/** Search texts that are stored for processes that start anew: right, whoever changes what beside. */

import fc from "fast-check";
import { Failure } from "../../src/base/failure.ts";
import { searchForm } from "../../src/base/search_words.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  restoreProduct,
} from "../../src/catalogue/changes/change_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { createSearchCache } from "../../src/catalogue/lists/search_cache.ts";
import { packText, unpackText } from "../../src/catalogue/lists/search_pack_store.ts";
import { joinShardText } from "../../src/catalogue/lists/search_text.ts";
import { listIndexRows } from "../../src/catalogue/products/index_row_store.ts";
import { shard, SHARD_NUMBERS } from "../../src/catalogue/products/product.ts";
import { findProduct, putLastScraped } from "../../src/catalogue/products/product_store.ts";
import { setVersionCounter } from "../../src/catalogue/products/version_counter_store.ts";
import type { Context, WorkspaceStore } from "../../src/platform/store/context.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { extent } from "../proof.ts";
import { testOnEveryStore } from "../stores.ts";
import { watchedStore } from "../watched_store.ts";
import { openTestWorkspace } from "./catalogue_workspace.ts";
import { countReads } from "./counted_reads.ts";
import { addNumbered, addProducts, productOf } from "./random_products.ts";
import { deepStrictEqual as assertEquals, match, notStrictEqual, ok } from "node:assert/strict";

const OPTIONS = { expected: null, allowsLargeChange: true };
const STILL_MS = 10 * 60_000;
const never = () => false;

/** A process with a clock of its own, which nobody waits for. */
function startProcess() {
  let nowMs = 0;
  const cache = createSearchCache({ nowMs: () => nowMs });
  return {
    load: (ctx: WorkspaceStore) => cache.load(ctx, never),
    /** Looks, is still for long enough, and looks again. */
    async pack(ctx: WorkspaceStore) {
      await cache.load(ctx, never);
      nowMs += STILL_MS;
      await cache.load(ctx, never);
    },
    find: async (ctx: WorkspaceStore, needle: string) => [
      ...(await cache.find(ctx, searchForm(needle))).idsAfter(null),
    ],
    advance: (ms: number) => void (nowMs += ms),
  };
}

async function packsOf({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["pq", Uint8Array.fromHex(workspaceId)];
  return await Array.fromAsync(store.kv.list<unknown[]>({ prefix }));
}

const indexRowOf = fc.record({
  sku: fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
  text: fc.string({ unit: "binary", maxLength: 20 }).map(searchForm),
});

Deno.test("unpackText() gives what packText() was given, and only half characters are not packed", () => {
  fc.assert(fc.property(fc.array(indexRowOf, { maxLength: 30 }), (indexRows) => {
    const text = joinShardText(
      indexRows.map((indexRow, n) => ({
        ...indexRow,
        id: (n * 7 % 31).toString(16).padStart(24, "0"),
      })),
    );
    assertEquals(unpackText(packText(text)!), text);
  }));
  const id = "0".repeat(24);
  assertEquals(packText(joinShardText([{ sku: "A", text: "half \ud83d", id }])), null);
});

Deno.test("a process that starts anew reads what another has stored, and no card", async () => {
  using ctx = await openTestWorkspace();
  await addNumbered(ctx, 300);
  const first = startProcess();
  await first.pack(ctx);
  const reads = countReads(ctx.store);
  const anew = startProcess();
  const found = await anew.find({ ...ctx, store: reads.store }, "kühl");
  assertEquals([found, reads.cards()], [await first.find(ctx, "kühl"), 0]);
  ok(found.length > 40);
});

Deno.test("nothing is stored of what is renamed all the time, and a text once when it stands still", async () => {
  using ctx = await openTestWorkspace();
  const product = productOf(ctx, 1);
  await addProducts(ctx, [product]);
  const process = startProcess();
  for (let n = 0; n < 30; n++) {
    await changeProduct(ctx, product.id, { title: `Turn ${n}` }, OPTIONS);
    await process.load(ctx);
    process.advance(STILL_MS / 2);
    await process.load(ctx);
    assertEquals(await packsOf(ctx), []);
  }
  await process.pack(ctx);
  const [pack, ...more] = await packsOf(ctx);
  ok(pack);
  assertEquals(more, []);
  await process.pack(ctx);
  await startProcess().pack(ctx);
  assertEquals((await packsOf(ctx))[0]?.versionstamp, pack.versionstamp);
});

Deno.test("what changes no word of a product is no reason to read its shard again", async () => {
  using ctx = await openTestWorkspace();
  const product = productOf(ctx, 1);
  await addProducts(ctx, [product]);
  const reads = countReads(ctx.store);
  const watched = { ...ctx, store: reads.store };
  const process = startProcess();
  await process.find(watched, "x");
  assertEquals(reads.cards(), 1);
  await changeProduct(ctx, product.id, { ourPrice: 12, brand: "New" }, OPTIONS);
  const found = await findProduct(ctx, product.id);
  await transact(ctx, (write) => {
    putLastScraped(write, ctx.workspaceId, found!, ctx.now().toISOString());
    return Promise.resolve();
  });
  // As what rules remember and proposals do.
  await transact(ctx, (write) => {
    setVersionCounter(write, ctx.workspaceId, shard(product.sku));
    return Promise.resolve();
  });
  await process.find(watched, "x");
  assertEquals(reads.cards(), 1);
  await changeProduct(ctx, product.id, { title: "An x" }, OPTIONS);
  assertEquals([await process.find(watched, "x"), reads.cards()], [[product.id], 2]);
});

Deno.test("a store of before, in which no shard has a search version, is searched and packed, too", async () => {
  using ctx = await openTestWorkspace();
  const product = productOf(ctx, 1);
  await addProducts(ctx, [product]);
  for await (const { key } of ctx.store.kv.list({ prefix: ["psv"] })) {
    await ctx.store.kv.delete(key);
  }
  await startProcess().pack(ctx);
  assertEquals((await packsOf(ctx)).length, 1);
  const anew = startProcess();
  assertEquals(await anew.find(ctx, "gerät"), [product.id]);
  await changeProduct(ctx, product.id, { title: "Kiste" }, OPTIONS);
  for (const each of [anew, startProcess()]) {
    assertEquals([await each.find(ctx, "gerät"), await each.find(ctx, "kiste")], [[], [
      product.id,
    ]]);
  }
});

/** Ids by what the cards say, without any memory. */
async function expectedIds(ctx: WorkspaceStore, needle: string): Promise<string[]> {
  const ids: string[] = [];
  for (const number of SHARD_NUMBERS) {
    for await (const { sku, card } of listIndexRows(ctx, number)) {
      const isFound = searchForm(sku).includes(needle) || card.text.includes(needle);
      if (!card.isDeleted && isFound) ids.push(card.id);
    }
  }
  return ids.sort();
}

const WORDS = ["alpha", "beta", "gamma"] as const;
const step = fc.record({
  kind: fc.constantFrom(
    ...(["create", "title", "ean", "mpn", "rename", "delete", "restore", "pack", "load"] as const),
  ),
  n: fc.nat(5),
  process: fc.nat(1),
  word: fc.constantFrom(...WORDS),
});

async function take(
  ctx: Context,
  { kind, n, word }: { kind: string; n: number; word: string },
  ids: readonly string[],
): Promise<void> {
  const id = ids[n] ?? "";
  try {
    switch (kind) {
      case "create":
        return void await createProduct(ctx, { sku: `${word} ${n}`, title: "T" });
      case "title":
        return void await changeProduct(ctx, id, { title: word }, OPTIONS);
      case "ean":
        return void await changeProduct(ctx, id, { ean: "4006381333931" }, OPTIONS);
      case "mpn":
        return void await changeProduct(ctx, id, { mpn: `${word}7` }, OPTIONS);
      case "rename":
        return void await changeProduct(ctx, id, { sku: `${word}-${n}` }, OPTIONS);
      case "delete":
        return void await deleteProduct(ctx, id, null);
      case "restore":
        return void await restoreProduct(ctx, id);
    }
  } catch (error) {
    // A SKU that is taken, a product that is deleted already: answers here.
    if (!(error instanceof Failure) || error.status >= 500) throw error;
  }
}

Deno.test("processes find what the cards say after any changes, whoever stored whichever text before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      using ctx = await openTestWorkspace();
      const products = await addNumbered(ctx, 6);
      const processes = [startProcess(), startProcess()];
      for (const each of steps) {
        const process = processes[each.process]!;
        if (each.kind === "pack") await process.pack(ctx);
        else if (each.kind === "load") await process.load(ctx);
        else await take(ctx, each, products.map(({ id }) => id));
        const expected = await expectedIds(ctx, each.word);
        assertEquals(await process.find(ctx, each.word), expected);
        assertEquals(await startProcess().find(ctx, each.word), expected);
      }
      assertEquals(await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId)), []);
    }),
    { numRuns: extent(20, 6) },
  );
});

/** Products of one shard whose texts take several commits. */
async function addLong(ctx: Context, title: string) {
  const skus = Array.from({ length: 200_000 }, (_, n) => `S${n}`).filter((sku) => shard(sku) === 5);
  const products = skus.slice(0, 1_600).map((sku, n) => ({
    ...productOf(ctx, n),
    sku,
    title: `${title.repeat(60).slice(0, 480)} ${n}`,
  }));
  await addProducts(ctx, products);
  return products;
}

/** The same store, whose process is gone after so many commits. */
function breakAfter(store: Store, commits: number): Store {
  let done = 0;
  return watchedStore(store, {
    committing: () => done++ < commits ? Promise.resolve() : Promise.reject(new Error("killed")),
  });
}

testOnEveryStore(
  "a text that was stored by half is nothing, and is stored whole by the next one",
  async (store) => {
    using ctx = await openTestWorkspace(store);
    const products = await addLong(ctx, "erste ");
    await startProcess().pack(ctx);
    const whole = await packsOf(ctx);
    ok(whole.length > 6, `${whole.length} parts`);
    await changeProduct(ctx, products[0]!.id, { title: "zweite" }, OPTIONS);
    const killed = await startProcess().pack({ ...ctx, store: breakAfter(store, 1) })
      .then(() => "ended", (error) => error.message);
    assertEquals(killed, "killed");
    const versions = new Set((await packsOf(ctx)).map(({ value }) => value[1]));
    assertEquals(versions.size, 2);
    const reads = countReads(store);
    const anew = startProcess();
    assertEquals(await anew.find({ ...ctx, store: reads.store }, "zweite"), [products[0]!.id]);
    notStrictEqual(reads.cards(), 0);
    await anew.pack(ctx);
    const again = startProcess();
    const indexRows = reads.cards();
    assertEquals(await again.find({ ...ctx, store: reads.store }, "zweite"), [products[0]!.id]);
    assertEquals(reads.cards(), indexRows);
    assertEquals(await Array.fromAsync(checkCatalogue(store, ctx.workspaceId)), []);
  },
);

Deno.test("a shorter text leaves no part of the longer one behind", async () => {
  using ctx = await openTestWorkspace();
  const products = await addLong(ctx, "lang ");
  await startProcess().pack(ctx);
  const before = (await packsOf(ctx)).length;
  for (const { id } of products.slice(0, 400)) await deleteProduct(ctx, id, null);
  await startProcess().pack(ctx);
  const rows = await packsOf(ctx);
  ok(rows.length < before, `${before} parts, then ${rows.length}`);
  for (const { value } of rows) assertEquals(value[2], rows.length);
});

Deno.test("a text is not stored when its shard was changed in between", async () => {
  using ctx = await openTestWorkspace();
  const product = productOf(ctx, 1);
  await addProducts(ctx, [product]);
  let isChanged = false;
  const store = watchedStore(ctx.store, {
    async committing() {
      if (!isChanged) await changeProduct(ctx, product.id, { title: "Neu" }, OPTIONS);
      isChanged = true;
    },
  });
  await startProcess().pack({ ...ctx, store });
  assertEquals([isChanged, await packsOf(ctx)], [true, []]);
});

Deno.test("check-store names a stored text that its cards do not say, and takes one of before for nothing", async () => {
  using ctx = await openTestWorkspace();
  const products = [productOf(ctx, 1), productOf(ctx, 2)];
  await addProducts(ctx, products);
  await startProcess().pack(ctx);
  const [row] = await packsOf(ctx);
  const [format, version, parts, bytes] = row!.value;
  ok(bytes instanceof Uint8Array);
  const other = bytes.with(bytes.length - 2, bytes.at(-2)! ^ 1);
  await ctx.store.kv.set(row!.key, [format, version, parts, other]);
  const [finding, ...more] = await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
  match(finding ?? "", /^The stored search text of shard \d+ is not what its cards say$/);
  assertEquals(more, []);
  for (const { id } of products) await changeProduct(ctx, id, { title: "Neu" }, OPTIONS);
  assertEquals(await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId)), []);
});
