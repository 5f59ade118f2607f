import type { Product } from "../../src/catalogue/products/product.ts";
import { addToHold, createHoldCounters } from "../../src/imports/apply/hold.ts";
import { bringsPrice } from "../../src/imports/state/import_row_store.ts";
import { madeProduct } from "../catalogue/made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const product = (n: number, cents: Partial<Product>) =>
  madeProduct({ sku: `S-${n}`, title: "Artikel", ...cents });

Deno.test("addToHold() keeps the largest moves of each cause", () => {
  const counters = createHoldCounters({ movePct: 50, sharePct: 20 });
  for (let n = 0; n < 1_000; n++) {
    const to = 200 + (n * 379) % 1_000;
    addToHold(counters, product(n, { ourPriceCents: 100 }), product(n, { ourPriceCents: to }));
  }
  const largest = Array.from({ length: 10 }, (_, n) => 1_199 - n);
  assertEquals(counters.samples.map(({ toCents }) => toCents), largest);
});

Deno.test("addToHold() counts only products that had a price or a cost, and any move from 0", () => {
  const moves: Partial<Product>[][] = [
    [{ ourPriceCents: null, costPriceCents: null }, { ourPriceCents: 900 }],
    [{ ourPriceCents: 0 }, { ourPriceCents: 1 }],
    [{ ourPriceCents: null, costPriceCents: 5 }, { ourPriceCents: 900, costPriceCents: 5 }],
  ];
  const counters = createHoldCounters({ movePct: 50, sharePct: 20 });
  for (const [n, [before = {}, after = {}]] of moves.entries()) {
    addToHold(counters, product(n, before), product(n, after));
  }
  assertEquals([counters.products, counters.moved], [2, 1]);
});

Deno.test("bringsPrice() is not misled by a text that looks like a field", () => {
  const blank = { hash: "", index: 0, line: 1, file: 0, sku: "A", rows: "", sold: "", losers: 0 };
  const line = (patch: unknown) => ({ ...blank, patch: JSON.stringify(patch) });
  ok(bringsPrice(line({ sku: "A", ourPriceCents: 0 })));
  ok(bringsPrice(line({ sku: "A", costPriceCents: 12 })));
  for (const text of ['"ourPriceCents":1', '\\"ourPriceCents":1', '{"costPriceCents":5}']) {
    ok(!bringsPrice(line({ sku: text, title: text, brand: `x\\${text}` })), text);
  }
  ok(!bringsPrice(line({ sku: "A", costPriceCents: null, targetPriceCents: 3 })));
});
