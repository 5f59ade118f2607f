import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { CAUSE_OF, type Offer } from "../../../src/shops/offers/offer.ts";
import { BLANK_OFFER } from "./blank_offer.ts";
import { placeOf } from "../../../src/shops/offers/failing_page_store.ts";
import { SCRAPE_ERRORS } from "../../../src/scraping/runs/run.ts";

/** An offer whose page has failed with this status since 5 s after 1970. */
const failed = (status: string, more: Partial<Offer> = {}): Offer => ({
  ...BLANK_OFFER,
  status,
  failingSinceMs: 5_000,
  ...more,
});

Deno.test("placeOf() names the problem of a page, and is null for a working one", () => {
  const table: readonly [Offer, string | null][] = [
    [BLANK_OFFER, null],
    [failed("ok", { failingSinceMs: null }), null],
    [failed("no_price"), "nothing_found"],
    // The page had a price before, so its layout has probably changed.
    [failed("no_price", { observedAtMs: 1_000 }), "layout_changed"],
    [failed("ambiguous_price"), "two_prices"],
    [failed("ambiguous_price", { observedAtMs: 1_000 }), "two_prices"],
    [failed("currency_mismatch"), "currency"],
    [failed("blocked"), "blocked"],
    [failed("timeout"), "no_answer"],
    [failed("robots_disallowed"), "robots"],
    [failed("too_complex"), "unreadable"],
    [failed("gone"), "gone"],
    [failed("listing"), "listing"],
    [failed("other_product"), "other_product"],
    [failed("net_only"), "net_only"],
    [failed("third_party"), "third_party"],
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
});

Deno.test("every error code of a fetch has a cause, except those that are no failure", () => {
  assertEquals(SCRAPE_ERRORS.filter((code) => !CAUSE_OF.has(code)), [
    "backing_off",
    "on_request",
    "sold_out",
  ]);
});
