import { followPrice } from "../../src/catalogue/products/product.ts";
import {
  type ProductPatch,
  suspiciousPrices,
  withPrices,
} from "../../src/catalogue/products/product_input.ts";
import { madeProduct } from "./made_product.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const product = (currency: string, ourPriceCents: number | null) =>
  madeProduct({ currency, ourPriceCents });

Deno.test("withPrices() reads major units, minor units, and both when they agree", () => {
  const table: [string, ProductPatch, number | null | "refused"][] = [
    ["EUR", {}, 100],
    ["EUR", { ourPrice: 8.2 }, 820],
    ["EUR", { ourPrice: "8.20" }, 820],
    ["EUR", { ourPrice: "8.200" }, "refused"],
    ["EUR", { ourPrice: -1 }, "refused"],
    ["EUR", { ourPrice: "1,5" }, "refused"],
    ["EUR", { ourPrice: 1e21 }, "refused"],
    ["EUR", { ourPrice: 1e10 }, 1_000_000_000_000],
    ["EUR", { ourPrice: 10_000_000_000.01 }, "refused"],
    ["EUR", { ourPrice: null }, null],
    ["EUR", { ourPriceCents: 820 }, 820],
    ["EUR", { ourPriceCents: null }, null],
    ["EUR", { ourPrice: 8.2, ourPriceCents: 820 }, 820],
    ["EUR", { ourPrice: 820, ourPriceCents: 820 }, "refused"],
    ["EUR", { ourPrice: null, ourPriceCents: 820 }, "refused"],
    ["EUR", { ourPrice: null, ourPriceCents: null }, null],
    ["JPY", { ourPrice: 820, ourPriceCents: 820 }, 820],
    ["JPY", { ourPrice: 8.2 }, "refused"],
    ["KWD", { ourPrice: 8.125 }, 8_125],
  ];
  for (const [currency, patch, expected] of table) {
    const read = withPrices(product(currency, 100), currency, patch);
    const actual = "refused" in read ? "refused" : read.product.ourPriceCents;
    assertEquals(actual, expected, `${currency} ${JSON.stringify(patch)}`);
  }
});

Deno.test("withPrices() refuses a minimum above the maximum, and a change of one bound that crosses", () => {
  const bounded = { ...product("EUR", 100), minPriceCents: 500, maxPriceCents: 900 };
  const table: [ProductPatch, boolean][] = [
    [{ minPrice: 9 }, true],
    [{ minPrice: 9.01 }, false],
    [{ maxPrice: 4.99 }, false],
    [{ minPrice: 20, maxPrice: 21 }, true],
    [{ minPrice: 21, maxPriceCents: 2_000 }, false],
    [{ minPrice: 21, maxPrice: null }, true],
  ];
  for (const [patch, isTaken] of table) {
    assertEquals("product" in withPrices(bounded, "EUR", patch), isTaken, JSON.stringify(patch));
  }
  // Stored bounds that contradict each other do not prevent changes of other fields.
  const crossed = { ...bounded, minPriceCents: 1_000 };
  assertEquals("product" in withPrices(crossed, "EUR", { ourPrice: 8 }), true);
});

Deno.test("withPrices() explains both units when a price was sent back as it was read", () => {
  const read = withPrices(product("EUR", 29_999), "EUR", {
    ourPrice: 29_999,
    ourPriceCents: 29_999,
  });
  ok("refused" in read);
  match(read.refused[0]!.message, /major units.*29999 EUR.*minor units.*299\.99 EUR/s);
});

Deno.test("withPrices() asks for every stored price again with a new currency, and only for those", () => {
  const before = { ...product("EUR", 100), costPriceCents: 50 };
  const half = withPrices(before, "CHF", { ourPrice: 1 });
  ok("refused" in half);
  assertEquals(half.refused.map(({ path }) => path), ["costPrice"]);
  const whole = withPrices(before, "CHF", { ourPrice: 1, costPriceCents: null });
  ok("product" in whole);
  assertEquals([whole.product.currency, whole.product.costPriceCents], ["CHF", null]);
  ok("product" in withPrices(product("EUR", null), "CHF", {}));
});

Deno.test("suspiciousPrices() finds prices of exactly 10^exponent times the old one", () => {
  const table: [string, number | null, number | null, number][] = [
    ["EUR", 100, 10_000, 1],
    ["EUR", 100, 10_001, 0],
    ["EUR", 0, 0, 0],
    ["EUR", null, 10_000, 0],
    ["EUR", 10_000, 100, 0],
    ["KWD", 5, 5_000, 1],
    ["KWD", 5, 500, 0],
    ["JPY", 5, 500, 0],
    ["JPY", 5, 5, 0],
  ];
  for (const [currency, was, is, count] of table) {
    const found = suspiciousPrices(product(currency, was), product(currency, is));
    assertEquals(found.length, count, `${currency} ${was} ${is}`);
  }
});

const TODAY = "2026-03-01T23:00:00.000Z";

Deno.test("followPrice() moves only the entry that the own price came from", () => {
  const row = { amountCents: 1, currency: "EUR", minQty: 1, validFrom: null };
  const prices = [
    { ...row, tier: "A" },
    { ...row, tier: "A", minQty: 10 },
    { ...row, tier: "A", currency: "CHF" },
    { ...row, tier: null, minQty: null },
  ];
  const followed = followPrice({ ...product("EUR", 77), tier: "A", prices }, TODAY);
  assertEquals(followed.prices.map(({ amountCents }) => amountCents), [77, 1, 1, 1]);
  assertEquals(followed.prices.map(({ validFrom }) => validFrom), [TODAY, null, null, null]);
  const unnamed = followPrice({ ...product("EUR", 77), tier: null, prices }, TODAY);
  assertEquals(unnamed.prices.map(({ amountCents }) => amountCents), [1, 1, 1, 77]);
});
