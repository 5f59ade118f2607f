/**
 * A second half of made pages, of templates that the readers were not developed on. At their first
 * reading 113 of 120 were right and four vetoes wrong at ≥ 0.9; these four are mended since.
 */
import { MORE_MADE_PAGES } from "./made_pages/all_pages.ts";
import { assertFacts, assertFloors, type Floors, score } from "./made_pages/score_made_pages.ts";
import { withoutMarkup } from "./page_quality.ts";

const PRODUCT_KNOWN: Floors = {
  variants: [24, 0, 0],
  vetoes: [24, 0, 0],
  words: [24, 0, 0],
  bare: [22, 0, 0],
  former: [24, 0, 0],
};
const NOTHING_KNOWN: Floors = {
  variants: [24, 0, 0],
  vetoes: [24, 0, 0],
  words: [24, 0, 0],
  bare: [22, 0, 0],
  former: [24, 0, 0],
};
/** Kinds whose price is shown, and right without markup, too. */
const UNMARKED: Floors = { words: [24, 0, 0], former: [24, 0, 0] };

Deno.test("extractPrice() reads the second half at least as well as at first, our product known", () => {
  const scored = MORE_MADE_PAGES.map((page) => score(page, "product"));
  assertFloors("Second half, our product known", scored, PRODUCT_KNOWN);
  assertFacts(scored);
});

Deno.test("extractPrice() reads the second half at least as well as at first, nothing known", () => {
  const scored = MORE_MADE_PAGES.map((page) => score(page, "nothing"));
  assertFloors("Second half, nothing known", scored, NOTHING_KNOWN);
  assertFacts(scored);
});

Deno.test("extractPrice() reads the second half at least as well as at first, markup switched off", () => {
  const scored = MORE_MADE_PAGES.filter(({ kind }) => UNMARKED[kind] !== undefined)
    .map((page) => ({ ...score(withoutMarkup(page), "nothing"), facts: {} }));
  assertFloors("Second half, markup switched off", scored, UNMARKED);
});
