/**
 * Reads the invented product pages (`tests/fixtures/pages/invented`) with and without our product.
 * Every page is read right, except those in `MISSED`. docs/decisions/scraping.md has the first
 * results.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { HIGH_CONFIDENCE } from "../../../src/base/codes.ts";
import { inventedPages, type Knowledge, pageSets, score, type Scored } from "./invented_pages.ts";
import { withoutMarkup } from "./page_quality.ts";

/** Lines of pages that are not read right. None of them has a price with high confidence. */
const MISSED: Readonly<Record<string, readonly number[]>> = {
  noisy: [14, 25],
  second_half: [87, 88],
  unread: [14],
  whole_eighth: [8],
  whole_fifteenth: [9],
  whole_fifth: [12, 21],
  whole_seventh: [28],
  whole_tenth: [15, 28],
  whole_thirty_first: [18],
  whole_thirty_second: [25],
  // The page shows only the total of four.
  whole_twenty_third: [11],
};
/** Pages that are only read right if our product is known. */
const MISSED_ALONE: typeof MISSED = {
  whole_fifteenth: [15],
  whole_sixteenth: [12],
  whole_tenth: [5],
  whole_twenty_first: [15],
  whole_twenty_seventh: [13],
};
/** Facts of all pages that are read wrong, such as the stock or the former price. */
const FACTS_MISSED = { product: 74, nothing: 75 } as const;

const scores = new Map<string, readonly Scored[]>();

/** Reads a set once. */
function scoredSet(set: string, knows: Knowledge): readonly Scored[] {
  return scores.getOrInsertComputed(
    `${set} ${knows}`,
    () => inventedPages(set).map((page) => score(page, knows)),
  );
}

for (const knows of ["product", "nothing"] as const) {
  for (const set of pageSets()) {
    Deno.test(`extractPrice() reads the invented pages: ${set}, known: ${knows}`, () => {
      const missed = scoredSet(set, knows).flatMap((one, n) =>
        one.verdict === "right" ? [] : [{ ...one, line: n + 1 }]
      );
      const alone = knows === "nothing" ? MISSED_ALONE[set] ?? [] : [];
      const expected = [...MISSED[set] ?? [], ...alone].toSorted((a, b) => a - b);
      const messages = missed.map(({ verdict, message }) => `${verdict} ${message}`).join("\n");
      assertEquals(missed.map(({ line }) => line), expected, messages);
      assert(missed.every(({ confidence }) => (confidence ?? 0) < HIGH_CONFIDENCE), messages);
    });
  }

  Deno.test(`extractPrice() reads the facts of the invented pages, known: ${knows}`, () => {
    const facts = pageSets().flatMap((set) =>
      scoredSet(set, knows).flatMap(({ facts }) => Object.values(facts))
    );
    assertEquals(facts.filter((isRight) => !isRight).length, FACTS_MISSED[knows]);
  });
}

Deno.test("extractPrice() reads invented pages with a shown price also without their markup", () => {
  const pages = ["made", "second_half"].flatMap(inventedPages)
    .filter(({ kind }) => kind === "words" || kind === "former").map(withoutMarkup);
  const missed = pages.map((page) => score(page, "nothing"))
    .filter(({ verdict }) => verdict !== "right");
  assertEquals(missed.map(({ message }) => message), []);
});
