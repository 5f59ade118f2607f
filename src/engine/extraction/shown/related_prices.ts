/**
 * Changes the features of a page's prices, because words next to one price may also say what
 * another price means.
 */
import { compareDecimals, isSameAmount } from "../amount.ts";
import {
  CONDITIONAL,
  has,
  isOut,
  type ScoredPrice,
  WELL_SHOWN,
  withFeature,
  withoutFeature,
} from "./scored_price.ts";

export const EACH =
  /^\P{L}*(?:je |per |pro |par |la )?(?:stück|stk|st|piece|each|pièce|unité)(?!\p{L})/iu;

export function withRelated(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  return withKinds(withEach(withFirstTier(withTotals(prices))));
}

/** `4 Reifen: 369,96 €` near `92,49 €` is the amount for all four. */
function withTotals(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const isTotal = (price: ScoredPrice) => {
    const pieces = piecesBefore(price);
    return pieces > 1 && !has(price, "tier") &&
      prices.some((one) =>
        !isOut(one) && Math.abs(pieces * Number(one.decimal) - Number(price.decimal)) < 0.005
      );
  };
  const totals = prices.filter(isTotal);
  if (totals.length === 0) return prices;
  return prices.map((price) =>
    totals.some((total) => isSameAmount(total, price)) ? withFeature(price, "tier") : price
  );
}

function piecesBefore({ before, text }: ScoredPrice): number {
  if (
    !/^\p{L}{3,20}(?: (?:gesamt|insgesamt|zusammen|total|in total|ensemble))?\s?:?$/iu.test(before)
  ) return 0;
  return Number(/(?:^|[^\d.,])(\d{1,2}) $/.exec(text.slice(0, text.indexOf(before)))?.[1] ?? 0);
}

/** In a quantity table, the row of one piece (`ab 1 | 19,95 €`) has the normal price. */
function withFirstTier(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const tables = new Set(
    prices.flatMap((price) => has(price, "tier") ? price.whole.parent?.parent ?? [] : []),
  );
  if (tables.size === 0) return prices;
  return prices.map((price) => {
    const table = price.whole.parent?.parent ?? null;
    const isFirst = table !== null && tables.has(table) && !isOut(price);
    return isFirst ? withoutFeature(price, "one_of_many") : price;
  });
}

/** In `4 × 92,45 € / Stück` below `369,80 €`, the price is 92,45 € and not the total. */
function withEach(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const totals = prices.filter((price) => has(price, "tier"));
  if (totals.length === 0) return prices;
  const isEach = ({ before, after, decimal }: ScoredPrice) => {
    const times = timesAtEnd(before);
    return times > 1 && EACH.test(after) &&
      totals.some((total) => Math.abs(times * Number(decimal) - Number(total.decimal)) < 0.005);
  };
  return prices.map((price) =>
    isEach(price) ? withoutFeature(withoutFeature(price, "old"), "rate") : price
  );
}

/** The number in `4 ×` at the end of a text. 0 if the text has no such number. */
export function timesAtEnd(text: string): number {
  return Number(/(?:^|\D)(\d{1,2}) ?[×x] ?$/.exec(text)?.[1] ?? 0);
}

/**
 * Words that limit a price, for example to members, also limit equal amounts elsewhere. Equal
 * amounts are only limited if the page also clearly shows a higher price.
 */
function withKinds(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const kindOf = new Map<string, (typeof CONDITIONAL)[number] | "net">();
  const forAll = prices.find((price) => has(price, "for_all") && !isOut(price));
  for (const price of prices) {
    const isCheaper = forAll !== undefined && compareDecimals(price.decimal, forAll.decimal) < 0;
    const condition = CONDITIONAL.find((one) => has(price, one)) ??
      (has(price, "net") ? "net" : undefined);
    const kind = isCheaper ? "member" : condition;
    if (kind === undefined || has(price, "tile", "region", "link", "other_part")) continue;
    const hasHigher = prices.some((other) =>
      compareDecimals(other.decimal, price.decimal) > 0 && !isOut(other) &&
      other.score >= WELL_SHOWN && (kind !== "net" || has(other, "gross"))
    );
    // "Net" does not replace another limit of the same amount.
    if (hasHigher && !(kind === "net" && kindOf.has(price.decimal))) {
      kindOf.set(price.decimal, kind);
    }
  }
  if (kindOf.size === 0) return prices;
  return prices.map((price) => {
    const kind = kindOf.get(price.decimal);
    return kind === undefined || has(price, kind) ? price : withFeature(price, kind);
  });
}
