/**
 * Product pages made for tests (`made_pages/`), read with our product and without it. Floors, so that
 * a change which reads worse is seen; raise them when more is read. `MADE_PAGES=all` prints each page
 * that is not read right.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { MADE_PAGES } from "./made_pages/all_pages.ts";
import { KINDS } from "./made_pages/made_page.ts";
import { assertFacts, assertFloors, type Floors, score } from "./made_pages/score_made_pages.ts";
import { withoutMarkup } from "./page_quality.ts";

const PRODUCT_KNOWN: Floors = {
  variants: [18, 0, 0],
  vetoes: [18, 0, 0],
  words: [18, 0, 0],
  bare: [18, 0, 0],
  former: [16, 0, 0],
};
const NOTHING_KNOWN: Floors = {
  variants: [18, 0, 0],
  vetoes: [18, 0, 0],
  words: [18, 0, 0],
  bare: [18, 0, 0],
  former: [16, 0, 0],
};
/** Kinds whose price is shown, and right without markup, too. */
const UNMARKED: Floors = { words: [18, 0, 0], former: [16, 0, 0] };

Deno.test("extractPrice() reads made pages as well as before, where our product is known", () => {
  const scored = MADE_PAGES.map((page) => score(page, "product"));
  assertFloors("Made pages, our product known", scored, PRODUCT_KNOWN);
  assertFacts(scored);
});

Deno.test("extractPrice() reads made pages as well as before, where nothing is known", () => {
  const scored = MADE_PAGES.map((page) => score(page, "nothing"));
  assertFloors("Made pages, nothing known", scored, NOTHING_KNOWN);
  assertFacts(scored);
});

Deno.test("extractPrice() reads made pages as well as before, with their markup switched off", () => {
  const scored = MADE_PAGES.filter(({ kind }) => UNMARKED[kind] !== undefined)
    .map((page) => ({ ...score(withoutMarkup(page), "nothing"), facts: {} }));
  assertFloors("Made pages, markup switched off", scored, UNMARKED);
});

Deno.test("each kind has twelve made pages or more, each with its own name", () => {
  assertEquals(new Set(MADE_PAGES.map(({ name }) => name)).size, MADE_PAGES.length);
  for (const kind of KINDS) {
    assert(MADE_PAGES.filter((page) => page.kind === kind).length >= 12, kind);
  }
});
