import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  acceptedOf,
  largestOf,
  planPrices,
  type PricedProduct,
  type PriceWish,
} from "../../src/client/pages/products/price_plan.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const PRODUCT: PricedProduct = {
  id: "1",
  sku: "A",
  currency: "EUR",
  ourPriceCents: 10_000,
  costPriceCents: null,
  vatRatePct: null,
  minPriceCents: null,
  maxPriceCents: null,
  priceLocked: false,
  heldUntil: null,
  cheapestCents: 9_500,
  ruleId: null,
};
const TERMS = { workspace: null, floors: new Map([["r", 20]]), nowMs: NOW_MS };

/** The planned price in cents, or the reason why the price stays. */
function planned(wish: PriceWish, more: Partial<PricedProduct> = {}): number | string {
  const { prices: [price], leftOut } = planPrices([{ ...PRODUCT, ...more }], wish, TERMS);
  const [why = ""] = Object.entries(leftOut).find(([, count]) => count > 0) ?? [];
  return price?.toCents ?? why;
}

Deno.test("planPrices() calculates each price from the base of the wish, rounded half up", () => {
  const table: readonly (readonly [PriceWish, Partial<PricedProduct>, number | string])[] = [
    [{ kind: "percent", pct: -3 }, {}, 9_700],
    [{ kind: "percent", pct: 2.5 }, { ourPriceCents: 1 }, "same"],
    [{ kind: "percent", pct: 50 }, { ourPriceCents: 1 }, 2],
    [{ kind: "percent", pct: 0 }, {}, "same"],
    [{ kind: "percent", pct: -100 }, {}, "notPositive"],
    [{ kind: "percent", pct: 1 }, { ourPriceCents: null }, "noPrice"],
    [{ kind: "cheapestPct", pct: -1 }, {}, 9_405],
    [{ kind: "cheapestPct", pct: 0 }, { ourPriceCents: null }, 9_500],
    [{ kind: "cheapestPct", pct: 0 }, { cheapestCents: null }, "noMarket"],
    [{ kind: "cheapestCents", cents: -1, currency: "EUR" }, {}, 9_499],
    [{ kind: "cheapestCents", cents: -9_500, currency: "EUR" }, {}, "notPositive"],
    [{ kind: "cheapestCents", cents: 0, currency: "EUR" }, { currency: "CHF" }, "currency"],
    [{ kind: "amount", cents: 4_200, currency: "EUR" }, { ourPriceCents: null }, 4_200],
    [{ kind: "amount", cents: 4_200, currency: "EUR" }, { currency: "CHF" }, "currency"],
    [{ kind: "amount", cents: 4_200, currency: "EUR" }, { priceLocked: true }, "locked"],
    [
      { kind: "amount", cents: 4_200, currency: "EUR" },
      { heldUntil: "2026-11-20T12:00:01Z" },
      "held",
    ],
    [
      { kind: "amount", cents: 4_200, currency: "EUR" },
      { heldUntil: "2026-11-20T11:59:59Z" },
      4_200,
    ],
  ];
  for (const [wish, more, expected] of table) {
    assertEquals([wish, more, planned(wish, more)], [wish, more, expected]);
  }
});

Deno.test("planPrices() leaves out doubtful prices unless accepted: slips, losses, floors, far prices", () => {
  const workspace = null;
  const costly = { ...PRODUCT, id: "2", costPriceCents: 9_000, vatRatePct: 0 };
  const ruled = { ...costly, id: "3", costPriceCents: 7_000, ruleId: "r" };
  const wish: PriceWish = { kind: "amount", cents: 8_500, currency: "EUR" };
  const far = { ...PRODUCT, id: "4", ourPriceCents: 12_000 };
  const slip = { ...PRODUCT, id: "5", ourPriceCents: 850, cheapestCents: null };
  const plan = planPrices([PRODUCT, costly, ruled, far, slip], wish, { ...TERMS, workspace });
  assertEquals(
    plan.prices.map(({ id, doubts }) => [id, ...doubts.map(({ code }) => code)]),
    [["1"], ["2", "below_cost"], ["3", "below_floor"], ["4", "far_off"], ["5", "factor"]],
  );
  const ids = (
    ...codes: Parameters<typeof acceptedOf>[1] extends ReadonlySet<infer C> ? C[] : []
  ) => acceptedOf(plan, new Set(codes)).map(({ id }) => id);
  assertEquals(
    [ids(), ids("below_cost", "far_off"), ids("factor")],
    [["1"], ["1", "2", "4"], ["1", "5"]],
  );
});

Deno.test("every product is planned or left out once; the largest changes are planned ones", () => {
  const cents = fc.option(fc.integer({ min: 0, max: 10 ** 9 }));
  const product = fc.record({
    ourPriceCents: cents,
    cheapestCents: cents,
    currency: fc.constantFrom("EUR", "CHF"),
    priceLocked: fc.boolean(),
  });
  const pct = fc.integer({ min: -5_000, max: 5_000 });
  fc.assert(fc.property(fc.array(product, { maxLength: 30 }), pct, (given, hundredths) => {
    const products = given.map((more, n) => ({ ...PRODUCT, ...more, id: `${n}` }));
    const wish: PriceWish = { kind: "percent", pct: hundredths / 100 };
    const { prices, leftOut } = planPrices(products, wish, TERMS);
    const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    assertEquals(prices.length + left, products.length);
    for (const { id, toCents } of prices) {
      const was = BigInt(products[Number(id)]?.ourPriceCents ?? 0);
      const doubled = was * BigInt(10_000 + hundredths) * 2n + 10_000n;
      assertEquals(BigInt(toCents), doubled / 20_000n);
    }
    ok(largestOf(prices, 3).length === Math.min(3, prices.length));
  }));
});
