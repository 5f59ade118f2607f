import fc from "fast-check";
import { BLANK_OFFER } from "./shop.ts";
import { AVAILABILITIES } from "../../src/base/codes.ts";
import {
  blankOffer,
  CAUSE_OF,
  MATCH_TYPES,
  NO_OLD_PRICES,
  type Offer,
  OFFER_CODE_MAX,
  type OfferObservation,
  SELLER_BYTES_MAX,
  withFailedFetch,
  withObservation,
} from "../../src/shops/offers/offer.ts";
import { decodeOffers, encodeOffers } from "../../src/shops/offers/offer_store.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { placeOf } from "../../src/shops/offers/failing_and_held_store.ts";
import { SCRAPE_ERRORS } from "../../src/scraping/runs/run.ts";

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
  matchType: fc.constantFrom(...MATCH_TYPES),
  noPrice: fc.boolean(),
}).chain((fields) => switches.map((switched) => ({ ...fields, ...switched })));
const observation = fc.record({
  priceCents: fc.integer({ min: 1, max: 10 ** 12 }),
  currency: fc.constantFrom("EUR", "CHF"),
  availability: fc.constantFrom(...AVAILABILITIES),
  confidence: fc.constantFrom(0.7, 0.9, 1),
  observedAtMs: at,
});

const seenAt = (observedAtMs: number, priceCents: number, currency = "EUR"): OfferObservation => (
  { priceCents, currency, availability: "in_stock", confidence: 0.9, observedAtMs }
);

const observed = (offer: Offer, seen: OfferObservation) => withObservation(offer, seen, Infinity);

const extras = fc.record({
  condition: fc.option(fc.constantFrom("new", "refurbished")),
  seller: fc.option(fc.string()),
  shippingCents: fc.option(fc.nat()),
  listPriceCents: fc.option(fc.nat()),
  lowest30Cents: fc.option(fc.nat()),
  verdict: fc.option(fc.constantFrom("same", "different")),
  heldAtMs: fc.option(at),
  failingSinceMs: fc.option(at.map((ms) => Math.floor(ms / 1_000) * 1_000)),
  isSelectorDead: fc.boolean(),
});

Deno.test("decodeOffers() reverses encodeOffers()", () => {
  const offer = fc.oneof(
    terms.map(blankOffer),
    fc.tuple(terms, observation).map(([fields, seen]) => observed(blankOffer(fields), seen)),
    fc.tuple(terms, fc.string()).map(([fields, text]) =>
      withFailedFetch(blankOffer(fields), { errorCode: "timeout", message: text }, 1_000)
    ),
    fc.tuple(terms, extras).map(([fields, more]) => ({ ...blankOffer(fields), ...more })),
    fc.tuple(terms, extras, fc.array(observation)).map(([fields, more, seen]) =>
      seen.reduce(observed, { ...blankOffer(fields), ...more })
    ),
  );
  fc.assert(fc.property(fc.array(offer, { maxLength: 8 }), (offers) => {
    assertEquals(decodeOffers(encodeOffers(offers)), offers);
  }));
});

Deno.test("decodeOffers() reads rows in the long form, from before offers had a match type; rows are written in the short form", () => {
  const { matchId, competitorId, urlHash } = BLANK_OFFER;
  const price = [999, "EUR", "in_stock"];
  const row = [matchId, competitorId, urlHash, 1, ...price, 6, 0.9, 1, "ok", 2, null];
  const [offer] = decodeOffers(new TextEncoder().encode(JSON.stringify([row])));
  assertEquals(offer, {
    ...BLANK_OFFER,
    packFactor: 6,
    priceCents: 999,
    currency: "EUR",
    availability: "in_stock",
    confidence: 0.9,
    observedAtMs: 1,
    status: "ok",
    checkedAtMs: 2,
  });
  const short = [matchId, competitorId, urlHash, 1, 999, "EUR", 1, 6, 0.9, 1, 1, 2, null];
  assertEquals(rowsOf(encodeOffers([offer!])), [short]);
  const seen = { priceCents: 999, currency: "EUR", availability: "in_stock" as const };
  const typical = observed(BLANK_OFFER, { ...seen, confidence: 1, observedAtMs: 70 });
  const ids = [matchId, competitorId, urlHash, 1, 999, "EUR"];
  assertEquals(rowsOf(encodeOffers([typical])), [[...ids, 1, 1, 1, 70, 1, "", null, 0, 0]]);
});

const rowsOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

Deno.test("withObservation() keeps the newest price, in any order of observations", () => {
  const observations = fc.uniqueArray(observation, { selector: (s) => s.observedAtMs });
  fc.assert(fc.property(observations, (seen) => {
    const offer = seen.reduce(observed, BLANK_OFFER);
    const newest = seen.toSorted((a, b) => b.observedAtMs - a.observedAtMs)[0];
    assertEquals(offer.priceCents, newest?.priceCents ?? null);
    assertEquals(offer.observedAtMs, newest?.observedAtMs ?? null);
  }));
});

Deno.test("withObservation() returns the identical offer only for a repeated observation", () => {
  fc.assert(fc.property(observation, observation, (seen, other) => {
    const offer = observed(BLANK_OFFER, seen);
    assert(observed(offer, { ...seen }) === offer);
    const later = { ...other, observedAtMs: seen.observedAtMs + 1 };
    const { previousCents: _, sinceMs: _s, ...fresh } = observed(BLANK_OFFER, later);
    const { previousCents, sinceMs, ...again } = observed(offer, later);
    assertEquals(again, fresh);
    const isSame = seen.priceCents === other.priceCents && seen.currency === other.currency;
    const before = !isSame && seen.currency === other.currency ? seen.priceCents : null;
    const since = isSame ? seen.observedAtMs : later.observedAtMs;
    assertEquals([previousCents, sinceMs], [before, since]);
    const failed = withFailedFetch(offer, { errorCode: "timeout", message: "No answer" }, 1_000);
    assertEquals(observed(failed, seen), offer);
  }));
});

Deno.test("withObservation() replaces an observation from the future by a present one", () => {
  const offer = observed(BLANK_OFFER, seenAt(5_000, 100));
  const seen = seenAt(3_000, 200);
  const prices = [4_999, 5_000, 5_001].map((ms) => withObservation(offer, seen, ms).priceCents);
  assertEquals(prices, [200, 100, 100]);
  assertEquals(withObservation(offer, seen, 4_999), observed(BLANK_OFFER, seen));
});

Deno.test("withFailedFetch() changes only the status, its message and the start of the failure", () => {
  const seen = observed(BLANK_OFFER, seenAt(1_000, 999));
  const message = "No answer within 20 s";
  const failed = withFailedFetch(seen, { errorCode: "timeout", message }, 5_000);
  const since = { failingSinceMs: 5_000 };
  assertEquals(failed, { ...seen, status: "timeout", error: message, ...since });
  const again = withFailedFetch(failed, { errorCode: "no_price", message }, 9_000);
  assertEquals(again, { ...failed, status: "no_price" });
  const isSoldOut = withFailedFetch(again, { errorCode: "sold_out", message }, 10_000);
  assertEquals(isSoldOut.failingSinceMs, null);
  assertEquals(observed(failed, { ...failed, ...seenAt(2_000, 1) }).error, null);
});

const LAST_MS = 4_000_000_000_000;
const UNREADABLE = { errorCode: "unsupported_content" } as const;
const LONGEST: OfferObservation = {
  ...seenAt(LAST_MS, 10 ** 12),
  availability: "discontinued",
  confidence: 0.7,
};

Deno.test("200 offers with every fact fit into one value of the store by dropping error messages and former prices, and failed ones keep the longest message", () => {
  const full: Offer = {
    ...withFailedFetch(BLANK_OFFER, { ...UNREADABLE, message: "é".repeat(100) }, LAST_MS),
    noPrice: true,
    enabled: false,
    disabledBy: "import",
    packFactor: 99_999.9999,
    matchType: "equivalent",
    ...LONGEST,
    previousCents: 10 ** 12,
    sinceMs: 1_000_000_000_000,
    checkedAtMs: LAST_MS,
    condition: "x".repeat(OFFER_CODE_MAX),
    seller: "é".repeat(SELLER_BYTES_MAX / 2),
    shippingCents: 10 ** 12,
    listPriceCents: 10 ** 12,
    lowest30Cents: 10 ** 12,
    verdict: "y".repeat(OFFER_CODE_MAX),
    heldAtMs: LAST_MS,
  };
  const few = Array.from({ length: 100 }, () => full);
  assertEquals(decodeOffers(encodeOffers(few)), few);
  const row = Array.from({ length: 200 }, () => full);
  const bytes = encodeOffers(row);
  assert(bytes.length < 65_536, String(bytes.length));
  const without = { ...full, ...NO_OLD_PRICES, error: null, previousCents: null, sinceMs: null };
  assertEquals(decodeOffers(bytes), row.map(() => without));
  const shorter = Array.from({ length: 170 }, () => full);
  const withoutErrors = shorter.map((offer) => ({ ...offer, error: null }));
  assertEquals(decodeOffers(encodeOffers(shorter)), withoutErrors);
  const long = withFailedFetch(
    observed({ ...BLANK_OFFER, packFactor: 99_999.9999 }, LONGEST),
    { ...UNREADABLE, message: '"📦\u0001'.repeat(100) },
    LAST_MS,
  );
  const longest = encodeOffers(Array.from({ length: 200 }, () => long));
  assertEquals(decodeOffers(longest)[199], long);
  assert(long.error !== null && long.error.length > 10 && longest.length < 65_536);
});

const failed = (status: string, more: Partial<Offer> = {}): Offer => ({
  ...BLANK_OFFER,
  status,
  failingSinceMs: 5_000,
  ...more,
});

Deno.test("placeOf() names the problem of a page, and is null for a working one; every error code has a cause, except those that are no failure", () => {
  const table: readonly [Offer, string | null][] = [
    [BLANK_OFFER, null],
    [failed("ok", { failingSinceMs: null }), null],
    [failed("no_price"), "nothing_found"],
    // `observedAtMs` means that the page had a price before, so its layout has probably changed.
    [failed("no_price", { observedAtMs: 1_000 }), "layout_changed"],
    [failed("ambiguous_price"), "two_prices"],
    [failed("ambiguous_price", { observedAtMs: 1_000 }), "two_prices"],
    [failed("currency_mismatch"), "currency"],
    [failed("timeout"), "no_answer"],
    [failed("robots_disallowed"), "robots"],
    [failed("too_complex"), "unreadable"],
    ...["blocked", "gone", "listing", "other_product", "net_only", "third_party"]
      .map((code): [Offer, string] => [failed(code), code]),
    [failed("sold_out"), null],
    [failed("on_request"), null],
    [failed("no_price", { enabled: false, disabledBy: "person" }), null],
    [failed("no_price", { noPrice: true }), null],
  ];
  for (const [offer, cause] of table) {
    const sinceMs = offer.failingSinceMs;
    const wanted = cause === null ? null : { cause, sinceMs, matchId: offer.matchId };
    assertEquals(placeOf(offer), wanted, `${offer.status}`);
  }
  const others = SCRAPE_ERRORS.filter((code) => !CAUSE_OF.has(code));
  assertEquals(others, ["backing_off", "on_request", "sold_out"]);
});
