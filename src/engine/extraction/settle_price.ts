/**
 * Chooses the price of a page and its confidence (docs/decisions/scraping.md). Prices that several
 * methods read from the markup are first compared with each other, then with the shown text.
 */

import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { compareDecimals, isSameAmount, type WrittenAmount, writtenAmount } from "./amount.ts";
import { textOf } from "./page/html_element.ts";
import { CONTRADICTED, DOUBTFUL } from "./page_status.ts";
import { noSaleOf } from "./price_vetoes.ts";
import { agree, type Reading } from "./reading.ts";
import {
  CONDITIONAL,
  type Feature,
  has,
  isOut,
  ranked,
  type ScoredPrice,
  type ShownReading,
  WELL_SHOWN,
  withoutFeature,
} from "./shown/scored_price.ts";

export type Settled =
  | { readonly taken: "marked"; readonly confidence: number; readonly why: string }
  | {
    readonly taken: "shown";
    readonly method?: "recipe" | "taught";
    readonly price: WrittenAmount;
    readonly confidence: number;
    readonly why: string;
  }
  | {
    readonly taken: "none";
    readonly reason: "no_price" | "ambiguous_price";
    readonly why: string;
  };

export function agreementOf(first: Reading, others: readonly Reading[], doubts: readonly string[]) {
  const supports = others.filter((other) => agree(first, other));
  const against = others.filter((other) => !agree(first, other));
  const own = (first.isSure && !first.isUndecided) || supports.length > 0
    ? []
    : ["the choice within the method is not sure"];
  const reasons = [
    ...supports.map(({ method }) => `${method} agrees`),
    ...against.map(({ method }) => `${method} disagrees`),
    ...own,
    ...doubts,
  ];
  const doubtful = own.length + doubts.length > 0 ? 0.7 : 1;
  return {
    confidence: Math.min(confidenceOf(supports, against), doubtful),
    why: reasons.join(", ") || "the only method",
  };
}

function confidenceOf(supports: readonly Reading[], against: readonly Reading[]): number {
  const [rival] = against;
  if (rival === undefined) return supports.length > 0 ? 1 : 0.9;
  if (supports.length > 0) return 0.7;
  return against.length > 1 && against.every((other) => agree(rival, other)) ? 0.5 : 0.6;
}

export interface MarkedPrice
  extends Pick<Reading, "decimal" | "isSure" | "isUndecided" | "isNet" | "isLowest"> {
  readonly currency: string;
  readonly confidence: number;
  /** If a variant was chosen: the prices of all variants, as `plainDecimal` returns them. */
  readonly others?: ReadonlySet<string> | undefined;
}

const MARKED_SCORE = 3;
const STRONG_SCORE = 5.5;
const AHEAD = 1.5;
const FAR_AHEAD = 3;
/** Amounts of at most a fifth of the price are ignored, because they may be for accessories. */
const ACCESSORY_FACTOR = 5;
const AGREED = 1;
const SUPPORTED = 0.9;
const SHOWN_ALONE = 0.8;

/** `marked`: the prices of all methods and all variants, as `plainDecimal` returns them. */
export function settlePrice(
  own: MarkedPrice | null,
  shown: ShownReading,
  marked: ReadonlySet<string>,
): Settled {
  const [best] = shown.prices;
  if (own === null) return settleShown(best, shown);
  const settled = settleMarked(own, best, shown, marked);
  if (settled.taken !== "marked" || !own.isNet) return settled;
  return {
    ...settled,
    confidence: Math.min(settled.confidence, CONTRADICTED),
    why: `${settled.why}, it is without tax`,
  };
}

function taking(price: ScoredPrice, confidence: number, why: string): Settled {
  return { taken: "shown", price, confidence, why };
}

function keeping(own: MarkedPrice, confidenceMax: number, why: string): Settled {
  return { taken: "marked", confidence: Math.min(own.confidence, confidenceMax), why };
}

function settleShown(best: ScoredPrice | undefined, { isSure, prices }: ShownReading): Settled {
  if (!best) return { taken: "none", reason: "no_price", why: "no price is shown" };
  if (isSure) {
    const isInferred = best.codes.length === 0 || has(best, "beside_dearer");
    const isSupported = has(best, "attribute", "script") && !isInferred;
    if (has(best, "lone_old")) return taking(best, DOUBTFUL, "its class calls it old");
    return isSupported
      ? taking(best, SUPPORTED, "shown clearly, scripts or attributes agree")
      : taking(best, SHOWN_ALONE, "shown clearly");
  }
  if (isSureButNet(best, prices)) return taking(best, CONTRADICTED, "shown without tax");
  if (isFarAhead(best, prices)) return taking(best, DOUBTFUL, "it is far ahead of the others");
  return best.score >= WELL_SHOWN
    ? { taken: "none", reason: "ambiguous_price", why: "no shown price is clear enough" }
    : { taken: "none", reason: "no_price", why: "no price is shown where the product is" };
}

function isSureButNet(best: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  if (!has(best, "net") || has(best, "gross")) return false;
  const { prices: [first], isSure } = ranked(prices.map((price) => withoutFeature(price, "net")));
  return isSure && first !== undefined && isSameAmount(first, best);
}

function isFarAhead(best: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  const rivals = has(best, "buy_300") && has(best, "named_price")
    ? prices.filter(({ decimal }) => Number(decimal) * ACCESSORY_FACTOR > Number(best.decimal))
    : prices;
  return has(best, "near_500") && isAhead(best, rivals, FAR_AHEAD);
}

/** True for a clearly shown gross price that exceeds `net` by a plausible tax of 2 to 28 %. */
function isGrossOf(price: ScoredPrice, net: string): boolean {
  const times = Number(price.decimal) / Number(net);
  return has(price, "gross") && !isOut(price) && price.score >= WELL_SHOWN && times > 1.02 &&
    times < 1.28;
}

const AMOUNT = /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,3})?) ?(?:m²|qm|m2|m|kg|l|liter)(?![\p{L}\d])/giu;

/** For the `unitPrice` 14.99, true for 29.83 in `1,99 m²: 29,83 €`, as 1.99 × 14.99 = 29.83. */
function isAmountOf(price: ScoredPrice, unitPrice: string): boolean {
  const amounts = [...textOf(price.whole.parent?.parent ?? price.whole, 300).matchAll(AMOUNT)]
    .map(([, digits = ""]) => Number(digits.replace(",", ".")));
  return !isOut(price) && price.score >= WELL_SHOWN &&
    amounts.some((amount) =>
      amount !== 1 &&
      Math.abs(amount * Number(unitPrice) - Number(price.decimal)) <= 0.005 * amount + 0.005
    );
}

function isAhead(best: ScoredPrice, prices: readonly ScoredPrice[], points = AHEAD): boolean {
  return best.score >= MARKED_SCORE && best.codes.length > 0 && !isOut(best) &&
    prices.every((price) =>
      isSameAmount(price, best) || isOut(price) || best.score - price.score >= points
    );
}

function comparisonOf(
  own: MarkedPrice,
  best: ScoredPrice,
  { prices, isSure }: ShownReading,
  marked: ReadonlySet<string>,
) {
  const amount = writtenAmount(own);
  const places = prices.filter((price) => isSameAmount(price, amount));
  return {
    own,
    best,
    prices,
    isSure,
    places,
    isMarked: marked.has(best.decimal),
    isShownBest: isSameAmount(best, amount),
    isWellShown: places.some(({ score }) => score >= WELL_SHOWN),
    keep: (confidenceMax: number, why: string) => keeping(own, confidenceMax, why),
    take: (confidence: number, why: string) => taking(best, confidence, why),
  };
}

type Comparison = ReturnType<typeof comparisonOf>;

function settleMarked(
  own: MarkedPrice,
  best: ScoredPrice | undefined,
  shown: ShownReading,
  marked: ReadonlySet<string>,
): Settled {
  if (!best) return keeping(own, AGREED, "nothing is shown");
  const compared = comparisonOf(own, best, shown, marked);
  return settleNoSale(compared) ??
    settleShownToo(compared) ??
    settleOtherMeaning(compared) ??
    settleShownBetter(compared) ??
    settleTax(compared) ??
    settleOutdated(compared) ??
    settleUnshown(compared);
}

function settleNoSale({ places, isSure, isShownBest, take }: Comparison): Settled | null {
  const noSale = noSaleOf(places);
  if (noSale === null || noSale === "bid") return null;
  const why = `the price of the markup is a ${noSale} amount`;
  return isSure && !isShownBest
    ? take(SHOWN_ALONE, why)
    : { taken: "none", reason: "no_price", why };
}

function settleShownToo(
  { own, isSure, isShownBest, places, keep }: Comparison,
): Settled | null {
  if (!isShownBest) return null;
  if (areAll(places, "coupon", ...CONDITIONAL)) {
    return keep(CONTRADICTED, "it is shown only as a price on a condition");
  }
  const as = (confidence: number, why: string): Settled => ({ taken: "marked", confidence, why });
  if (own.confidence >= HIGH_CONFIDENCE) return as(AGREED, "it is shown");
  if (!isSure) return as(DOUBTFUL, "it is shown among others");
  return as(own.isUndecided ? SHOWN_ALONE : SUPPORTED, "it is shown clearly");
}

function settleOtherMeaning(
  { own, best, prices, isSure, places, keep, take }: Comparison,
): Settled | null {
  if (prices.some((price) => isSameAmount(price, best) && isAmountOf(price, own.decimal))) {
    return take(DOUBTFUL, "the markup has the price of a unit");
  }
  if (areAll(places, "rate", "coupon", ...CONDITIONAL)) {
    const why = "the markup has a price on a condition, or a rate";
    return isSure || isAhead(best, prices) ? take(DOUBTFUL, why) : keep(CONTRADICTED, why);
  }
  if (own.others?.has(best.decimal)) return keep(AGREED, "another variant is shown");
  if (own.others && isSure) return keep(CONTRADICTED, "a price of no variant is shown clearly");
  return null;
}

function settleShownBetter(
  { own, best, isSure, isMarked, isWellShown, take }: Comparison,
): Settled | null {
  if (isMarked && best.score >= MARKED_SCORE && (isSure || !isWellShown)) {
    return take(SHOWN_ALONE, "shown better than another price of the markup");
  }
  if (isSure && best.codes.length > 0 && !best.codes.includes(own.currency)) {
    return take(DOUBTFUL, "the markup is in another currency");
  }
  if (isSure && has(best, "deposit_on_top") && compareDecimals(best.decimal, own.decimal) < 0) {
    return take(SHOWN_ALONE, "the markup has the deposit in it");
  }
  if (isSure && own.isLowest && compareDecimals(best.decimal, own.decimal) > 0) {
    return take(DOUBTFUL, "the markup has the lowest of several prices");
  }
  if (own.isLowest && !isWellShown && best.score >= STRONG_SCORE) {
    return { taken: "none", reason: "ambiguous_price", why: "the lowest of several is not shown" };
  }
  return null;
}

function settleTax({ own, prices, isSure, places, take }: Comparison): Settled | null {
  if (!own.isNet && !places.some((price) => has(price, "net"))) return null;
  const why = "the markup is without tax";
  if (isSure) return take(SHOWN_ALONE, why);
  const gross = prices.find((price) => isGrossOf(price, own.decimal));
  return gross ? taking(gross, DOUBTFUL, why) : null;
}

function settleOutdated({ own, best, prices, isSure, places, take }: Comparison): Settled | null {
  const isLarge = ({ decimal }: ScoredPrice) =>
    Number(decimal) * ACCESSORY_FACTOR > Number(own.decimal);
  const isOld = own.confidence < HIGH_CONFIDENCE ||
    areAll(
      places,
      "struck",
      "old",
      "tile",
      "region",
      "other_part",
      "used",
      "coupon",
      "named_other",
    );
  if (isSure && isLarge(best) && best.score >= STRONG_SCORE && isOld) {
    return take(DOUBTFUL, "the markup is outdated, or about another article");
  }
  const isBacked = has(best, "script", "attribute") && has(best, "near_500");
  const isBought = has(best, "buy_300", "buy_1200") && has(best, "named_main");
  const isFirst = isSure || isAhead(best, prices.filter(isLarge));
  return isFirst && places.length === 0 && (isBought || isBacked)
    ? take(DOUBTFUL, "the price of the markup is shown nowhere")
    : null;
}

function settleUnshown({ own, best, isSure, places, isWellShown, keep }: Comparison): Settled {
  if (isSure) return keep(CONTRADICTED, "another price is shown clearly");
  if (!own.isSure && !isWellShown) {
    if (best.score < 0) return keep(DOUBTFUL, "nothing is shown where the product is");
    return {
      taken: "none",
      reason: "ambiguous_price",
      why: "the markup is unsure and not shown clearly",
    };
  }
  if (own.isUndecided) return keep(DOUBTFUL, "one of several offers");
  if (places.length === 0) {
    return best.score >= WELL_SHOWN
      ? keep(DOUBTFUL, "another price is shown")
      : keep(AGREED, "it is not shown");
  }
  return places.every(isOut)
    ? keep(SHOWN_ALONE, "its places call it something else")
    : keep(AGREED, "it is shown, too");
}

function areAll(places: readonly ScoredPrice[], ...features: readonly Feature[]): boolean {
  return places.length > 0 && places.every((price) => has(price, ...features));
}
