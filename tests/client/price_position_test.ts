import fc from "fast-check";
import type { MarketOffer } from "../../src/catalogue/prices/product_market.ts";
import { chartSeries } from "../../src/client/pages/products/chart_section.tsx";
import { positionAt, rivalsOf } from "../../src/client/pages/products/product_position.tsx";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const offer = (n: number, priceCents: number, packFactor = 1, counts = true): MarketOffer => ({
  competitorProductId: `m${n}`,
  competitorId: `c${n}`,
  competitor: `Shop ${n}`,
  priceCents,
  unitCents: Math.round(priceCents / packFactor),
  shippingCents: null,
  lacksShipping: false,
  currency: "EUR",
  packFactor,
  inStock: true,
  observedAt: "2026-11-20T06:00:00.000Z",
  counts,
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
        competitorProductId: "m",
        competitorId: "c",
        competitor: "Acme",
        isOurs: false,
        packFactor: 1,
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
    // A price that was observed only once.
    [208, 40],
    [208, null],
    [210, null],
  ]);
});
