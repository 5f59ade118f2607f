/**
 * A price that a page shows, with features that support or contradict it. The score of a shown
 * price is the sum of the weights of its features.
 */
import { compareDecimals, isSameAmount, onlyCode, type WrittenAmount } from "../amount.ts";
import type { HtmlElement } from "../page/html_element.ts";

export type Feature = keyof typeof WEIGHTS;

export const WEIGHTS = {
  near_500: 3,
  near_1500: 2.3,
  near_4000: 1.2,
  near_10000: 0,
  far: -1,
  buy_300: 2,
  buy_1200: 1,
  named_price: 2,
  named_main: 1,
  marked_up: 1,
  labelled: 1,
  named_other: -3,
  struck: -6,
  called_old: -6,
  called_regular: -6,
  lone_old: -1,
  beside_dearer: 0,
  running_text: -5,
  bare: -1,
  old: -5,
  /** The amount is after the buy button, below the heading of another part of the page. */
  other_part: -2,
  tile: -4,
  region: -4,
  option: -4,
  link: -3.5,
  hidden: -2,
  shipping: -5,
  /** The amount is for an addition, a service, a levy or a bundle, not for the article alone. */
  extra: -4,
  not_the_price: -5,
  rate: -4.5,
  coupon: -4,
  used: -3.5,
  subscription: -3,
  tier: -3,
  monthly: -5,
  rent: -5,
  deposit: -5,
  bid: -1,
  contract: -5,
  member: -5,
  /** The amount is one end of a range, or the lowest of several prices. */
  range: 0,
  deposit_on_top: 0,
  net: -3,
  gross: 1,
  /** The amount is the price for people who are not members. */
  for_all: 1,
  one_of_many: -2,
  odd_currency: -2,
  again: 0.5,
  first_good: 0.7,
  attribute: 1.2,
  script: 1.2,
} as const;

export interface ShownPrice extends WrittenAmount {
  readonly element: HtmlElement;
  /** The innermost element around the digits that shows the complete price. */
  readonly whole: HtmlElement;
  readonly at: number;
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly beside: string;
  readonly isMarked: boolean;
  readonly isAlone: boolean;
}

export interface ScoredPrice extends ShownPrice {
  readonly score: number;
  readonly features: readonly Feature[];
}

export interface ShownReading {
  readonly prices: readonly ScoredPrice[];
  readonly isSure: boolean;
}

export function has(price: ScoredPrice, ...features: readonly Feature[]): boolean {
  return price.features.some((feature) => features.includes(feature));
}

export function scored(price: ShownPrice, features: readonly Feature[]): ScoredPrice {
  const score = features.reduce((sum, feature) => sum + WEIGHTS[feature], 0);
  return { ...price, features, score: Math.round(score * 100) / 100 };
}

export function withFeature(price: ScoredPrice, ...features: readonly Feature[]): ScoredPrice {
  return scored(price, [...price.features, ...features]);
}

export function currencyOfPrices(prices: readonly Pick<ShownPrice, "codes">[]): string | null {
  const known = Map.groupBy(prices.flatMap(({ codes }) => onlyCode(codes) ?? []), (code) => code);
  return [...known].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

export function isOut({ features }: Pick<ScoredPrice, "features">): boolean {
  return features.some(isOutBy);
}

export function isOutBy(feature: Feature): boolean {
  return WEIGHTS[feature] <= BAD_POINTS;
}

export function withoutFeature(price: ScoredPrice, ...gone: readonly Feature[]): ScoredPrice {
  return scored(price, price.features.filter((feature) => !gone.includes(feature)));
}

const BAD_POINTS = -3;

/** Amounts with a lower score may belong to another article, or may not be its selling price. */
export const WELL_SHOWN = 2.5;

const SURE_SCORE = 4.5;
const SURE_AHEAD = 1.5;

export const CONDITIONAL = ["subscription", "member", "tier"] as const;

function isConditional(price: ScoredPrice): boolean {
  return has(price, ...CONDITIONAL);
}

export function ranked(prices: readonly ScoredPrice[]): ShownReading {
  const sorted = prices.toSorted((a, b) =>
    Number(isConditional(a)) - Number(isConditional(b)) || b.score - a.score
  );
  return { prices: sorted, isSure: isSure(sorted) };
}

function isSure(prices: readonly ScoredPrice[]): boolean {
  const [best] = prices;
  if (!best || best.score < SURE_SCORE || isOut(best)) return false;
  // A bid is no rival of a sale price, and a net price is no rival of a gross price.
  const rival = prices.find((price) =>
    !isSameAmount(price, best) && !isConditional(price) &&
    (has(best, "bid") || !has(price, "bid")) &&
    !(has(best, "gross") && has(price, "net"))
  );
  return rival === undefined || best.score - rival.score >= SURE_AHEAD;
}

export const TAX =
  "(?:ges(?:etzl)?\\.?\\p{L}* )?(?:mwst|mw\\.?st|ust|mehrwertsteuer|umsatzsteuer|" +
  "vat|tax(?:es)?|gst|tva|iva|btw|moms)\\.?";
const DELIVERY = "(?:versand(?:kosten)?|lieferung|liefer(?:ung und )?kosten|porto|shipping|" +
  "delivery|postage|p&p|frais de (?:port|livraison)|livraison|spedizione|verzendkosten|env[ií]o)" +
  "(?: (?:costs?|charges?|fees?))?";
const ADDED = "(?:zzgl|zuzügl(?:ich)?|exkl?(?:usive)?|excl(?:uding)?|plus|ohne|inkl(?:usive)?|" +
  "incl(?:uding|usive of)?|hors|und|and|et|\\+)\\.?";
const LEGAL = [
  `${ADDED} ${DELIVERY}(?![^|\\d]{0,12}\\d)`,
  "(?:shipping|delivery|versand(?:kosten)?|livraison)[^|\\d.;]{0,12}" +
  "(?:calculated|berechnet|calculés?)[^|\\d.;]{0,30}",
  `${ADDED} (?:\\d{1,2}(?:[.,]\\d)? ?% ?)?${TAX}`,
  `(?:tax|vat) (?:included|inclusive)`,
];
const INSTALMENTS_POSSIBLE = [
  "(?:possibility of )?(?:payment|zahlung|zahlbar|paiement|pay)\\P{L}{0,2}" +
  "[^|\\d€$£]{0,30}(?:in )?\\d{1,2} (?:\\p{L}{2,12} )?(?:instal+ments?|raten|monatsraten|fois)" +
  "(?: without interest| zinsfrei| sans frais)?",
  "(?:ratenzahlung|ratenkauf|0 ?% ?-?finanzierung|finanzierung) (?:ist )?(?:möglich|verfügbar)",
];
const NOTES = new RegExp(
  `(?<!\\p{L})(?:${[...LEGAL, ...INSTALMENTS_POSSIBLE].join("|")})(?!\\p{L})`,
  "giu",
);

export function withoutNotes(text: string): string {
  return text.slice(0, 500).replace(NOTES, " ");
}

const EACH = /^\P{L}*(?:je |per |pro |par |la )?(?:stück|stk|st|piece|each|pièce|unité)(?!\p{L})/iu;

export function withRelated(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  return withKinds(withEach(withFirstTier(withTotals(prices))));
}

/** Marks totals as `tier`: `4 Reifen: 369,96 €` near `92,49 €` or `4 × 92,49 € / Stück`. */
function withTotals(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const parts = prices.filter((one) => timesOf(one) > 1);
  const totals = prices.filter((price) => {
    const pieces = piecesBefore(price);
    return !has(price, "tier") && (parts.some((one) => isTimes(timesOf(one), one, price)) ||
      prices.some((one) => isTimes(pieces, one, price) && !isOut(one)));
  });
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

/** In a quantity table, the price of one piece (`ab 1 | 19,95 €`) is the normal price. */
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

/** In `4 × 92,45 € / Stück` near `369,80 €`, the amount 92,45 € is the price of one piece. */
function withEach(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const totals = prices.filter((price) => has(price, "tier"));
  if (totals.length === 0) return prices;
  const isEach = (price: ScoredPrice) =>
    totals.some((total) => isTimes(timesOf(price), price, total));
  return prices.map((price) => isEach(price) ? withoutFeature(price, "old", "rate") : price);
}

function isTimes(times: number, one: ScoredPrice, total: ScoredPrice): boolean {
  return times > 1 && Math.abs(times * Number(one.decimal) - Number(total.decimal)) < 0.005;
}

function timesOf({ before, after }: ScoredPrice): number {
  const times = EACH.test(after) ? /(?:^|\D)(\d{1,2}) ?[×x] ?$/.exec(before)?.[1] : undefined;
  return Number(times ?? 0);
}

/** Copies features such as `net` to other prices with the same amount. */
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
