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

function showing(isSure: boolean, ...prices: readonly ScoredPrice[]): ShownReading {
  return { prices, isSure };
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
const DOUBTED = { ...OWN, confidence: 0.7 };
const SAME = "20.";
const OTHER = "15.";

const CASES: Grouped<readonly [MarkedPrice | null, ShownReading, marked?: string]> = {
  "none no_price": {
    "nothing at all": [null, showing(false)],
    "shown prices in tiles only": [null, showing(false, shownPrice(OTHER, 1, "tile"))],
  },
  "shown 15. 0.8": {
    "a shown price alone": [null, showing(true, shownPrice(OTHER, 6))],
    "another price of the markup, shown clearly": [
      OWN,
      showing(true, shownPrice(OTHER, 6), shownPrice(SAME, 4)),
      OTHER,
    ],
  },
  "shown 15. 0.9": {
    "a shown price that is also in a script": [
      null,
      showing(true, shownPrice(OTHER, 6, "script")),
    ],
  },
  "none ambiguous_price": {
    "several shown prices": [null, showing(false, shownPrice(OTHER, 6), shownPrice(SAME, 6))],
    "a choice that is not sure and not shown": [
      { ...DOUBTED, isSure: false },
      showing(false, shownPrice(OTHER, 3)),
    ],
  },
  "marked 0.9": {
    "markup on a page that shows no price": [OWN, showing(false)],
    "doubtful markup that is shown clearly": [DOUBTED, showing(true, shownPrice(SAME, 6))],
    "another price of the markup that is not clearly shown": [
      OWN,
      showing(false, shownPrice(OTHER, 4), shownPrice(SAME, 4)),
      OTHER,
    ],
  },
  "marked 1": { "markup that is shown": [OWN, showing(false, shownPrice(SAME, 3))] },
  "marked 0.7": {
    "doubtful markup that is shown": [DOUBTED, showing(false, shownPrice(SAME, 3))],
    "one of several offers, none shown": [
      { ...OWN, isUndecided: true },
      showing(false, shownPrice(OTHER, 2)),
    ],
    "markup that is not shown, while another price is": [
      OWN,
      showing(false, shownPrice(OTHER, 3)),
    ],
  },
  "marked 0.8": {
    "one of several offers that is shown clearly": [
      { ...DOUBTED, isUndecided: true },
      showing(true, shownPrice(SAME, 6)),
    ],
  },
  "shown 23.8 0.8": {
    "the price with tax next to the one without": [
      OWN,
      showing(true, shownPrice("23.8", 6), shownPrice(SAME, 2, "net")),
    ],
  },
  "shown 15. 0.7": {
    "outdated markup, struck next to the new price": [
      OWN,
      showing(true, shownPrice(OTHER, 6), shownPrice(SAME, -2, "struck")),
    ],
  },
  "marked 0.6": {
    "a clear price next to sound markup": [
      OWN,
      showing(true, shownPrice(OTHER, 6), shownPrice(SAME, 4)),
    ],
    "net markup alone": [{ ...OWN, isNet: true }, showing(false)],
    "net markup that is shown": [{ ...OWN, isNet: true }, showing(true, shownPrice(SAME, 6))],
  },
};

testEach("settlePrice()", CASES, ([own, shown, other]) => {
  const settled = settlePrice(own, shown, new Set(other ? [SAME, other] : own && [SAME]));
  const found = settled.taken === "none"
    ? `none ${settled.reason}`
    : settled.taken === "shown"
    ? `shown ${settled.price.decimal} ${settled.confidence}`
    : `marked ${settled.confidence}`;
  return found;
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
