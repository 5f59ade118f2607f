/** Labelled pairs of product titles, and the scores that the matching engine gives them. */

import { sideOf, type SideText, titleScore } from "../../../src/engine/matching/title_likeness.ts";
import { Vocabulary } from "../../../src/engine/matching/word_lists.ts";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Judgement } from "../../../src/engine/matching/judge_identity.ts";
import { judgePage } from "../../../src/scraping/suggestions/product_indexes.ts";

export const PAIRS_FILE = "matching/pairs.jsonl";

const PairSide = z.object({
  title: z.string(),
  brand: z.string().nullable().default(null),
  mpn: z.string().nullable().default(null),
  price: z.number().nullable().default(null),
});

const Pair = z.object({ a: PairSide, b: PairSide, same: z.boolean(), set: z.string() })
  .transform(({ a, b, same, set }) => ({ a: sideText(a), b: sideText(b), isSame: same, set }));
export type LabelledPair = z.infer<typeof Pair>;

export function readPairs(path: string): LabelledPair[] {
  return readFileSync(path, "utf8").trim().split("\n").map((line) => Pair.parse(JSON.parse(line)));
}

function sideText({ title, brand, mpn, price }: z.infer<typeof PairSide>): SideText {
  return { title: withoutLeftovers(title), brand, mpns: mpn === null ? [] : [mpn], price };
}

/** Removes language tags and the word `Null`, which the collected titles wrongly contain. */
function withoutLeftovers(text: string): string {
  return text.replace(/"@[a-z]{2}(?:-[a-z]{2})?/gi, " ").replace(/"?\bNull\b"?/g, " ")
    .replaceAll('"', " ");
}

export function sidesOf(pairs: readonly LabelledPair[]) {
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
  const said = pairs.filter((_, at) => (scores[at] ?? 0) >= bound);
  const wanted = pairs.filter(({ isSame }) => isSame);
  const right = said.filter(({ isSame }) => isSame).length;
  const shareOf = ({ length }: readonly unknown[]) => length === 0 ? 1 : right / length;
  const f1 = 2 * right / Math.max(1, said.length + wanted.length);
  return { precision: shareOf(said), recall: shareOf(wanted), f1 };
}

/** Judges `a` as our product and `b` as a shop's page. */
export function judgePair({ a, b }: LabelledPair, vocabulary: Vocabulary): Judgement {
  const pageOf = ({ title, brand, mpns, price }: LabelledPair["a"]) => ({
    title,
    brand: brand ?? null,
    mpn: mpns?.[0] ?? null,
    price: price ?? null,
    currency: "EUR",
  });
  const { price: ourPriceCents, ...ours } = pageOf(a);
  return judgePage({ ...ours, ean: null, condition: null, ourPriceCents }, pageOf(b), vocabulary);
}
