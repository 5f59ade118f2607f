/**
 * Invented product pages (`tests/fixtures/pages/invented`), read with our product and without it. Floors,
 * so that a change which reads worse is seen; raise them when more is read. `INVENTED_PAGES=all` prints
 * each page that is not read right. docs/decisions/scraping.md has the first reading of each set.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
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
  /** Of both readings. */
  readonly floors: Floors;
  /** Kinds whose price is shown, and right without markup, too. */
  readonly unmarked?: Floors;
  /** Of a set whose facts were not read as well as those of the others. */
  readonly missesMax?: number;
}

/** The readers were developed on the first set; of the others they are read as well as when mended. */
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
  // As read once, with nothing mended after it.
  { name: "late", floors: floorsOf(3, 3, 3, 4, 2) },
  // Full of other amounts.
  { name: "noisy", floors: floorsOf(5, 10, 4, 3, 3) },
  // With menus, scripts and footers, by somebody who had not seen the readers.
  { name: "whole_early", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_late", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_last", floors: floorsOf(0, 0, 0, 30, 0) },
  { name: "whole_third", floors: floorsOf(0, 0, 0, 24, 0) },
  { name: "whole_fourth", floors: floorsOf(0, 0, 0, 26, 0) },
  { name: "whole_fifth", floors: floorsOf(0, 0, 0, 26, 0) },
  { name: "whole_sixth", floors: floorsOf(0, 0, 0, 28, 0) },
  { name: "whole_seventh", floors: floorsOf(0, 0, 0, 27, 0), missesMax: 2 },
  { name: "whole_eighth", floors: floorsOf(0, 0, 0, 25, 0), missesMax: 6 },
];

/** So many right prices of each kind, and no wrong one. */
function floorsOf(...right: readonly number[]): Floors {
  return Object.fromEntries(KINDS.map((kind, at) => [kind, [right[at] ?? 0, 0, 0]]));
}

for (const { name, floors, unmarked, missesMax = null } of SETS) {
  const pages = inventedPages(name);
  for (const knows of ["product", "nothing"] as const) {
    Deno.test(`extractPrice() reads invented pages as well as before: ${name}, known: ${knows}`, () => {
      const scored = pages.map((page) => score(page, knows));
      assertFloors(`${name}, known: ${knows}`, scored, floors);
      if (unmarked || name.startsWith("whole")) assertFacts(scored, missesMax);
    });
  }
  if (unmarked) {
    Deno.test(`extractPrice() reads invented pages as well as before: ${name}, without markup`, () => {
      const scored = pages.filter(({ kind }) => unmarked[kind] !== undefined)
        .map((page) => ({ ...score(withoutMarkup(page), "nothing"), facts: {} }));
      assertFloors(`${name}, without markup`, scored, unmarked);
    });
  }
}

Deno.test("each kind has twelve made and twelve unread pages or more, each with its own name or shop", () => {
  const made = inventedPages("made");
  const unread = inventedPages("unread");
  assertEquals(new Set(made.map(({ name }) => name)).size, made.length);
  assertEquals(new Set(unread.map(({ url }) => new URL(url).hostname)).size, unread.length);
  for (const pages of [made, unread]) {
    for (const kind of KINDS) {
      assert(pages.filter((page) => page.kind === kind).length >= 12, kind);
    }
  }
});
