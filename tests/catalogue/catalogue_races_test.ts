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
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { createMarketSource } from "../../src/market/market_source.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { openMarketCache } from "../market/market_reader.ts";
import { extent } from "../proof.ts";
import { openTestWorkspace, type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { addNumbered, BRANDS, CATEGORIES, TIERS } from "./random_products.ts";
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
    { numRuns: extent(15, 3) },
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

withWorkspace.test("checkCatalogue() reports a wrong count", async (ctx) => {
  await addNumbered(ctx, 3);
  await ctx.store.kv.atomic().sum(["d", Uint8Array.fromHex(ctx.workspaceId), "n"], 2n).commit();
  assertEquals(await disagreements(ctx), ["3 products are active, the count says 5"]);
});
