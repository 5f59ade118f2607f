/**
 * Recognises old and recommended prices, and the lowest price of 30 days, near the price of a page.
 * The words before an amount, such as `UVP`, tell which kind of price the amount is. Without words
 * before it, an amount is an old price if it is struck through, or higher than the price beside it.
 */
import { compareDecimals, isSameAmount, mayBeOneCurrency } from "../amount.ts";
import { textsBefore } from "./price_context.ts";
import { ancestorsOf, type HtmlElement, isElsewhere, means, textOf } from "../page/html_element.ts";
import {
  has,
  isOut,
  type ScoredPrice,
  type ShownPrice,
  type ShownReading,
  withFeature,
  withoutFeature,
  withoutNotes,
} from "./scored_price.ts";
import { wordsAround } from "./shown_prices.ts";
import { anyWord } from "../shop_words.ts";

/** Old or recommended price (`was`) and lowest price of 30 days, in the page price's currency. */
export type OldPrices = Readonly<Record<"was" | "lowest30", string | null>>;

export const NO_OLD_PRICES: OldPrices = { was: null, lowest30: null };

const HAS_LETTER = /\p{L}/u;
const BESIDE_LEVELS = 3;
const NEAR_CHARACTERS = 350;

const LOWEST = anyWord(({ lowest }) => lowest);
const LOWEST_BEFORE = new RegExp(`${LOWEST.source}[^\\p{L}\\p{N}]*$`, "u");
const OLD = anyWord(({ old }) => old);
const RECOMMENDED = anyWord(({ recommended }) => recommended);
/** The kinds of old prices, in order of precedence. */
const KINDS = ["old", "struck", "recommended", "beside"] as const;

export function readOldPrices({ prices }: ShownReading, price: ScoredPrice) {
  const around = new Set(ancestorsOf(price.whole));
  const near = prices.filter((one) =>
    Math.abs(one.at - price.at) <= NEAR_CHARACTERS && mayBeOneCurrency(one, price) &&
    !isOutside(one.whole, around)
  );
  const isSaleOfOther = !has(price, "beside_dearer") &&
    near.some((one) => has(one, "beside_dearer"));
  const found = near.toSorted((a, b) => a.at - b.at)
    .map((one) => ({ one, kind: kindOf(one, price, !isSaleOfOther) }));
  const first = (wanted: (typeof found)[number]["kind"]) =>
    found.find(({ kind }) => kind === wanted)?.one.decimal ?? null;
  const was = KINDS.map(first).find((decimal) => decimal !== null) ?? null;
  return { was, lowest30: first("lowest") };
}

function isOutside(element: HtmlElement, around: ReadonlySet<HtmlElement>) {
  for (const at of ancestorsOf(element, 8)) {
    if (around.has(at)) return false;
    // Old prices often have `aria-hidden` or classes such as `suggested-price`; both are ignored.
    const isPrice = at.attribs["aria-hidden"] === "true" || means(at, "price");
    if (!isPrice && isElsewhere(at)) return true;
  }
  return false;
}

function kindOf(one: ScoredPrice, price: ScoredPrice, mayBeStruck: boolean) {
  const beside = one.beside.toLowerCase();
  const { own, blocks } = textsBefore(one.whole, { characters: 80, blocks: 1 });
  const textBefore = own === "" ? blocks[0]?.text ?? "" : own ?? "";
  const before = HAS_LETTER.test(one.before) ? one.before : textBefore;
  if (LOWEST_BEFORE.test(before.toLowerCase()) || isLowest(one)) return "lowest";
  const label = before.slice(before.search(/(?<!\P{N})\P{N}*$/u));
  const lead = `${label} | ${beside}`.toLowerCase();
  if (LOWEST.test(lead)) return "lowest";
  if (compareDecimals(one.decimal, price.decimal) <= 0) return null;
  const around = wordsAround(`${one.before} | ${label}`, one.after);
  const { rate, shipping, coupon, tier, subscription } = around;
  if (rate || shipping || coupon || tier || subscription) return null;
  if (OLD.test(lead)) return "old";
  if (RECOMMENDED.test(lead)) return "recommended";
  if (mayBeStruck && has(one, "struck")) return "struck";
  const isBare = !HAS_LETTER.test(label) && beside === "" && !has(price, "range");
  return isBare && isBeside(one.whole, price.whole) ? "beside" : null;
}

export function isLowest({ isAlone, text }: ShownPrice): boolean {
  return isAlone && LOWEST.test(text.toLowerCase());
}

function isBeside(one: HtmlElement, other: HtmlElement): boolean {
  const around = new Set(ancestorsOf(other, BESIDE_LEVELS));
  return ancestorsOf(one, BESIDE_LEVELS).slice(1).some((at) => around.has(at));
}

const BESIDE_CHARACTERS = 300;
const ADJACENT_CHARACTERS = 60;
const LEVELS_UP = 5;
const AROUND_CHARACTERS_MAX = 120;
/** Tax rates in percent: amounts that differ by one of these may be one price, net and gross. */
const TAX_RATES = [5.5, 7, 7.7, 8.1, 9, 10, 13, 19, 20, 21, 22, 23, 24, 25, 25.5, 27];
const CHOICES: ReadonlySet<string> = new Set("a button dd input label li option td tr".split(" "));
const SALE_WORDS =
  /(?<!\p{L})(?:sale|angebot|jetzt|nur|now|only|price|preis|aktion(?:spreis)?|rabatt|(?:sie )?sparen|spare|gespart|save|off|discount|reduziert|soldes?|promo(?:tion)?|prix|eur|euro|gbp|chf|usd|rub)(?!\p{L})/giu;
const MONTHLY = anyWord(({ monthly }) => monthly);
const RANGE = /\d\D{0,6}(?<![\p{L}\d%])[-–—](?=[^\p{L}%\d-]{0,6}\d)(?![^%\p{L}]{0,8}%)/u;

export function withOld(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const judged = prices.map((price) => withCalled(price, prices));
  const ordered = judged.filter((price) => !isOut(price)).toSorted((a, b) => a.at - b.at);
  const old = new Set<ScoredPrice>();
  const sale = new Set<ScoredPrice>();
  for (const [n, one] of ordered.entries()) {
    const next = ordered.slice(n + 1).find((price) => price.decimal !== one.decimal);
    if (next === undefined || marksOld(judged, one) || !isSale(one, next)) continue;
    const [lower, higher] = compareDecimals(one.decimal, next.decimal) < 0
      ? [one, next]
      : [next, one];
    old.add(higher);
    sale.add(lower);
  }
  return judged.map((price) =>
    old.has(price) || isStruckBeside(price, judged)
      ? withFeature(price, "struck")
      : sale.has(price)
      ? withFeature(price, "beside_dearer")
      : price
  );
}

export function isOldBeside(price: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  const isMarked = has(price, "struck", "old");
  const near = isMarked ? BESIDE_CHARACTERS : ADJACENT_CHARACTERS;
  return prices.some((other) =>
    compareDecimals(other.decimal, price.decimal) < 0 && !isOut(other) &&
    Math.abs(other.at - price.at) <= near && !isSameAmount(other, price) &&
    (isMarked || has(other, "beside_dearer"))
  );
}

/** True if a struck-through copy of the amount and a lower price are nearby. */
function isStruckBeside(price: ScoredPrice, prices: readonly ScoredPrice[]): boolean {
  if (isOut(price)) return false;
  const near = prices.filter(({ at }) => Math.abs(at - price.at) <= ADJACENT_CHARACTERS);
  const struck = near.find((one) => has(one, "struck") && isSameAmount(one, price));
  const around = struck ? commonAncestor(struck.whole, price.whole) : null;
  return around !== null && around.name !== "body" &&
    textOf(around, AROUND_CHARACTERS_MAX + 1).length <= AROUND_CHARACTERS_MAX &&
    near.some((one) => !isOut(one) && compareDecimals(one.decimal, price.decimal) < 0);
}

/** A CSS class such as `old` marks an old price only if another price is near. */
function withCalled(price: ScoredPrice, prices: readonly ScoredPrice[]): ScoredPrice {
  const called = has(price, "called_old") ? "called_old" : "called_regular";
  if (!has(price, called)) return price;
  const bare = withoutFeature(price, "called_old", "called_regular");
  if (has(price, "struck")) return bare;
  const isAlone = !prices.some((other) =>
    !isSameAmount(other, price) && Math.abs(other.at - price.at) <= BESIDE_CHARACTERS &&
    (!isOut(other) || (called === "called_old" && isMonthly(other)))
  );
  if (!isAlone) return withFeature(bare, "struck");
  return called === "called_old" ? withFeature(bare, "lone_old") : bare;
}

function isMonthly({ whole }: ScoredPrice): boolean {
  return MONTHLY.test(textOf(whole.parent ?? whole, AROUND_CHARACTERS_MAX).toLowerCase());
}

function marksOld(prices: readonly ScoredPrice[], { at }: ScoredPrice): boolean {
  return prices.some((price) =>
    has(price, "struck", "old") && Math.abs(price.at - at) <= BESIDE_CHARACTERS
  );
}

function isSale(one: ScoredPrice, other: ScoredPrice): boolean {
  if (Math.abs(other.at - one.at) > ADJACENT_CHARACTERS || one.element === other.element) {
    return false;
  }
  if (!mayBeOneCurrency(one, other)) return false;
  const [low, high] = [Number(one.decimal), Number(other.decimal)].toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || high > 5 * low) return false;
  const around = commonAncestor(one.whole, other.whole);
  const [ours, theirs] = [one, other].map((price) => around && stepsTo(around, price));
  if (around === null || ours === null || theirs === null || ours === theirs) return false;
  const text = textOf(around, AROUND_CHARACTERS_MAX + 1);
  if (text.length > AROUND_CHARACTERS_MAX || RANGE.test(text)) return false;
  const isRate = (rate: number) => Math.abs(high - low * (1 + rate / 100)) < 0.015;
  if (!/%/.test(text) && TAX_RATES.some(isRate)) return false;
  const rest = withoutNotes(text).replace(SALE_WORDS, " ");
  return !/\p{L}{2}/u.test(rest) && !/[+&]/.test(rest);
}

function commonAncestor(one: HtmlElement, other: HtmlElement): HtmlElement | null {
  const others = new Set(ancestorsOf(other, LEVELS_UP));
  return ancestorsOf(one, LEVELS_UP).find((element) => others.has(element)) ?? null;
}

function stepsTo(around: HtmlElement, { whole }: ScoredPrice): string | null {
  const steps: string[] = [];
  let at: HtmlElement | null = whole;
  for (; at && at !== around; at = at.parent) {
    if (CHOICES.has(at.name)) return null;
    steps.push(`${at.name}.${at.attribs.class?.slice(0, 200).trim() ?? ""}`);
  }
  return steps.join(">");
}
