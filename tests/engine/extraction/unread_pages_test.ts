/**
 * Product pages of shops that the readers were not developed on (`unread_pages/`), with what is right
 * stated before their first reading: 66 of 80 right, 4 wrong, one of them at ≥ 0.9, with our product;
 * 68, 2 and 1 without it. `MADE_PAGES=all` prints each page that is not read right.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { KINDS } from "./made_pages/made_page.ts";
import { assertFloors, type Floors, score } from "./made_pages/score_made_pages.ts";
import { UNREAD_PAGES } from "./unread_pages/all_pages.ts";

const PRODUCT_KNOWN: Floors = {
  variants: [13, 2, 0],
  vetoes: [15, 2, 1],
  words: [16, 0, 0],
  bare: [8, 0, 0],
  former: [14, 0, 0],
};
const NOTHING_KNOWN: Floors = { ...PRODUCT_KNOWN, variants: [15, 0, 0] };

Deno.test("extractPrice() reads unread pages at least as well as at first, our product known", () => {
  assertFloors("Unread", UNREAD_PAGES.map((page) => score(page, "product")), PRODUCT_KNOWN);
});

Deno.test("extractPrice() reads unread pages at least as well as at first, nothing known", () => {
  assertFloors("Unread, alone", UNREAD_PAGES.map((page) => score(page, "nothing")), NOTHING_KNOWN);
});

Deno.test("each kind has twelve unread pages or more, each of its own shop", () => {
  const shops = new Set(UNREAD_PAGES.map(({ url }) => new URL(url).hostname));
  assertEquals(shops.size, UNREAD_PAGES.length);
  for (const kind of KINDS) {
    assert(UNREAD_PAGES.filter((page) => page.kind === kind).length >= 12, kind);
  }
});
