/**
 * Markup and shown text beside each other: which of them is the price, and how sure that is
 * (docs/decisions/scraping.md). Plain rules over what both have said.
 */
import { isSameAmount, writtenAmount } from "./amount.ts";
import { has, type ScoredPrice, type ShownReading } from "./shown/score_prices.ts";
import { CONTRADICTED, DOUBTFUL, type Settled } from "./shown/settled.ts";
import { HIGH_CONFIDENCE } from "../../base/confidence.ts";

/** What the markup says, as far as it takes part. */
export interface MarkedPrice {
  readonly decimal: string;
  readonly currency: string;
  /** What the methods of the markup alone would have given it. */
  readonly confidence: number;
  /** False where only a place or a guess speaks for this price among those of its method. */
  readonly isChoiceSure: boolean;
  /** Several offers, of which nothing says which one is meant. */
  readonly isUndecided: boolean;
  /** Without tax, as the markup says. */
  readonly isNet: boolean;
}

/** A shown price of fewer points may be anybody's. */
const WELL_SHOWN = 2.5;
const MARKED_SCORE = 3;
const STRONG_SCORE = 5.5;
const AGREED = 1;
const SUPPORTED = 0.9;
const SHOWN_ALONE = 0.8;

/**
 * Settles between the price of the markup and the best shown one. `marked` has the plain decimals of
 * every price that the markup names, chosen or not.
 */
export function settlePrice(
  own: MarkedPrice | null,
  shown: ShownReading,
  marked: ReadonlySet<string>,
): Settled {
  const [best] = shown.prices;
  if (own === null) return settleShown(best, shown.isSure);
  const settled = settleMarked(own, best, shown, marked);
  if (settled.taken !== "marked" || !own.isNet) return settled;
  return {
    ...settled,
    confidence: Math.min(settled.confidence, CONTRADICTED),
    why: `${settled.why}, it is without tax`,
  };
}

function settleShown(best: ScoredPrice | undefined, isSure: boolean): Settled {
  if (!best) return { taken: "none", reason: "no_price", why: "no price is shown" };
  if (isSure) {
    const isSupported = has(best, "attribute", "script");
    return {
      taken: "shown",
      price: best,
      confidence: isSupported ? SUPPORTED : SHOWN_ALONE,
      why: isSupported ? "shown clearly, scripts or attributes agree" : "shown clearly",
    };
  }
  return best.score >= WELL_SHOWN
    ? { taken: "none", reason: "ambiguous_price", why: "several prices are shown as well" }
    : { taken: "none", reason: "no_price", why: "no price is shown where the product is" };
}

function settleMarked(
  own: MarkedPrice,
  best: ScoredPrice | undefined,
  { prices, isSure }: ShownReading,
  marked: ReadonlySet<string>,
): Settled {
  const keep = (most: number, why: string): Settled => ({
    taken: "marked",
    confidence: Math.min(own.confidence, most),
    why,
  });
  if (!best) return keep(AGREED, "nothing is shown");
  const amount = writtenAmount(own);
  const places = prices.filter((price) => isSameAmount(price, amount));
  const isWellShown = places.some(({ score }) => score >= WELL_SHOWN);
  if (isSameAmount(best, amount)) {
    if (own.confidence >= HIGH_CONFIDENCE) {
      return { taken: "marked", confidence: AGREED, why: "it is shown" };
    }
    if (!isSure) return { taken: "marked", confidence: DOUBTFUL, why: "it is shown among others" };
    const confidence = own.isUndecided ? SHOWN_ALONE : SUPPORTED;
    return { taken: "marked", confidence, why: "it is shown clearly" };
  }
  const take = (confidence: number, why: string): Settled => ({
    taken: "shown",
    price: best,
    confidence,
    why,
  });
  const isMarked = marked.has(best.decimal);
  if (isMarked && best.score >= MARKED_SCORE && (isSure || !isWellShown)) {
    return take(SHOWN_ALONE, "shown better than another price of the markup");
  }
  const isNet = own.isNet || places.some((price) => has(price, "net"));
  if (isSure && isNet) return take(SHOWN_ALONE, "the markup is without tax");
  const isFormer = places.length > 0 &&
    places.every((price) => has(price, "struck", "old", "tile", "region"));
  if (isSure && best.score >= STRONG_SCORE && (isFormer || own.confidence < HIGH_CONFIDENCE)) {
    return take(DOUBTFUL, "the markup is of before, or of another one");
  }
  if (isSure) return keep(CONTRADICTED, "another price is shown clearly");
  if (!own.isChoiceSure && !isWellShown) {
    return { taken: "none", reason: "ambiguous_price", why: "the markup is not sure, nor shown" };
  }
  if (own.isUndecided) return keep(DOUBTFUL, "one of several offers");
  if (places.length === 0 && best.score >= WELL_SHOWN) {
    return keep(DOUBTFUL, "another price is shown");
  }
  return keep(AGREED, places.length > 0 ? "it is shown, too" : "it is not shown");
}
