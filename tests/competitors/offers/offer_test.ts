import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { AVAILABILITIES } from "../../../src/base/availability.ts";
import {
  blankOffer,
  decodeOffers,
  encodeOffers,
  type Offer,
  type Sighting,
  withFailedFetch,
  withSighting,
} from "../../../src/competitors/offers/offer.ts";

const id = fc.integer({ min: 0, max: 2 ** 31 }).map((n) => n.toString(16).padStart(24, "0"));
const at = fc.integer({ min: 0, max: 4_000_000_000_000 });
const switches = fc.constantFrom(
  { enabled: true, disabledBy: null },
  { enabled: false, disabledBy: "person" as const },
  { enabled: false, disabledBy: "import" as const },
);
const terms = fc.record({
  matchId: id,
  competitorId: id,
  urlHash: id.map((hex) => hex.padStart(32, "f")),
  packFactor: fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 10_000),
}).chain((fields) => switches.map((switched) => ({ ...fields, ...switched })));
const sighting = fc.record({
  priceCents: fc.integer({ min: 1, max: 10 ** 12 }),
  currency: fc.constantFrom("EUR", "CHF"),
  availability: fc.constantFrom(...AVAILABILITIES),
  confidence: fc.constantFrom(0.7, 0.9, 1),
  observedAtMs: at,
});

/** With a clock that was never set back. */
const sighted = (offer: Offer, seen: Sighting) => withSighting(offer, seen, Infinity);

Deno.test("decodeOffers() gives back what encodeOffers() took", () => {
  const offer = fc.oneof(
    terms.map(blankOffer),
    fc.tuple(terms, sighting).map(([fields, seen]) => sighted(blankOffer(fields), seen)),
    fc.tuple(terms, fc.string()).map(([fields, text]) =>
      withFailedFetch(blankOffer(fields), "timeout", text)
    ),
  );
  fc.assert(fc.property(fc.array(offer, { maxLength: 8 }), (offers) => {
    assertEquals(decodeOffers(encodeOffers(offers)), offers);
  }));
});

const blank: Offer = blankOffer({
  matchId: "a".repeat(24),
  competitorId: "b".repeat(24),
  urlHash: "c".repeat(32),
  enabled: true,
  disabledBy: null,
  packFactor: 1,
});

Deno.test("withSighting() keeps the newest price, in whatever order sightings come", () => {
  fc.assert(fc.property(fc.uniqueArray(sighting, { selector: (s) => s.observedAtMs }), (seen) => {
    const offer = seen.reduce(sighted, blank);
    const newest = seen.toSorted((a, b) => b.observedAtMs - a.observedAtMs)[0];
    assertEquals(offer.priceCents, newest?.priceCents ?? null);
    assertEquals(offer.observedAtMs, newest?.observedAtMs ?? null);
  }));
});

Deno.test("withSighting() answers the very same offer for a sight that comes again, and no other", () => {
  fc.assert(fc.property(sighting, sighting, (seen, other) => {
    const offer = sighted(blank, seen);
    assert(sighted(offer, { ...seen }) === offer);
    const later = { ...other, observedAtMs: seen.observedAtMs + 1 };
    assertEquals(sighted(offer, later), sighted(blank, later));
    const failed = withFailedFetch(offer, "timeout", "No answer");
    assertEquals(sighted(failed, seen), offer);
  }));
});

Deno.test("withSighting() goes by what was seen before what cannot have been seen yet", () => {
  const at = (observedAtMs: number, priceCents: number): Sighting => ({
    priceCents,
    currency: "EUR",
    availability: "in_stock",
    confidence: 0.9,
    observedAtMs,
  });
  const offer = sighted(blank, at(5_000, 100));
  const prices = [4_999, 5_000, 5_001].map((latestMs) =>
    withSighting(offer, at(3_000, 200), latestMs).priceCents
  );
  assertEquals(prices, [200, 100, 100]);
  assertEquals(withSighting(offer, at(3_000, 200), 4_999), sighted(blank, at(3_000, 200)));
});

Deno.test("withFailedFetch() moves nothing but the status and its message", () => {
  const seen = sighted(blank, {
    priceCents: 999,
    currency: "EUR",
    availability: "in_stock",
    confidence: 0.9,
    observedAtMs: 1_000,
  });
  const failed = withFailedFetch(seen, "timeout", "No answer within 20 s");
  assertEquals(failed, { ...seen, status: "timeout", error: "No answer within 20 s" });
  assertEquals(
    sighted(failed, {
      ...failed,
      priceCents: 1,
      currency: "EUR",
      availability: "in_stock",
      confidence: 1,
      observedAtMs: 2_000,
    }).error,
    null,
  );
});

Deno.test("200 offers with the longest of everything fit into one value of the store", () => {
  const long = withFailedFetch(
    sighted({ ...blank, packFactor: 99_999.9999 }, {
      priceCents: 10 ** 12,
      currency: "EUR",
      availability: "discontinued",
      confidence: 0.7,
      observedAtMs: 4_000_000_000_000,
    }),
    "unsupported_content",
    '"📦\u0001'.repeat(100),
  );
  assert(long.error !== null && long.error.length > 10);
  assert(encodeOffers(Array.from({ length: 200 }, () => long)).length < 65_536);
});
