/**
 * Copies of search texts never change which products a search finds. A new process reads index rows
 * only of shards whose copy is missing, outdated or incomplete.
 */
import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { searchForm } from "../../src/base/search_words.ts";
import { changeProduct } from "../../src/catalogue/changes/change_product.ts";
import { createSearchCache } from "../../src/catalogue/lists/catalogue_cache.ts";
import { joinShardText } from "../../src/catalogue/lists/search_text.ts";
import {
  readShardCopy,
  searchTextParts,
  writeShardCopy,
} from "../../src/catalogue/lists/search_text_copies.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { searchVersions } from "../../src/catalogue/products/product_mark_store.ts";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { withWorkspace } from "./catalogue_workspace.ts";
import { countReads } from "./counted_reads.ts";
import { addNumbered } from "./random_products.ts";

const COPIED_FROM = 30;

/** What a new process finds, and the number of shards whose index rows it reads. */
async function searched(ctx: WorkspaceStore, needle: string) {
  const reads = countReads(ctx.store);
  const searches = createSearchCache({ copiedFrom: COPIED_FROM });
  const own = { ...ctx, store: reads.store };
  const found = await searches.find(own, searchForm(needle));
  await searches.load(own);
  const ids = [...found.all()].toSorted();
  await searches.close();
  return { ids, shardsRead: reads.indexRows() };
}

async function newVersion(ctx: WorkspaceStore, shardNumber: number): Promise<string> {
  await transact(ctx, (write) => searchVersions.set(write, ctx.workspaceId, shardNumber));
  return (await searchVersions.list(ctx)).get(shardNumber) ?? "";
}

withWorkspace.test("the next process reads the copies of a large catalogue's texts", async (ctx) => {
  const products = await addNumbered(ctx, COPIED_FROM);
  const shards = new Set(products.map(({ sku }) => shard(sku))).size;
  const first = await searched(ctx, "sku1");
  assertEquals(first, { ids: first.ids, shardsRead: shards });
  assertEquals(await searched(ctx, "sku1"), { ids: first.ids, shardsRead: 0 });
});

withWorkspace.test("the texts of a small catalogue are not copied", async (ctx) => {
  await addNumbered(ctx, COPIED_FROM - 1);
  await searched(ctx, "sku1");
  assertEquals(await searchTextParts.list(ctx), []);
});

withWorkspace.test("a product that changed after the copy is found, and its shard copied again", async (ctx) => {
  const [product] = await addNumbered(ctx, COPIED_FROM);
  await searched(ctx, "sku1");
  const options = { expected: null, allowsLargeChange: false };
  await changeProduct(ctx, product?.id ?? "", { title: "ganz neu" }, options);
  assertEquals(await searched(ctx, "ganz"), { ids: [product?.id], shardsRead: 1 });
  assertEquals(await searched(ctx, "ganz"), { ids: [product?.id], shardsRead: 0 });
});

withWorkspace.test("a copy without all its bytes is not used", async (ctx) => {
  await addNumbered(ctx, COPIED_FROM);
  const { ids } = await searched(ctx, "sku1");
  const [whole] = await searchTextParts.list(ctx);
  if (!whole) throw new Error("nothing was copied");
  const { row } = whole;
  const put = (bytes: Uint8Array) =>
    transact(ctx, (commit) => searchTextParts.put(commit, ctx, { ...row, bytes }));
  const damage: Record<string, () => Promise<unknown>> = {
    "it is missing": () => searchTextParts.clear(ctx, { shard: row.shard }),
    "its end is missing": () => put(row.bytes.subarray(0, -1)),
    "it has no head": () => put(row.bytes.subarray(0, 12)),
    "it is of another version": () => put(row.bytes.with(9, (row.bytes[9] ?? 0) ^ 1)),
  };
  for (const [what, act] of Object.entries(damage)) {
    await act();
    assertEquals(await searched(ctx, "sku1"), { ids, shardsRead: 1 }, what);
    assertEquals(await searched(ctx, "sku1"), { ids, shardsRead: 0 }, `${what}: copied again`);
  }
});

const rowArbitrary = fc.record({
  sku: fc.string({ maxLength: 20 }).map((text) => `s${text}`),
  text: fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.integer({ min: 1, max: 3_000 }).map((length) => "kuehlschrank ".repeat(length / 13)),
  ).map((text) => text.replaceAll("\0", "")),
});

/** Random rows of a shard in ascending order of ids. */
const rowsArbitrary = fc.array(rowArbitrary, { maxLength: 30 }).map((rows) =>
  rows.map((row, n) => ({ ...row, id: n.toString(16).padStart(24, "0") }))
);

withWorkspace.test("a copy of any size is read as it was written, or not at all", async (ctx) => {
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, rowsArbitrary, fc.nat(), async (before, rows, pick) => {
      await write(ctx, before);
      const text = joinShardText(rows);
      const version = await write(ctx, rows);
      assertEquals(await readShardCopy(ctx, 7, version), text);
      assertEquals(await readShardCopy(ctx, 7, version.replace(/.$/, "1")), null);
      const parts = await searchTextParts.list(ctx);
      assertEquals(new Set(parts.map(({ row }) => row.bytes.subarray(0, 10).toHex())).size, 1);
      const lost = parts[pick % parts.length];
      if (!lost) throw new Error("no part was written");
      await transact(ctx, (commit) => searchTextParts.drop(commit, ctx, lost.row));
      assertEquals(await readShardCopy(ctx, 7, version), null);
    }),
    { numRuns: 40 },
  );
});

async function write(ctx: WorkspaceStore, rows: Parameters<typeof joinShardText>[0]) {
  const version = await newVersion(ctx, 7);
  assertEquals(await writeShardCopy(ctx, 7, version, joinShardText(rows)), true);
  return version;
}

withWorkspace.test("a text whose shard changes meanwhile is not copied", async (ctx) => {
  const version = await newVersion(ctx, 7);
  const text = joinShardText([{ sku: "A", id: "0".repeat(24), text: "alt" }]);
  const newer = await newVersion(ctx, 7);
  assertEquals(await writeShardCopy(ctx, 7, version, text), false);
  assertEquals(await readShardCopy(ctx, 7, newer), null);
  assertEquals(await searchTextParts.list(ctx), []);
});
