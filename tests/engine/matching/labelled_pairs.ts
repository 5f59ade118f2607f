/**
 * Labelled pairs of product titles from the collection of sample files, if it exists, and scores of
 * the engine for these pairs.
 */

import {
  type Side,
  sideOf,
  type SideText,
  titleScore,
} from "../../../src/engine/matching/title_features.ts";
import { Vocabulary } from "../../../src/engine/matching/word_lists.ts";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Judgement } from "../../../src/engine/matching/judge_identity.ts";
import { judgePage } from "../../../src/scraping/suggestions/product_indexes.ts";

export const PAIRS_FILE = "matching/pairs.jsonl";

const PairSide = z.object({
  title: z.string(),
  brand: z.string().optional(),
  mpn: z.string().optional(),
  price: z.number().optional(),
});

const Pair = z.object({ a: PairSide, b: PairSide, same: z.boolean(), set: z.string() });

export interface LabelledPair {
  readonly a: SideText;
  readonly b: SideText;
  readonly isSame: boolean;
  readonly set: string;
}

export function readPairs(path: string): LabelledPair[] {
  return readFileSync(path, "utf8").split("\n").filter((line) => line !== "").map((line) => {
    const { a, b, same, set } = Pair.parse(JSON.parse(line));
    return { a: sideText(a), b: sideText(b), isSame: same, set };
  });
}

function sideText({ title, brand, mpn, price }: z.infer<typeof PairSide>): SideText {
  return {
    title: withoutLeftovers(title),
    brand: brand ?? null,
    mpns: mpn === undefined ? [] : [mpn],
    price: price ?? null,
  };
}

/** Removes leftovers of crawling: language tags and the word `Null`. */
function withoutLeftovers(text: string): string {
  return text.replace(/"@[a-z]{2}(?:-[a-z]{2})?/gi, " ").replace(/"?\bNull\b"?/g, " ")
    .replaceAll('"', " ");
}

interface PairSides {
  readonly ours: Side;
  readonly theirs: Side;
}

/** The facts of both titles of each pair. Words are weighted by all distinct titles. */
export function sidesOf(
  pairs: readonly LabelledPair[],
): { readonly sides: readonly PairSides[]; readonly vocabulary: Vocabulary } {
  const vocabulary = new Vocabulary();
  const counted = new Set<string>();
  const read = (text: SideText) => {
    const side = sideOf(text, vocabulary);
    if (!counted.has(text.title)) {
      counted.add(text.title);
      vocabulary.count(side.facts.words);
    }
    return side;
  };
  const sides = pairs.map(({ a, b }) => ({ ours: read(a), theirs: read(b) }));
  return { sides, vocabulary };
}

export function scoresOf(pairs: readonly LabelledPair[]): number[] {
  const { sides, vocabulary } = sidesOf(pairs);
  return sides.map(({ ours, theirs }) => titleScore(ours, theirs, vocabulary));
}

/** Precision and recall if pairs with a score of at least `bound` count as equal. */
export function qualityAt(
  bound: number,
  scores: readonly number[],
  pairs: readonly LabelledPair[],
) {
  let right = 0;
  let said = 0;
  let wanted = 0;
  for (const [at, { isSame }] of pairs.entries()) {
    const isSaid = (scores[at] ?? 0) >= bound;
    if (isSaid) said += 1;
    if (isSame) wanted += 1;
    if (isSaid && isSame) right += 1;
  }
  const [precision, recall] = [said === 0 ? 1 : right / said, wanted === 0 ? 1 : right / wanted];
  return { precision, recall, f1: right === 0 ? 0 : 2 * precision * recall / (precision + recall) };
}

/** Judges the two sides as the service judges one of our products and a page of a shop. */
export function judgePair({ a, b }: LabelledPair, vocabulary: Vocabulary): Judgement {
  const ours = {
    title: a.title,
    brand: a.brand ?? null,
    ean: null,
    mpn: a.mpns?.[0] ?? null,
    condition: null,
    ourPriceCents: a.price ?? null,
    currency: "EUR",
  };
  const { title, brand = null, mpns = [], price = null } = b;
  return judgePage(
    ours,
    { title, brand, mpn: mpns[0] ?? null, price, currency: "EUR" },
    vocabulary,
  );
}
