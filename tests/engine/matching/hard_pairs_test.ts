/**
 * German pairs of titles with equal part numbers and GTINs on both sides. More than half of them
 * are different articles, because shops give sets, spare parts and used pieces the numbers of the
 * main article.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { judgeIdentity } from "../../../src/engine/matching/judge_identity.ts";

const Pair = z.object({
  set: z.string(),
  isSame: z.boolean(),
  ours: z.string(),
  theirs: z.string(),
});
type Pair = z.infer<typeof Pair>;

const FILE = new URL("../../fixtures/matching/hard_pairs.jsonl", import.meta.url);
const PAIRS = readFileSync(FILE, "utf8").trim().split("\n")
  .map((line) => Pair.parse(JSON.parse(line)));

/** The number of equal articles that are linked automatically, by set. */
const LINKED = {
  "open": 12,
  "unread": 11,
  "further open": 5,
  "further unread": 5,
  "third": 14,
  "fourth": 17,
  "fifth": 16,
  "sixth": 15,
};
/**
 * Different articles that are linked, because the titles differ only in words for the product line.
 */
const MISSED = [
  "Artemide Tolomeo Tavolo Tischleuchte alu",
  "Josera Kids Hund Junior Trocken 12,5kg",
];

/** True if equal GTINs, or an equal part number and brand, link the two articles. */
function isLinked({ ours, theirs }: Pair): boolean {
  const numbers = [{ gtin: "4006381333931", mpn: null }, { gtin: null, mpn: "06019F6000" }];
  return numbers.some(({ gtin, mpn }) =>
    judgeIdentity(
      { title: ours, brand: "Marke", gtin, mpn, condition: null },
      {
        title: theirs,
        brand: "Marke",
        gtins: gtin === null ? [] : [gtin],
        mpns: mpn === null ? [] : [mpn],
        skus: [],
        condition: null,
        isOtherVariant: false,
      },
      "candidate",
    ).verdict === "same"
  );
}

for (const [set, linked] of Object.entries(LINKED)) {
  Deno.test(`hard pairs, ${set}: different articles are not linked, most equal ones are`, () => {
    const found = PAIRS.filter((pair) => pair.set === set && isLinked(pair));
    const wrong = found.filter(({ isSame }) => !isSame).map(({ ours }) => ours);
    assertEquals(wrong.filter((title) => !MISSED.includes(title)), []);
    assertEquals(found.length - wrong.length, linked);
  });
}
