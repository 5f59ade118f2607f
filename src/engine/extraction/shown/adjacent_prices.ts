/**
 * Recognises former prices by the prices next to them. A class such as `old` or `regular` is
 * trusted only if another price is near. If two adjacent prices look different and have no words,
 * the higher price is the former price.
 */
import { compareDecimals, isSameAmount } from "../amount.ts";
import { ancestorsOf, type HtmlElement, textOf } from "../page/html_element.ts";
import {
  has,
  isOut,
  type ScoredPrice,
  withFeature,
  withoutFeature,
  withoutNotes,
} from "./scored_price.ts";
import { anyWord } from "../words/word_patterns.ts";

/** Maximum distance between the prices of one article, in shown characters. */
const BESIDE_CHARACTERS = 300;
const ADJACENT_CHARACTERS = 60;
const LEVELS_UP = 5;
const AROUND_CHARACTERS_MAX = 120;
const FACTOR_MAX = 5;
/**
 * In percent. Two amounts that differ by one of these rates may be the price without and with tax.
 */
const TAX_RATES = [5.5, 7, 7.7, 8.1, 9, 10, 13, 19, 20, 21, 22, 23, 24, 25, 25.5, 27];
const CHOICES: ReadonlySet<string> = new Set(
  "a button dd input label li option td tr".split(" "),
);
const SALE_WORDS =
  /(?<!\p{L})(?:sale|angebot|jetzt|nur|now|only|price|preis|aktion(?:spreis)?|rabatt|(?:sie )?sparen|spare|gespart|save|off|discount|reduziert|soldes?|promo(?:tion)?|prix|eur|euro|gbp|chf|usd|rub)(?!\p{L})/giu;
const MONTHLY = anyWord(({ monthly }) => monthly);
const RANGE = /\d\D{0,6}(?<![\p{L}\d%])[-–—](?=[^\p{L}%\d-]{0,6}\d)(?![^%\p{L}]{0,8}%)/u;

export function withFormer(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const judged = prices.map((price) => withCalled(price, prices));
  const ordered = judged.filter((price) => !isOut(price)).toSorted((a, b) => a.at - b.at);
  const former = new Set<ScoredPrice>();
  const sale = new Set<ScoredPrice>();
  for (const [n, one] of ordered.entries()) {
    const next = ordered.slice(n + 1).find((price) => price.decimal !== one.decimal);
    if (next === undefined || marksFormer(judged, one) || !isSale(one, next)) continue;
    const [lower, higher] = compareDecimals(one.decimal, next.decimal) < 0
      ? [one, next]
      : [next, one];
    former.add(higher);
    sale.add(lower);
  }
  return judged.map((price) =>
    former.has(price) || isStruckBeside(price, judged)
      ? withFeature(price, "struck")
      : sale.has(price)
      ? withFeature(price, "beside_dearer")
      : price
  );
}

/** True if a lower price is near, and this price looks like the former price of the article. */
export function isFormerBeside(price: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  const isMarked = has(price, "struck", "old");
  const near = isMarked ? BESIDE_CHARACTERS : ADJACENT_CHARACTERS;
  return prices.some((other) =>
    compareDecimals(other.decimal, price.decimal) < 0 && !isOut(other) &&
    Math.abs(other.at - price.at) <= near && !isSameAmount(other, price) &&
    (isMarked || has(other, "beside_dearer"))
  );
}

/** True for a price that repeats a struck price nearby, as texts for screen readers do. */
function isStruckBeside(price: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  if (isOut(price)) return false;
  const near = prices.filter(({ at }) => Math.abs(at - price.at) <= ADJACENT_CHARACTERS);
  const struck = near.find((one) => has(one, "struck") && isSameAmount(one, price));
  const around = struck ? commonAncestor(struck.whole, price.whole) : null;
  return around !== null && around.name !== "body" &&
    textOf(around, AROUND_CHARACTERS_MAX + 1).length <= AROUND_CHARACTERS_MAX &&
    near.some((one) => !isOut(one) && compareDecimals(one.decimal, price.decimal) < 0);
}

/** A class such as `old` marks a former price only if another price is near. */
function withCalled(price: ScoredPrice, prices: readonly ScoredPrice[]): ScoredPrice {
  const called = has(price, "called_old") ? "called_old" : "called_regular";
  if (!has(price, called)) return price;
  const bare = withoutFeature(withoutFeature(price, "called_old"), "called_regular");
  if (has(price, "struck")) return bare;
  const isAlone = !prices.some((other) =>
    !isSameAmount(other, price) && Math.abs(other.at - price.at) <= BESIDE_CHARACTERS &&
    (!isOut(other) || (called === "called_old" && isMonthly(other)))
  );
  if (!isAlone) return withFeature(bare, "struck");
  return called === "called_old" ? withFeature(bare, "lone_old") : bare;
}

/** True for a monthly rate, which may be the article's only current price. */
function isMonthly({ whole }: ScoredPrice): boolean {
  return MONTHLY.test(textOf(whole.parent ?? whole, AROUND_CHARACTERS_MAX).toLowerCase());
}

function marksFormer(prices: readonly ScoredPrice[], { at }: ScoredPrice): boolean {
  return prices.some((price) =>
    has(price, "struck", "old") && Math.abs(price.at - at) <= BESIDE_CHARACTERS
  );
}

function isSale(one: ScoredPrice, other: ScoredPrice): boolean {
  if (Math.abs(other.at - one.at) > ADJACENT_CHARACTERS || one.element === other.element) {
    return false;
  }
  if (!isSameAmount({ ...one, decimal: other.decimal }, other)) return false;
  const [low, high] = [Number(one.decimal), Number(other.decimal)].toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || high > FACTOR_MAX * low) return false;
  const around = commonAncestor(one.whole, other.whole);
  if (around === null || !areStyledDifferently(one, other, around)) return false;
  const text = textOf(around, AROUND_CHARACTERS_MAX + 1);
  if (text.length > AROUND_CHARACTERS_MAX || RANGE.test(text)) return false;
  if (!/%/.test(text) && TAX_RATES.some((rate) => isRate(low, high, rate))) return false;
  const rest = withoutNotes(text).replace(SALE_WORDS, " ");
  return !/\p{L}{2}/u.test(rest) && !/[+&]/.test(rest);
}

function isRate(low: number, high: number, rate: number): boolean {
  return Math.abs(high - low * (1 + rate / 100)) < 0.015;
}

function commonAncestor(one: HtmlElement, other: HtmlElement): HtmlElement | null {
  const others = new Set(ancestorsOf(other, LEVELS_UP));
  return ancestorsOf(one, LEVELS_UP).find((element) => others.has(element)) ?? null;
}

/** Two prices in the same style may belong to two articles or two quantities. */
function areStyledDifferently(one: ScoredPrice, other: ScoredPrice, around: HtmlElement): boolean {
  const [ours, theirs] = [stepsTo(around, one), stepsTo(around, other)];
  return ours !== null && theirs !== null && ours !== theirs;
}

/**
 * Tags and classes from the price up to `around`. Null if one of the elements is a choice for
 * customers, such as an option.
 */
function stepsTo(around: HtmlElement, { whole }: ScoredPrice): string | null {
  const steps: string[] = [];
  let at: HtmlElement | null = whole;
  for (; at && at !== around; at = at.parent) {
    if (CHOICES.has(at.name)) return null;
    steps.push(`${at.name}.${at.attribs.class?.slice(0, 200).trim() ?? ""}`);
  }
  return steps.join(">");
}
