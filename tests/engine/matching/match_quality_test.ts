import { PROBABLE_SCORE } from "../../../src/engine/matching/judge_identity.ts";
import { titleScore } from "../../../src/engine/matching/title_features.ts";
import { SUGGESTED_SCORE } from "../../../src/engine/matching/title_index.ts";
import { testNeeding } from "../../needing.ts";
import { COLLECTION, missingInCollection } from "../../sample_data.ts";
import { judgePair } from "./judged_pair.ts";
import { PAIRS_FILE, qualityAt, readPairs, scoresOf, sidesOf } from "./labelled_pairs.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const needed = missingInCollection(PAIRS_FILE);
const pairs = needed === null ? readPairs(COLLECTION.path(PAIRS_FILE)) : [];

testNeeding(needed, {
  name: "labelled pairs: most pairs with a probable title are right",
  fn() {
    const scores = scoresOf(pairs);
    for (const bound of [PROBABLE_SCORE, 0.31]) {
      const { f1, precision } = qualityAt(bound, scores, pairs);
      ok(f1 >= 0.84 && precision >= 0.88, `at ${bound}: F1 ${f1} P ${precision}`);
    }
  },
});

testNeeding(needed, {
  name: "labelled pairs: suggestions by title have high recall and acceptable precision",
  fn() {
    const { precision, recall } = qualityAt(SUGGESTED_SCORE, scoresOf(pairs), pairs);
    ok(precision >= 0.79 && recall >= 0.88, `P ${precision} R ${recall}`);
  },
});

testNeeding(needed, {
  name: "labelled pairs: the verdicts probable and same reach an F1 score of 0.788",
  fn() {
    const { vocabulary } = sidesOf(pairs);
    const verdicts = pairs.map((pair) => judgePair(pair, vocabulary).verdict);
    const scores = verdicts.map((verdict) => Number(verdict === "same" || verdict === "probably"));
    const { f1, precision } = qualityAt(1, scores, pairs);
    ok(f1 >= 0.788 && precision >= 0.89, `F1 ${f1} P ${precision}`);
  },
});

testNeeding(needed, {
  name: "labelled pairs: no automatic link is wrong",
  fn() {
    const { vocabulary } = sidesOf(pairs);
    const automatic = pairs.filter((pair) => judgePair(pair, vocabulary).verdict === "same");
    assertEquals(automatic.filter(({ isSame }) => !isSame), []);
    ok(automatic.length >= 73, `${automatic.length} are linked`);
  },
});

testNeeding(needed, {
  name: "labelled pairs: the score is symmetric in the two titles",
  fn() {
    const { sides, vocabulary } = sidesOf(pairs);
    const apart = pairs.filter((_, at) => {
      const { ours, theirs } = sides[at]!;
      const [score, other] = [
        titleScore(ours, theirs, vocabulary),
        titleScore(theirs, ours, vocabulary),
      ];
      return Math.abs(score - other) > 1e-9;
    });
    assertEquals(apart.map(({ a, b }) => [a.title, b.title]), []);
  },
});
