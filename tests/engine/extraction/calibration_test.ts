/**
 * Counts on all labelled pages how often a price of each confidence is right: saved shop pages with and
 * without markup, German pages, and invented pages with our product. To update the table:
 * UPDATE_DOCS=1 deno test -A --no-check tests/engine/extraction/calibration_test.ts
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { env } from "node:process";
import { bandOf, CALIBRATION } from "../../../src/engine/extraction/calibration.ts";
import { testNeeding } from "../../needing.ts";
import { COLLECTION, missingInCollection } from "../../sample_data.ts";
import { inventedPages, score } from "./invented_pages.ts";
import { germanPages, judged, LABELLED_PAGES, realPages, withoutMarkup } from "./page_quality.ts";

const TABLE = new URL("../../../src/engine/extraction/calibration.ts", import.meta.url);
const ROWS = /^ {2}\{ from: .*\},\n/gm;

interface Reading {
  readonly confidence: number | null;
  readonly isRight: boolean;
}

function readings(): readonly Reading[] {
  const real = realPages(COLLECTION);
  const labelled = [...real, ...real.map(withoutMarkup), ...germanPages(COLLECTION)].map(judged);
  return [
    ...labelled.map(({ confidence, verdict }) => ({ confidence, isRight: verdict !== "wrong" })),
    ...["made", "second_half"].flatMap(inventedPages).map((page) => score(page, "product")),
  ];
}

testNeeding(missingInCollection(LABELLED_PAGES), {
  name: "the calibration table has the counts of all labelled pages",
  async fn() {
    const read = readings();
    const counted = CALIBRATION.map(({ from }, at) => {
      const below = CALIBRATION[at - 1]?.from ?? Infinity;
      const own = read.filter(({ confidence }) =>
        confidence !== null && confidence >= from && confidence < below
      );
      return { from, right: own.filter(({ isRight }) => isRight).length, of: own.length };
    });
    if (env.UPDATE_DOCS) {
      const text = await Deno.readTextFile(TABLE);
      const rows = counted.map(({ from, right, of }) =>
        `  { from: ${from}, right: ${right}, of: ${of} },\n`
      );
      const lines = [...text.matchAll(ROWS)].map(([line]) => line);
      return await Deno.writeTextFile(TABLE, text.replace(lines.join(""), rows.join("")));
    }
    assertEquals(counted, CALIBRATION, "see the head of this file");
  },
});

Deno.test("bandOf() finds the band of every confidence by its lower bound", () => {
  assert(CALIBRATION.every(({ right, of }) => right <= of));
  const bounds = [1, 0.99, 0.9, 0.85, 0.7, 0.2].map((one) => bandOf(one)?.from);
  assertEquals(bounds, [1, 0.9, 0.9, 0.8, 0.7, 0]);
});
