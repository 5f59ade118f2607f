import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import type { MarketOffer } from "../../src/catalogue/prices/product_market.ts";
import { chartSeries } from "../../src/client/pages/products/chart_section.tsx";
import {
  acceptedOf,
  largestOf,
  planPrices,
  type PricedProduct,
  type PriceWish,
} from "../../src/client/pages/products/price_plan.ts";
import { positionAt, rivalsOf } from "../../src/client/pages/products/product_context.tsx";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const PRODUCT: PricedProduct = {
  ...{ id: "1", sku: "A", currency: "EUR", ourPriceCents: 10_000, cheapestCents: 9_500 },
  ...{ costPriceCents: null, vatRatePct: null, minPriceCents: null, maxPriceCents: null },
  ...{ priceLocked: false, heldUntil: null, ruleId: null },
};
const TERMS = { workspace: null, floors: new Map([["r", 20]]), nowMs: NOW_MS };

/** Returns the planned price in cents, or the reason why the price stays. */
function planned(wish: PriceWish, more: Partial<PricedProduct> = {}): number | string {
  const { prices: [price], leftOut } = planPrices([{ ...PRODUCT, ...more }], wish, TERMS);
  const [why = ""] = Object.entries(leftOut).find(([, count]) => count > 0) ?? [];
  return price?.toCents ?? why;
}

Deno.test("planPrices() calculates each price from the base of the wish, rounded half up", () => {
  const percent = (pct: number): PriceWish => ({ kind: "percent", pct });
  const cheapestPct = (pct: number): PriceWish => ({ kind: "cheapestPct", pct });
  const currency = "EUR";
  const cheapest = (cents: number): PriceWish => ({ kind: "cheapestCents", cents, currency });
  const amount: PriceWish = { kind: "amount", cents: 4_200, currency };
  const table: readonly (readonly [PriceWish, Partial<PricedProduct>, number | string])[] = [
    [percent(-3), {}, 9_700],
    [percent(2.5), { ourPriceCents: 1 }, "same"],
    [percent(50), { ourPriceCents: 1 }, 2],
    [percent(0), {}, "same"],
    [percent(-100), {}, "notPositive"],
    [percent(1), { ourPriceCents: null }, "noPrice"],
    [cheapestPct(-1), {}, 9_405],
    [cheapestPct(0), { ourPriceCents: null }, 9_500],
    [cheapestPct(0), { cheapestCents: null }, "noMarket"],
    [cheapest(-1), {}, 9_499],
    [cheapest(-9_500), {}, "notPositive"],
    [cheapest(0), { currency: "CHF" }, "currency"],
    [amount, { ourPriceCents: null }, 4_200],
    [amount, { currency: "CHF" }, "currency"],
    [amount, { priceLocked: true }, "locked"],
    [amount, { heldUntil: "2026-11-20T12:00:01Z" }, "held"],
    [amount, { heldUntil: "2026-11-20T11:59:59Z" }, 4_200],
  ];
  for (const [wish, more, expected] of table) {
    assertEquals([wish, more, planned(wish, more)], [wish, more, expected]);
  }
});

Deno.test("planPrices() leaves out doubtful prices unless accepted: slips, losses, floors, far prices", () => {
  const costly = { ...PRODUCT, id: "2", costPriceCents: 9_000, vatRatePct: 0 };
  const ruled = { ...costly, id: "3", costPriceCents: 7_000, ruleId: "r" };
  const wish: PriceWish = { kind: "amount", cents: 8_500, currency: "EUR" };
  const far = { ...PRODUCT, id: "4", ourPriceCents: 12_000 };
  const slip = { ...PRODUCT, id: "5", ourPriceCents: 850, cheapestCents: null };
  const plan = planPrices([PRODUCT, costly, ruled, far, slip], wish, TERMS);
  assertEquals(
    plan.prices.map(({ id, doubts }) => [id, ...doubts.map(({ code }) => code)]),
    [["1"], ["2", "below_cost"], ["3", "below_floor"], ["4", "far_off"], ["5", "factor"]],
  );
  const ids = (accepted: Parameters<typeof acceptedOf>[1]) =>
    acceptedOf(plan, accepted).map(({ id }) => id);
  assertEquals(ids(new Set()), ["1"]);
  assertEquals(ids(new Set(["below_cost", "far_off"])), ["1", "2", "4"]);
  assertEquals(ids(new Set(["factor"])), ["1", "5"]);
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

const offer = (n: number, priceCents: number, packFactor = 1, counts = true): MarketOffer => ({
  ...{ competitorProductId: `m${n}`, competitorId: `c${n}`, competitor: `Shop ${n}` },
  ...{ priceCents, unitCents: Math.round(priceCents / packFactor), packFactor, currency: "EUR" },
  ...{ shippingCents: null, lacksShipping: false, inStock: true, counts },
  observedAt: "2026-11-20T06:00:00.000Z",
  why: counts ? null : "stale",
});

const shortOf = (ours: number, offers: readonly MarketOffer[]) => {
  const position = positionAt(ours, rivalsOf(offers));
  return position && [position.rank, position.of, position.gapCents];
};

Deno.test("positionAt() is rank and gap in money, among offers that count", () => {
  const four = [950, 1_000, 1_100, 1_300].map((cents, n) => offer(n, cents));
  assertEquals(shortOf(1_000, [...four, offer(9, 100, 1, false)]), [2, 5, 50]);
  assertEquals(shortOf(1_000, [offer(1, 1_000), offer(2, 1_000), offer(3, 1_200)]), [1, 4, 0]);
  assertEquals(shortOf(333, [offer(1, 1_000, 3)]), [1, 2, 0]);
  assertEquals(shortOf(334, [offer(1, 1_000, 3)])?.[0], 2);
  assertEquals(shortOf(1_000, [offer(1, 900, 1, false)]), null);
  assertEquals(shortOf(0, four), null);
});

Deno.test("positionAt() agrees with a comparison by multiplication", () => {
  const cents = fc.integer({ min: 1, max: 10_000 });
  const pack = fc.integer({ min: 1, max: 7 });
  fc.assert(
    fc.property(cents, fc.array(fc.tuple(cents, pack), { minLength: 1 }), (ours, others) => {
      const rivals = rivalsOf(others.map(([price, factor], n) => offer(n, price, factor)));
      const cheaper = others.filter(([price, factor]) => price < ours * factor).length;
      const tied = others.some(([price, factor]) => price === ours * factor);
      const position = positionAt(ours, rivals);
      assertEquals([position?.rank, position?.of], [cheaper + 1, others.length + 1]);
      assertEquals(position?.tied !== null, tied);
    }),
  );
});

Deno.test("chartSeries() breaks a line where a shop was not observed, and ends at the last observation", () => {
  const at = (hours: number) => new Date(hours * 3_600_000).toISOString();
  const [own, shop] = chartSeries({
    chart: {
      own: [[at(0), 100], [at(50), null]],
      shops: [{
        ...{ competitorProductId: "m", competitorId: "c", competitor: "Acme" },
        ...{ isOurs: false, packFactor: 1 },
        points: [[at(0), 10], [at(24), 20], [at(200), 30], [at(208), 40]],
        gaps: [[at(72), at(200)], [at(205), at(207)], [at(208), at(210)]],
        lastSeenAt: at(207),
      }],
      currency: "EUR",
      to: at(210),
    },
    us: "Wir",
    colours: new Map([["c", 3]]),
    nowMs: 210 * 3_600_000,
  });
  const pointsOf = (points: readonly { readonly atMs: number; readonly cents: number | null }[]) =>
    points.map(({ atMs, cents }) => [atMs / 3_600_000, cents]);
  assertEquals([own?.colour, shop?.colour], [0, 3]);
  assertEquals(pointsOf(own?.points ?? []), [[0, 100], [50, null], [210, null]]);
  assertEquals(pointsOf(shop?.points ?? []), [
    [0, 10],
    [24, 20],
    [72, null],
    [200, 30],
    [205, null],
    [207, 30],
    // This price was observed at one moment only, so the line breaks right after it.
    [208, 40],
    [208, null],
    [210, null],
  ]);
});
