/**
 * Reads the invented product pages (`tests/fixtures/pages/invented`), both with and without knowing
 * our product. Every page must be read right, except those in `MISSED` and, if our product is
 * unknown, those in `MISSED_ALONE`.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { extent, IS_LONG } from "../../proof.ts";
import { HIGH_CONFIDENCE } from "../../../src/base/codes.ts";
import {
  type InventedPage,
  inventedPages,
  type Knowledge,
  pageSets,
  score,
  type Scored,
  withoutMarkup,
} from "./page_quality.ts";

/** Line numbers of pages that `extractPrice()` is known to misread, by set. */
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
  // The page shows only the total price of four tyres.
  whole_twenty_third: [11],
};
/** Pages whose price is read right only if our product is known. */
const MISSED_ALONE: typeof MISSED = {
  whole_fifteenth: [15],
  whole_sixteenth: [12],
  whole_tenth: [5],
  whole_twenty_first: [15],
  whole_twenty_seventh: [13],
};
/** Number of facts, such as stock or former price, that are read wrong on all pages together. */
const FACTS_MISSED = { product: extent(74, 43), nothing: extent(75, 32) } as const;

/** Short test runs read most pages either with or without our product, not both ways. */
function isRead(page: InventedPage, at: number, knows: Knowledge): boolean {
  return IS_LONG || page.alone !== undefined || (at % 2 === 0) === (knows === "product");
}

interface ScoredLine extends Scored {
  readonly line: number;
}

const scoredLines = (set: string, knows: Knowledge): readonly ScoredLine[] =>
  inventedPages(set).flatMap((page, at) =>
    isRead(page, at, knows) ? [{ ...score(page, knows), line: at + 1 }] : []
  );

for (const knows of ["product", "nothing"] as const) {
  let factsMissed = 0;
  for (const set of pageSets()) {
    Deno.test(`extractPrice() reads the invented pages: ${set}, known: ${knows}`, () => {
      const read = scoredLines(set, knows);
      const missed = read.filter(({ verdict }) => verdict !== "right");
      const alone = knows === "nothing" ? MISSED_ALONE[set] ?? [] : [];
      const lines = new Set([...MISSED[set] ?? [], ...alone]);
      const expected = read.map(({ line }) => line).filter((line) => lines.has(line));
      const messages = missed.map(({ verdict, message }) => `${verdict} ${message}`).join("\n");
      assertEquals(missed.map(({ line }) => line), expected, messages);
      assert(missed.every(({ confidence }) => (confidence ?? 0) < HIGH_CONFIDENCE), messages);
      const facts = read.flatMap((one) => Object.values(one.facts));
      factsMissed += facts.filter((isRight) => !isRight).length;
    });
  }

  Deno.test(`extractPrice() reads the facts of the invented pages, known: ${knows}`, () => {
    assertEquals(factsMissed, FACTS_MISSED[knows]);
  });
}

Deno.test("extractPrice() reads invented pages with a shown price also without their markup", () => {
  const pages = ["made", "second_half"].flatMap(inventedPages)
    .filter(({ kind }) => kind === "words" || kind === "former").map(withoutMarkup);
  const missed = pages.map((page) => score(page, "nothing"))
    .filter(({ verdict }) => verdict !== "right");
  assertEquals(missed.map(({ message }) => message), []);
});
