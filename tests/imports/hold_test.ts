/** The hold's arithmetic, checked against rational numbers. */

import fc from "fast-check";
import type { Product } from "../../src/catalogue/products/product.ts";
import { guardsOf, NO_UNITS } from "../../src/imports/apply/guards.ts";
import { addToHold, createHoldCounters, warningOfMove } from "../../src/imports/apply/hold.ts";
import { bringsPrice } from "../../src/imports/records/record_patch.ts";
import { madeProduct } from "../catalogue/made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const product = (n: number, cents: Partial<Product>) =>
  madeProduct({ sku: `S-${n}`, title: "Artikel", ...cents });

const amount = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 10 ** 12 }));
const cents = fc.oneof({ weight: 4, arbitrary: amount }, {
  weight: 1,
  arbitrary: fc.constant(null),
});
const currency = fc.constantFrom("EUR", "EUR", "EUR", "CHF");
/** Percentages with up to four decimals, as in settings. */
const pct = fc.oneof(
  fc.constantFrom(0, 0.0001, 20, 33.3333, 50, 100),
  fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
);
const side = fc.record({ ourPriceCents: cents, costPriceCents: cents, currency });

const FIELDS = ["ourPriceCents", "costPriceCents"] as const;

function hasLost(before: Product, after: Product): boolean {
  return FIELDS.some((field) => before[field] !== null && after[field] === null);
}

/** Computes with integers only, from percentages multiplied by 10,000. */
function hasMoved(before: Product, after: Product, movePct: number): boolean {
  const pairs = FIELDS.flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    return from === null || to === null ? [] : [[BigInt(from), BigInt(to)] as const];
  });
  if (before.currency !== after.currency) return pairs.length > 0;
  const bound = BigInt(Math.round(movePct * 10_000));
  return pairs.some(([from, to]) =>
    (from > to ? from - to : to - from) * 1_000_000n > from * bound
  );
}

const NOTHING_MISSING = { missing: 0, missingSkus: [], importMade: 0, units: NO_UNITS };

Deno.test("addToHold() counts each product once, by exact percentages, and keeps few samples", () => {
  const pairs = fc.array(fc.tuple(side, side), { maxLength: 40 });
  fc.assert(fc.property(pairs, pct, pct, (sides, movePct, share) => {
    const sharePct = Math.min(share, 100);
    const before = sides.map(([one], n) => product(n, one));
    const after = sides.map(([, other], n) => product(n, other));
    const counters = before.reduce(
      (sum, one, n) => addToHold(sum, one, after[n] ?? null),
      createHoldCounters({ movePct, sharePct }),
    );
    const priced = before.filter((one) =>
      one.ourPriceCents !== null || one.costPriceCents !== null
    );
    const moved = before.filter((one, n) =>
      hasMoved(one, after[n]!, movePct) || hasLost(one, after[n]!)
    );
    assertEquals([counters.products, counters.moved], [priced.length, moved.length]);
    const bound = BigInt(Math.round(sharePct * 10_000));
    assertEquals(
      guardsOf({ hold: counters, ...NOTHING_MISSING }, "upsert")[0]!.binds,
      BigInt(moved.length) * 1_000_000n > BigInt(priced.length) * bound,
    );
    const { causes, samples } = counters;
    const lost = (field: (typeof FIELDS)[number]) =>
      before.filter((one, n) => one[field] !== null && after[n]![field] === null).length;
    const losses = { price: lost("ourPriceCents"), cost: lost("costPriceCents"), currency: 0 };
    for (const cause of ["price", "cost", "currency"] as const) {
      const shown = samples.filter((sample) => sample.cause === cause);
      assertEquals(shown.length, Math.min(10, causes[cause] - losses[cause]));
    }
    for (const [n, one] of before.entries()) {
      const warning = warningOfMove(one, after[n]!, movePct);
      assertEquals(warning !== null, hasMoved(one, after[n]!, movePct));
    }
  }));
});

Deno.test("addToHold() keeps the largest moves of each cause", () => {
  let counters = createHoldCounters({ movePct: 50, sharePct: 20 });
  for (let n = 0; n < 1_000; n++) {
    const to = 200 + (n * 379) % 1_000;
    counters = addToHold(
      counters,
      product(n, { ourPriceCents: 100 }),
      product(n, { ourPriceCents: to }),
    );
  }
  assertEquals(
    counters.samples.map(({ toCents }) => toCents),
    Array.from({ length: 10 }, (_, n) => 1_199 - n),
  );
});

Deno.test("bringsPrice() is not misled by a text that looks like a field", () => {
  const line = (patch: unknown) => ({
    hash: "",
    index: 0,
    line: 1,
    file: 0,
    sku: "A",
    patch: JSON.stringify(patch),
    rows: "",
    sold: "",
    losers: 0,
  });
  ok(bringsPrice(line({ sku: "A", ourPriceCents: 0 })));
  ok(bringsPrice(line({ sku: "A", costPriceCents: 12 })));
  for (const text of ['"ourPriceCents":1', '\\"ourPriceCents":1', '{"costPriceCents":5}']) {
    ok(!bringsPrice(line({ sku: text, title: text, brand: `x\\${text}` })), text);
  }
  ok(!bringsPrice(line({ sku: "A", costPriceCents: null, targetPriceCents: 3 })));
});
