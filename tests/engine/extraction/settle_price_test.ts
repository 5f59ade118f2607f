import { ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { type MarkedPrice, settlePrice } from "../../../src/engine/extraction/settle_price.ts";
import type {
  Feature,
  ScoredPrice,
  ShownReading,
} from "../../../src/engine/extraction/shown/scored_price.ts";
import { type Grouped, testEach } from "../grouped.ts";

const ELEMENT = { name: "b", attribs: {}, children: [], parent: null };

function shownPrice(decimal: string, score: number, ...features: Feature[]): ScoredPrice {
  return {
    element: ELEMENT,
    whole: ELEMENT,
    at: 0,
    decimal,
    codes: ["EUR"],
    text: decimal,
    before: "",
    after: "",
    beside: "",
    isMarked: false,
    isAlone: true,
    score,
    features,
  };
}

const OWN: MarkedPrice = {
  decimal: "20",
  currency: "EUR",
  confidence: 0.9,
  isSure: true,
  isUndecided: false,
  isNet: false,
  isLowest: false,
};
const SAME = "20.";
const OTHER = "15.";

/** Outcomes that no test of a page has. */
const CASES: Grouped<readonly [MarkedPrice, ShownReading]> = {
  "none ambiguous_price": {
    "a choice that is not sure and not shown": [
      { ...OWN, confidence: 0.7, isSure: false },
      { isSure: false, prices: [shownPrice(OTHER, 3)] },
    ],
  },
  "marked 0.7": {
    "one of several offers, none shown": [
      { ...OWN, isUndecided: true },
      { isSure: false, prices: [shownPrice(OTHER, 2)] },
    ],
  },
  "marked 0.6": {
    "shown net markup": [{ ...OWN, isNet: true }, { isSure: true, prices: [shownPrice(SAME, 6)] }],
  },
};

testEach("settlePrice()", CASES, ([own, shown]) => {
  const settled = settlePrice(own, shown, new Set([SAME]));
  return `${settled.taken} ${settled.taken === "none" ? settled.reason : settled.confidence}`;
});

const FEATURES: readonly Feature[] = ["struck", "tile", "net", "script", "again", "region", "old"];
const anyPrice = fc.tuple(
  fc.constantFrom("20.", "15.", "9.99"),
  fc.double({ min: -8, max: 12, noNaN: true }),
  fc.uniqueArray(fc.constantFrom(...FEATURES), { maxLength: 3 }),
).map(([decimal, score, features]) => shownPrice(decimal, score, ...features));

Deno.test("settlePrice() is never surer of markup if another price is shown", () => {
  fc.assert(fc.property(
    fc.array(anyPrice, { maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom(0.5, 0.6, 0.7, 0.9, 1),
    (prices, isClear, isUndecided, isSure, confidence) => {
      const ranked = prices.toSorted((a, b) => b.score - a.score);
      const own = { ...OWN, confidence, isUndecided, isSure };
      const settled = settlePrice(own, { prices: ranked, isSure: isClear }, new Set([SAME]));
      const best = ranked[0];
      if (settled.taken === "none") assert(!isSure);
      else if (settled.taken === "shown") {
        assert(settled.confidence <= 0.8 && settled.price === best && best?.decimal !== SAME);
      } else if (best && best.decimal !== SAME) {
        assert(settled.confidence <= confidence);
        if (isClear) assert(settled.confidence <= 0.6);
      }
    },
  ));
});
