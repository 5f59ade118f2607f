import fc from "fast-check";
import { Failure } from "../../src/base/failure.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  restoreProduct,
} from "../../src/catalogue/changes/change_product.ts";
import { changeProducts } from "../../src/catalogue/changes/change_products.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import type { MarketAsker } from "../../src/catalogue/lists/product_page.ts";
import { changeBlock, EMPTY_BLOCK, encodeBlock } from "../../src/catalogue/products/field_block.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { createMarketSource } from "../../src/market/market_source.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { openMarketCache } from "../market/market_reader.ts";
import { extent } from "../proof.ts";
import { openTestWorkspace, type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import {
  addNumbered,
  addProducts,
  BRANDS,
  CATEGORIES,
  productOf,
  TIERS,
} from "./random_products.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const OPTIONS = { expected: null, allowsLargeChange: true };

async function disagreements(ctx: TestWorkspace): Promise<string[]> {
  return await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
}

/** A market for changes of products, which never read the market. */
function askerOf({ cache }: TestWorkspace): MarketAsker {
  return { cache, market: createMarketSource(openMarketCache(), createRuleCache()) };
}

/** Ignores the refusal that the loser of a race gets. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
  }
}

const step = fc.record({
  kind: fc.constantFrom("create", "change", "rename", "delete", "restore", "bulk"),
  n: fc.nat(9),
  brand: fc.constantFrom(...BRANDS),
  category: fc.constantFrom(...CATEGORIES),
  tier: fc.constantFrom(...TIERS),
  price: fc.option(fc.nat(500)),
});

Deno.test("random writers side by side leave every count, index row and history right", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      using ctx = await openTestWorkspace();
      const products = await addNumbered(ctx, 10);
      await Promise.all(steps.map(({ kind, n, price, ...fields }) => {
        const { id } = products[n]!;
        const patch = { ...fields, ourPrice: price };
        switch (kind) {
          case "create":
            return unlessRefused(createProduct(ctx, { ...patch, sku: `NEW-${n}`, title: "N" }));
          case "change":
            return unlessRefused(changeProduct(ctx, id, patch, OPTIONS));
          case "rename":
            return unlessRefused(changeProduct(ctx, id, { sku: `SKU-${n + 5}` }, OPTIONS));
          case "delete":
            return unlessRefused(deleteProduct(ctx, id, null));
          case "restore":
            return unlessRefused(restoreProduct(ctx, id));
          default:
            return unlessRefused(
              changeProducts(ctx, askerOf(ctx), {
                filter: {},
                set: { scrapeIntervalHours: n + 1 },
              }),
            );
        }
      }));
      assertEquals(await disagreements(ctx), []);
    }),
    { numRuns: extent(15, 5) },
  );
});

withWorkspace.test("a bulk change concurrent with renames reaches every product once", async (ctx) => {
  const products = await addNumbered(ctx, 200);
  const [outcome] = await Promise.all([
    changeProducts(ctx, askerOf(ctx), { filter: {}, set: { priceLocked: true } }),
    ...products.slice(0, 30).map(({ id }, n) => changeProduct(ctx, id, { sku: `R-${n}` }, OPTIONS)),
  ]);
  assertEquals(outcome, { changed: 200, unchanged: 0, missing: [] });
  for (const { id } of products) ok((await findProduct(ctx, id))!.product.priceLocked);
  assertEquals(await disagreements(ctx), []);
});

withWorkspace.test("checkCatalogue() reports missing, different and surplus fields, and a wrong count", async (ctx) => {
  const [one, two, three] = [0, 1, 2].map((n) => ({ ...productOf(ctx, n), brand: "Bosch" }));
  await addProducts(ctx, [one!, two!, three!]);
  const [w, number] = [Uint8Array.fromHex(ctx.workspaceId), shard(one!.sku)];
  const { kv } = ctx.store;
  const key = (n: number, first = "") => ["pf", w, n, Uint8Array.fromHex(first)];
  const at = { updatedAtMs: 5, fields: ["bosch", null, "B2B"] } as const;
  const stranger = ctx.newId();
  const block = changeBlock(EMPTY_BLOCK, [[one!.id, at], [stranger, at]]);
  await kv.set(key(number), encodeBlock(block));
  await kv.delete(key(shard(two!.sku)));
  await kv.set(key(shard(three!.sku)), new Uint8Array(7));
  await kv.delete(["pfv", w, number]);
  await kv.atomic().sum(["d", w, "n"], 2n).commit();
  const name = `the block of fields "" of shard`;
  assertEquals(
    (await disagreements(ctx)).toSorted(),
    [
      `3 products are active, the count says 5`,
      `${name} ${shard(three!.sku)} cannot be read`,
      `Product ${one!.id} has another category in ${name} ${number}`,
      `Product ${one!.id} has another stock in ${name} ${number}`,
      `Product ${one!.id} has another tier in ${name} ${number}`,
      `Product ${one!.id} has another change time in ${name} ${number}`,
      `Product ${stranger} is in ${name} ${number}, but not active or not of this shard`,
      `Product ${three!.id} is missing in the field blocks`,
      `Product ${two!.id} is missing in the field blocks`,
      `The fields of shard ${number} have no version`,
    ].toSorted(),
  );
});

withWorkspace.test("checkCatalogue() reports a product in another shard's block or at a wrong position", async (ctx) => {
  const [one, two] = [productOf(ctx, 0), productOf(ctx, 1)];
  await addProducts(ctx, [one, two]);
  const w = Uint8Array.fromHex(ctx.workspaceId);
  const key = (number: number, first: string) => ["pf", w, number, Uint8Array.fromHex(first)];
  const [here, there] = [shard(one.sku), shard(two.sku)];
  const { kv } = ctx.store;
  const { value } = await kv.get<Uint8Array>(key(here, ""));
  await kv.delete(key(here, ""));
  for (const number of [here, there]) await kv.set(key(number, two.id), value);
  const found = await disagreements(ctx);
  const blockOf = (number: number) => `the block of fields "${two.id}" of shard ${number}`;
  ok(found.includes(`Product ${one.id} is not in order in ${blockOf(here)}`));
  const tooMany = `Product ${one.id} is in ${blockOf(there)}, but not active or not of this shard`;
  ok(found.includes(tooMany));
});
