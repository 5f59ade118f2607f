/** Tests how our price compares with offers: fixed cases, and random cases in exact fractions. */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { type MarketFacts, marketFacts } from "../../../src/engine/pricing/market_facts.ts";
import type { Offer } from "../../../src/engine/pricing/situation.ts";
import { anOffer, aSituation, HOUR_MS, NOW_MS } from "./market.ts";
import { fromKeys } from "../../../src/base/collections.ts";
import fc from "fast-check";

type Given = Parameters<typeof aSituation>[1];

function summaryOf({ state, offers, cheapest, own, medianCents, averageCents }: MarketFacts) {
  return {
    state,
    offers: offers.length,
    cheapest: cheapest?.cents ?? null,
    count: cheapest?.count ?? null,
    medianCents,
    averageCents,
    gap: own?.gapCents ?? null,
    rank: own?.rank ?? null,
    position: own?.position ?? null,
  };
}

const of = (ourPriceCents: number | null, offers: (Offer | number)[], given: Given = {}) =>
  marketFacts(aSituation(offers, { ...given, product: { ...given?.product, ourPriceCents } }));

const FACTS = "cheapest count medianCents averageCents gap rank position".split(" ");
const NOTHING = { offers: 0, ...fromKeys(FACTS, () => null) };

Deno.test("without our price there is no gap, rank, index or margin; without offers no rank", () => {
  const facts = of(null, [950, 1_000]);
  assertEquals(facts.own, null);
  assertEquals([facts.cheapest?.cents, facts.medianCents, facts.marginPct], [950, 975, null]);
  const alone = of(1_000, []);
  assertEquals(summaryOf(alone), { ...NOTHING, state: "no_links" });
});

Deno.test("with `compareDelivered`, both prices contain their shipping, ours 0 if unknown", () => {
  const settings = { compareDelivered: true, ownShippingCents: null };
  const offers = [anOffer(950, { shippingCents: 100 })];
  const unknown = of(1_000, offers, { settings });
  assertEquals([unknown.comparedCents, unknown.own?.gapCents], [1_000, -50]);
  const sent = of(1_000, offers, { settings, product: { shippingCents: 490 } });
  assertEquals([sent.comparedCents, sent.own?.gapCents, sent.own?.rank], [1_490, 440, 2]);
  assertEquals(of(null, offers, { settings }).comparedCents, null);
  assertEquals(of(1_000, offers, { product: { shippingCents: 490 } }).comparedCents, 1_000);
});

Deno.test("a price in another currency does not count, and alone it allows no comparison", () => {
  const dollars = anOffer(500, { currency: "USD" });
  assertEquals(summaryOf(of(1_000, [dollars, 1_100])).offers, 1);
  assertEquals(summaryOf(of(1_000, [dollars])), { ...NOTHING, state: "not_comparable" });
});

Deno.test("a net price is not comparable with our gross price if no rate is known", () => {
  const settings = { pricesIncludeVat: true, vatRatePct: null };
  const unknown = of(1_000, [anOffer(840, { pricesIncludeVat: false })], { settings });
  assertEquals(summaryOf(unknown), { ...NOTHING, state: "not_comparable" });
});

Deno.test("sold-out offers do not count, possibly sold-out ones do, and each for 48 hours", () => {
  const offers = [anOffer(800, { inStock: false }), anOffer(990, { inStock: null })];
  const seenMs = NOW_MS - HOUR_MS;
  const facts = of(1_000, offers);
  assertEquals([facts.cheapest?.cents, facts.cheapest?.inStock], [990, null]);
  assertEquals(facts.changesAtMs, seenMs + 48 * HOUR_MS + 1);
  assertEquals(summaryOf(of(1_000, offers.slice(0, 1))), { ...NOTHING, state: "sold_out" });
  const later = (nowMs: number) => of(1_000, offers, { nowMs });
  assertEquals(later(seenMs + 48 * HOUR_MS).state, "ok");
  assertEquals(later(seenMs + 48 * HOUR_MS + 1).state, "stale");
  assertEquals(later(seenMs + 48 * HOUR_MS + 1).changesAtMs, null);
  assertEquals(later(seenMs + 48 * HOUR_MS + 1).newestAtMs, seenMs);
});

Deno.test("links without a price are unreadable after a failed fetch", () => {
  const unseen = (status: string | null) => anOffer(null, { status });
  assertEquals(of(1_000, [unseen(null)]).state, "never_seen");
  assertEquals(of(1_000, [unseen(null), unseen("timeout")]).state, "unreadable");
  assertEquals(of(1_000, [unseen("timeout"), 990]).state, "ok");
  const dollars = anOffer(5, { currency: "USD" });
  assertEquals(of(1_000, [unseen("timeout"), dollars]).state, "not_comparable");
});

Deno.test("our price of 0 counts as none, and offers of 0 have no percentages", () => {
  const none = of(0, [950, 1_000]);
  assertEquals([none.own, none.marginPct, none.medianCents], [null, null, 975]);
  const facts = of(1, [0, 0]);
  assertEquals([facts.own?.gapPct, facts.own?.indexPct], [null, null]);
  assertEquals([facts.own?.rank, facts.own?.position], [3, "dearest"]);
});

/** A price per piece as a fraction of integers. */
type Quotient = readonly [bigint, bigint];
const less = ([a, b]: Quotient, [c, d]: Quotient) => a * d < c * b;
const halfUp = ([a, b]: Quotient) => {
  const [num, den] = [2n * a + b, 2n * b];
  return Number((num - ((num % den) + den) % den) / den);
};
/** Returns (a − b) ÷ c in hundredths of a percent, for fractions a, b and c. */
const share = ([a, b]: Quotient, [c, d]: Quotient, [e, f]: Quotient): Quotient => [
  (a * d - c * b) * f * 10_000n,
  b * d * e,
];

function quotientOf(offer: Offer, wantsGross: boolean, vatPct: number | null): Quotient | null {
  const pack = BigInt(Math.round(offer.packFactor * 10_000));
  const piece: Quotient = [BigInt(offer.priceCents ?? 0) * 10_000n, pack];
  const isGross = offer.pricesIncludeVat ?? wantsGross;
  if (isGross === wantsGross) return piece;
  if (vatPct === null) return null;
  const gross = 1_000_000n + BigInt(Math.round(vatPct * 10_000));
  return wantsGross
    ? [piece[0] * gross, piece[1] * 1_000_000n]
    : [piece[0] * 1_000_000n, piece[1] * gross];
}

const offerOf = fc.record({
  priceCents: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 10 ** 12 })),
  currency: fc.constantFrom("EUR", "EUR", "EUR", "USD"),
  inStock: fc.constantFrom(true, true, false, null),
  packFactor: fc.constantFrom(1, 1, 1, 3, 6, 0.25, 1.4999),
  pricesIncludeVat: fc.constantFrom(null, null, true, false),
  ageHours: fc.integer({ min: 0, max: 60 }),
}).map(({ ageHours, priceCents, ...more }) =>
  anOffer(priceCents, { ...more, observedAtMs: NOW_MS - ageHours * HOUR_MS })
);

Deno.test("marketFacts() equals integer arithmetic for random offers", () => {
  const ours = fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 10 ** 12 }));
  const rate = fc.constantFrom(null, 0, 7, 19, 19.6);
  let compared = 0;
  const lists = fc.array(offerOf, { maxLength: 9 });
  const property = fc.property(ours, lists, fc.boolean(), rate, (...given) => {
    const [ourPriceCents, offers, pricesIncludeVat, vatRatePct] = given;
    const facts = of(ourPriceCents, offers, { settings: { pricesIncludeVat, vatRatePct } });
    const counted = offers.filter(({ currency, inStock, observedAtMs }) =>
      currency === "EUR" && inStock !== false && (observedAtMs ?? 0) >= NOW_MS - 48 * HOUR_MS
    ).map((offer) => quotientOf(offer, pricesIncludeVat, vatRatePct))
      .filter((unit) => unit !== null)
      .sort((a, b) => less(a, b) ? -1 : less(b, a) ? 1 : 0);
    const [first] = counted;
    if (!first) {
      assert(facts.state !== "ok");
      return assertEquals(summaryOf(facts), { ...NOTHING, state: facts.state });
    }
    compared++;
    const own: Quotient = [BigInt(ourPriceCents), 1n];
    const zero: Quotient = [0n, 1n];
    const half = (counted.length - 1) / 2;
    const [low, high] = [counted[Math.floor(half)]!, counted[Math.ceil(half)]!];
    const sum = counted.reduce(([a, b], [c, d]): Quotient => [a * d + c * b, b * d], zero);
    const count = BigInt(counted.length);
    const rank = counted.filter((unit) => less(unit, own)).length + 1;
    const pct = (exact: Quotient) => {
      const hundredths = halfUp(exact);
      const rounded: Quotient = [BigInt(hundredths), 1n];
      const rest = less(exact, rounded) ? -1 : less(rounded, exact) ? 1 : 0;
      return { pct: hundredths / 100, rest };
    };
    const { gapPct, roomPct, indexPct } = facts.own!;
    assertEquals({ ...summaryOf(facts), gapPct, roomPct, indexPct }, {
      state: "ok",
      offers: counted.length,
      cheapest: halfUp(first),
      count: counted.filter((unit) => !less(first, unit)).length,
      medianCents: halfUp([low[0] * high[1] + high[0] * low[1], 2n * low[1] * high[1]]),
      averageCents: halfUp([sum[0], sum[1] * count]),
      gap: halfUp([own[0] * first[1] - first[0], first[1]]),
      gapPct: pct(share(own, first, first)),
      roomPct: pct(share(first, own, own)),
      rank,
      position: rank === 1 ? "cheapest" : rank === counted.length + 1 ? "dearest" : "middle",
      indexPct: pct(share([own[0] * count, 1n], zero, sum)).pct,
    });
  });
  fc.assert(property, { numRuns: 500 });
  assert(compared > 100);
});
