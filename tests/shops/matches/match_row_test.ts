import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { type Match, MATCH_SOURCES, VISITS } from "../../../src/shops/matches/match.ts";
import { packMatch, unpackMatch } from "../../../src/shops/matches/match_store.ts";
import { MATCH_TYPES } from "../../../src/shops/offers/offer.ts";
import { anyCharacter } from "../../any_text.ts";

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => each.toHex());
const text = fc.option(fc.string({ unit: "grapheme" }));
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom("2026-08-01T09:00:00Z", "2026-08-01T09:00:00.1234Z"),
);
const match: fc.Arbitrary<Match> = fc.record({
  id: hex(12),
  productId: hex(12),
  competitorId: hex(12),
  url: fc.string({ unit: anyCharacter }).filter((each) => each.isWellFormed()),
  enabled: fc.boolean(),
  disabledBy: fc.option(fc.constantFrom("person", "import")),
  matchType: fc.constantFrom(...MATCH_TYPES),
  packFactor: fc.oneof(fc.constant(1), fc.double({ noNaN: true, min: 0.001, max: 1e6 })),
  source: fc.constantFrom(...MATCH_SOURCES),
  extractor: fc.option(fc.record({
    priceSelector: text,
    stockSelector: text,
    jsonPath: text,
    currency: text,
    locale: text,
  }, { noNullPrototype: true })),
  createdAt: time,
  updatedAt: time,
  noPrice: fc.boolean(),
  visit: fc.constantFrom(...VISITS),
}, { noNullPrototype: true })
  // An absent `noPrice` means false, an absent `visit` means `now`.
  .map(({ noPrice, visit, ...others }) => ({
    ...others,
    ...(noPrice && { noPrice }),
    ...(visit !== "now" && { visit }),
  }));

Deno.test("unpackMatch() reverses packMatch()", () => {
  fc.assert(fc.property(match, (given) => {
    assertEquals(unpackMatch(given.productId, packMatch(given)), given);
  }));
});
