import fc from "fast-check";
import { changeProduct } from "../../src/catalogue/changes/change_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { decodeBlock } from "../../src/catalogue/products/field_block.ts";
import {
  blocksOfStore,
  type BlockSource,
  createCounters,
  KeptBlocks,
  listBlocks,
  saveCounters,
  saveCountersTo,
} from "../../src/catalogue/products/field_block_store.ts";
import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { type Product, shard, stampChange } from "../../src/catalogue/products/product.ts";
import { putProduct } from "../../src/catalogue/products/product_store.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { MeasuredWrite, transact } from "../../src/platform/store/kv.ts";
import { PAGE_VALUE_BYTES } from "../../src/platform/store/value_bytes.ts";
import { extent } from "../proof.ts";
import { onEveryStore } from "../stores.ts";
import { openTestWorkspace, type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { addProducts, productOf } from "./random_products.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";

const SHARD = shard("SKU-0");

/** SKUs of one shard, enough to split the shard's block. */
const SKUS = Array.from({ length: 40_000 }, (_, n) => `SKU-${n}`).filter((sku) =>
  shard(sku) === SHARD
);

function long(n: number): string {
  return `${n} ${"ß".repeat(n * 37 % 180)}`;
}

interface Step {
  readonly from: number;
  readonly count: number;
  readonly kind: "put" | "delete" | "brand";
}

/** Applies a step to stored products, and to the model `known`. */
async function take(
  ctx: Context,
  known: Map<number, Product>,
  { from, count, kind }: Step,
  source: BlockSource,
): Promise<void> {
  await transact(ctx, async (write) => {
    const counters = createCounters();
    for (let n = from; n < from + count; n++) {
      const before = known.get(n) ?? null;
      if (kind !== "put" && before === null) continue;
      const base = before ??
        { ...productOf(ctx, n), sku: SKUS[n]!, id: (2 ** 40 + n).toString(16).padStart(24, "0") };
      const stamped = stampChange(base, base, ctx.now());
      const after = kind === "delete" && before?.deletedAt === null
        ? { ...stamped, deletedAt: stamped.updatedAt }
        : { ...stamped, deletedAt: null, brand: kind === "brand" ? long(n) : base.brand };
      putProduct(write, ctx.workspaceId, {
        before: before && { product: before, marks: NO_MARKS },
        after: { product: after, marks: NO_MARKS },
        cause: { source: "api", actor: ctx.actor, ref: null },
      }, counters);
      known.set(n, after);
    }
    await saveCountersTo(write, ctx, counters, source);
  });
}

async function blocksOf(ctx: TestWorkspace) {
  const blocks = await listBlocks(ctx, SHARD);
  return blocks.map(({ first, bytes }) => ({ first, bytes, block: decodeBlock(bytes) }));
}

const disagreements = (ctx: TestWorkspace) =>
  Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));

const step: fc.Arbitrary<Step> = fc.record({
  from: fc.nat(500),
  count: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 9, max: 100 })),
  kind: fc.constantFrom("put", "delete", "delete", "brand"),
});

for (const isKept of [false, true]) {
  const name = isKept ? "kept between commits" : "read for each commit";
  Deno.test(`random writes leave each product in one block, and no block too large (${name})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        using ctx = await openTestWorkspace();
        const known = new Map<number, Product>();
        const source = isKept ? new KeptBlocks(ctx) : blocksOfStore(ctx, true);
        for (const one of steps) await take(ctx, known, one, source);
        assertEquals(await disagreements(ctx), []);
        for (const { block, bytes } of await blocksOf(ctx)) {
          ok(block.count === 1 || bytes.length <= PAGE_VALUE_BYTES, `${bytes.length} bytes`);
        }
      }),
      { numRuns: extent(25, 8) },
    );
  });
}

withWorkspace.test("appended products fill blocks, and deleted ones empty them", async (ctx) => {
  const known = new Map<number, Product>();
  const source = new KeptBlocks(ctx);
  for (let from = 0; from < 600; from += 60) {
    await take(ctx, known, { from, count: 60, kind: "put" }, source);
  }
  const full = await blocksOf(ctx);
  ok(full.length <= 6, `${full.length} blocks`);
  assertEquals(full[0]!.first, "");
  for (let from = 0; from < 600; from += 60) {
    await take(ctx, known, { from, count: 60, kind: "delete" }, source);
  }
  assertEquals(await blocksOf(ctx), []);
  assertEquals(await disagreements(ctx), []);
});

withWorkspace.test("KeptBlocks predicts the cost of a commit", async (ctx) => {
  const known = new Map<number, Product>();
  const source = new KeptBlocks(ctx);
  await take(ctx, known, { from: 0, count: 100, kind: "brand" }, source);
  await take(ctx, known, { from: 0, count: 100, kind: "put" }, source);
  for (const kind of ["put", "brand", "delete"] as const) {
    await transact(ctx, async (write) => {
      const counters = createCounters();
      const touched = new Set<never>();
      const cost = { mutations: 0, keyBytes: 0, bytes: 0 };
      for (const [n, before] of known) {
        const stamped = stampChange(before, before, ctx.now());
        const after = {
          ...stamped,
          ...(kind === "brand" && { brand: long(n) }),
          ...(kind === "delete" && { deletedAt: stamped.updatedAt }),
        };
        const cause = { source: "api", actor: ctx.actor, ref: null } as const;
        putProduct(new MeasuredWrite(ctx.store), ctx.workspaceId, {
          before: { product: before, marks: NO_MARKS },
          after: { product: after, marks: NO_MARKS },
          cause,
        }, counters);
        const change = counters.fields.get(SHARD)!.get(before.id)!;
        const added = source.costOf(SHARD, before.id, change, touched);
        cost.mutations += added.mutations ?? 0;
        cost.keyBytes += added.keyBytes ?? 0;
        cost.bytes += added.bytes ?? 0;
        known.set(n, after);
      }
      const spent = new MeasuredWrite(ctx.store);
      await saveCountersTo(spent, ctx, counters, source);
      // The commit used no more of its budget than predicted.
      ok(spent.fits({ mutations: 950 - cost.mutations - 3 }), `mutations of ${kind}`);
      ok(spent.fits({ keyBytes: 75_000 - cost.keyBytes - 300 }), `keys of ${kind}`);
      ok(spent.fits({ bytes: 750_000 - cost.bytes - 300 }), `bytes of ${kind}`);
      await saveCountersTo(write, ctx, counters, blocksOfStore(ctx, true));
    });
  }
});

onEveryStore.test("concurrent writers of single products lose no field", async (store) => {
  using ctx = await openTestWorkspace(store);
  const products = SKUS.slice(0, 12).map((sku, n) => ({ ...productOf(ctx, n), sku }));
  await addProducts(ctx, products);
  const options = { expected: null, allowsLargeChange: true };
  await Promise.all(products.map(async ({ id }, n) => {
    for (let round = 0; round < 3; round++) {
      await changeProduct(ctx, id, { brand: `B${n} ${round}` }, options);
    }
  }));
  assertEquals(await disagreements(ctx), []);
});

withWorkspace.test("a commit fails when a block was changed or created since it was read", async (ctx) => {
  for (const n of [0, 1]) {
    const product = { ...productOf(ctx, n), sku: SKUS[n]! };
    const stale = new MeasuredWrite(ctx.store);
    const counters = createCounters();
    putProduct(stale, ctx.workspaceId, {
      before: null,
      after: { product, marks: NO_MARKS },
      cause: { source: "api", actor: ctx.actor, ref: null },
    }, counters);
    await saveCounters(stale, ctx, counters);
    await addProducts(ctx, [{ ...productOf(ctx, 2 + n), sku: SKUS[2 + n]! }]);
    await rejects(async () => {
      if (!(await stale.seal().commit()).ok) throw new Error("lost");
    }, /lost/);
  }
  assertEquals(await disagreements(ctx), []);
});
