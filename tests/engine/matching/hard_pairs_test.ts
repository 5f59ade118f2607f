import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { judgeIdentity } from "../../../src/engine/matching/judge_identity.ts";
import {
  FURTHER_OPEN_PAIRS,
  FURTHER_UNREAD_PAIRS,
  type HardPairs,
  OPEN_PAIRS,
  UNREAD_PAIRS,
} from "./hard_pairs.ts";

/** The verdict with equal GTINs, and with equal part number and brand. */
function verdicts([ours, theirs]: readonly [string, string]): readonly string[] {
  const numbers = [{ gtin: "4006381333931", mpn: null }, { gtin: null, mpn: "06019F6000" }];
  return numbers.map(({ gtin, mpn }) =>
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
    ).verdict
  );
}

function taken(pairs: HardPairs["other"]): readonly string[] {
  return pairs.flatMap((pair) => verdicts(pair).includes("same") ? [pair.join(" | ")] : []);
}

for (
  const [name, pairs, most] of [
    ["open", OPEN_PAIRS, 12],
    ["unread", UNREAD_PAIRS, 11],
    ["further open", FURTHER_OPEN_PAIRS, 5],
    ["further unread", FURTHER_UNREAD_PAIRS, 5],
  ] as const
) {
  Deno.test(`hard pairs, ${name}: no different article is linked automatically`, () => {
    assertEquals(taken(pairs.other), []);
    const right = taken(pairs.same);
    assert(right.length >= most, `${right.length}: ${right.join("; ")}`);
  });
}
