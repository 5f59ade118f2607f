/**
 * Reads the invented product pages (`tests/fixtures/pages/invented`) with and without our product.
 * Floors fail on any regression; raise the floors after an improvement. `INVENTED_PAGES=all` prints
 * each page that is not read right. docs/decisions/scraping.md has the first results.
 */
import {} from "node:assert/strict";
import {
  assertFacts,
  assertFloors,
  type Floors,
  inventedPages,
  KINDS,
  score,
} from "./invented_pages.ts";
import { withoutMarkup } from "./page_quality.ts";

interface PageSet {
  readonly name: string;
  /** Floors for reading with our product, and for reading without it. */
  readonly floors: Floors;
  /** Floors for pages without their markup, for kinds whose price is shown. */
  readonly unmarked?: Floors;
  /** The number of allowed misses for a set whose facts are read worse than `FACT_SHARE_MIN`. */
  readonly missesMax?: number;
}

/** The readers were developed on the first set. The other floors are the counts after later fixes. */
const SETS: readonly PageSet[] = [
  {
    name: "made",
    floors: floorsOf(18, 18, 18, 18, 16),
    unmarked: { words: [18, 0, 0], former: [16, 0, 0] },
  },
  {
    name: "second_half",
    floors: floorsOf(24, 24, 24, 22, 24),
    unmarked: { words: [24, 0, 0], former: [24, 0, 0] },
  },
  { name: "unread", floors: floorsOf(15, 18, 16, 15, 15) },
  { name: "last", floors: floorsOf(5, 5, 5, 5, 4) },
  { name: "early", floors: floorsOf(3, 3, 3, 4, 2) },
  // The counts of the first run, before any later fix.
  { name: "late", floors: floorsOf(3, 3, 3, 4, 2) },
  // Pages with many other amounts.
  { name: "noisy", floors: floorsOf(5, 10, 4, 3, 3) },
  // Whole pages with menus, scripts and footers, written by a person who did not know the readers.
  { name: "whole_early", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_late", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_last", floors: floorsOf(0, 0, 0, 30, 0) },
  { name: "whole_third", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_fourth", floors: floorsOf(0, 0, 0, 26, 0) },
  { name: "whole_fifth", floors: floorsOf(0, 0, 0, 26, 0) },
  { name: "whole_sixth", floors: floorsOf(0, 0, 0, 28, 0) },
  { name: "whole_seventh", floors: floorsOf(0, 0, 0, 27, 0), missesMax: 2 },
  { name: "whole_eighth", floors: floorsOf(0, 0, 0, 25, 0), missesMax: 6 },
  { name: "whole_ninth", floors: floorsOf(0, 0, 0, 26, 0), missesMax: 4 },
  { name: "whole_tenth", floors: floorsOf(0, 0, 0, 25, 0), missesMax: 10 },
  { name: "whole_eleventh", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 4 },
  { name: "whole_twelfth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 6 },
  { name: "whole_thirteenth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 5 },
  { name: "whole_fourteenth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_fifteenth", floors: { bare: [26, 1, 0] }, missesMax: 9 },
  { name: "whole_sixteenth", floors: { bare: [26, 2, 0] }, missesMax: 5 },
  { name: "whole_seventeenth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 3 },
  { name: "whole_eighteenth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_nineteenth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 1 },
  { name: "whole_twentieth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 3 },
  { name: "whole_twenty_first", floors: { bare: [27, 1, 0] }, missesMax: 5 },
  { name: "whole_twenty_second", floors: { bare: [27, 1, 0] }, missesMax: 4 },
  // One page shows only the total of four.
  { name: "whole_twenty_third", floors: floorsOf(0, 0, 0, 27, 0), missesMax: 4 },
  { name: "whole_twenty_fourth", floors: floorsOf(0, 0, 0, 16, 0) },
  { name: "whole_twenty_fifth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_twenty_sixth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_twenty_seventh", floors: { bare: [27, 1, 0] }, missesMax: 4 },
  { name: "whole_twenty_eighth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 4 },
  { name: "whole_twenty_ninth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_thirtieth", floors: floorsOf(0, 0, 0, 28, 0), missesMax: 2 },
  { name: "whole_thirty_first", floors: floorsOf(0, 0, 0, 27, 0), missesMax: 6 },
  { name: "whole_thirty_second", floors: floorsOf(0, 0, 0, 27, 0), missesMax: 3 },
];

/** Floors with these counts of right prices by kind, and without wrong prices. */
function floorsOf(...right: readonly number[]): Floors {
  return Object.fromEntries(KINDS.map((kind, at) => [kind, [right[at] ?? 0, 0, 0]]));
}

for (const { name, floors, unmarked, missesMax = null } of SETS) {
  const pages = inventedPages(name);
  for (const knows of ["product", "nothing"] as const) {
    Deno.test(`extractPrice() stays above the floors of invented pages: ${name}, known: ${knows}`, () => {
      const scored = pages.map((page) => score(page, knows));
      assertFloors(scored, floors);
      if (unmarked || name.startsWith("whole")) assertFacts(scored, missesMax);
    });
  }
  if (unmarked) {
    Deno.test(`extractPrice() stays above the floors of invented pages: ${name}, without markup`, () => {
      const scored = pages.filter(({ kind }) => unmarked[kind] !== undefined)
        .map((page) => ({ ...score(withoutMarkup(page), "nothing"), facts: {} }));
      assertFloors(scored, unmarked);
    });
  }
}
