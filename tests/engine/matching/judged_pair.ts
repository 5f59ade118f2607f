/** A labelled pair as a product of ours and a page that was found. */

import { judgeIdentity, type Judgement } from "../../../src/engine/matching/judge_identity.ts";
import type { Vocabulary } from "../../../src/engine/matching/word_lists.ts";
import type { LabelledPair } from "./labelled_pairs.ts";

export function judgePair({ a, b }: LabelledPair, vocabulary: Vocabulary): Judgement {
  const ours = {
    title: a.title,
    brand: a.brand ?? null,
    gtin: null,
    mpn: a.mpns?.[0] ?? null,
    condition: null,
    text: a.text ?? null,
    price: a.price ?? null,
  };
  const theirs = {
    title: b.title,
    brand: b.brand ?? null,
    gtins: [],
    mpns: b.mpns ?? [],
    skus: [],
    condition: null,
    isOtherVariant: false,
    text: b.text ?? null,
    price: b.price ?? null,
  };
  return judgeIdentity(ours, theirs, "candidate", vocabulary);
}
