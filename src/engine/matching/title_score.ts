import { MATCH_BASE, MATCH_WEIGHTS } from "./match_weights.ts";
import { FEATURES, readFeatures, type Side } from "./title_features.ts";
import type { Vocabulary } from "./word_lists.ts";

const weights = Float64Array.from(FEATURES, ([feature]) => MATCH_WEIGHTS[feature]);
const features = new Float64Array(FEATURES.length);

export function titleScore(ours: Side, theirs: Side, vocabulary: Vocabulary): number {
  readFeatures(ours, theirs, vocabulary, features);
  let logit = MATCH_BASE;
  for (let at = 0; at < weights.length; at += 1) logit += (weights[at] ?? 0) * (features[at] ?? 0);
  return 1 / (1 + Math.exp(-logit));
}
