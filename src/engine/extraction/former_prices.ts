/**
 * Finds former and recommended prices near the price of a page, and the lowest price of the last 30
 * days. The words before an amount name its kind. An amount without words is a former price if the
 * amount is struck through, or if the amount is higher than the price and directly next to the
 * price.
 */

import { compareDecimals, type Writing } from "./amount.ts";
import { textsBefore } from "./near_texts.ts";
import { ancestorsOf, type HtmlElement, isStruck } from "./page/html_element.ts";
import type { HtmlPage } from "./page/html_page.ts";
import type { PlaceWordsOf } from "./shown/place_words.ts";
import { has, type ScoredPrice, type ShownPrice } from "./shown/scored_price.ts";
import { shownPrices, wordsAround } from "./shown/shown_prices.ts";
import { anyWord } from "./words/word_patterns.ts";

/**
 * Results of `plainDecimal`, in the currency of the price. Null if the page shows no price of that
 * kind.
 */
export interface FormerPrices {
  readonly was: string | null;
  readonly lowest30: string | null;
}

export const NO_FORMER_PRICES: FormerPrices = { was: null, lowest30: null };

const BEFORE_PRICE = 350;
const AFTER_PRICE = 350;
const LABEL_CHARACTERS = 80;
const HAS_LETTER = /\p{L}/u;
const STRUCK_LEVELS = 3;
const PLACE_LEVELS = 8;
const BESIDE_LEVELS = 3;

const LOWEST = anyWord(({ lowest }) => lowest);
const LOWEST_BEFORE = new RegExp(`${LOWEST.source}[^\\p{L}\\p{N}]*$`, "u");
const FORMER = anyWord(({ former }) => former);
const RECOMMENDED = anyWord(({ recommended }) => recommended);
/** In order of precedence. */
const KINDS = ["former", "struck", "recommended", "beside"] as const;

export function readFormerPrices(
  { shown }: HtmlPage,
  price: ScoredPrice,
  writing: Writing,
  words: PlaceWordsOf,
): FormerPrices {
  const digits = shown.digits.filter(({ at }) =>
    at >= price.at - BEFORE_PRICE && at <= price.at + AFTER_PRICE
  );
  const around = new Set(ancestorsOf(price.whole));
  const near = shownPrices({ ...shown, digits }, words, writing).filter((one) =>
    isOfOneCurrency(one, price) && !isOutside(one.whole, around, words)
  );
  const found = near.map((one) => ({ one, kind: kindOf(one, price, words) }));
  const lowest = found.find(({ kind }) => kind === "lowest")?.one ?? null;
  const was = KINDS.map((kind) => found.find((one) => one.kind === kind))
    .find((one) => one !== undefined)?.one ?? null;
  return { was: was?.decimal ?? null, lowest30: lowest?.decimal ?? null };
}

function isOfOneCurrency({ codes }: ShownPrice, price: ShownPrice): boolean {
  return codes.length === 0 || price.codes.length === 0 ||
    codes.some((code) => price.codes.includes(code));
}

function isOutside(
  element: HtmlElement,
  around: ReadonlySet<HtmlElement>,
  words: PlaceWordsOf,
): boolean {
  for (const at of ancestorsOf(element, PLACE_LEVELS)) {
    if (around.has(at)) return false;
    // Many struck prices are `aria-hidden`, or in a class such as `suggested-price`.
    const isPrice = at.attribs["aria-hidden"] === "true" || words.of(at).mean("price");
    if (!isPrice && words.isElsewhere(at)) return true;
  }
  return false;
}

/** Null if the amount is not higher than the price, except for the lowest price of 30 days. */
function kindOf(
  one: ShownPrice,
  price: ScoredPrice,
  words: PlaceWordsOf,
): typeof KINDS[number] | "lowest" | null {
  const beside = one.beside.toLowerCase();
  const before = HAS_LETTER.test(one.before) ? one.before : textBefore(one.whole, words);
  if (LOWEST_BEFORE.test(before.toLowerCase()) || isLowest(one)) return "lowest";
  const label = before.slice(before.search(/[\p{L}\P{N}]*$/u));
  const lead = `${label} | ${beside}`.toLowerCase();
  if (LOWEST.test(lead)) return "lowest";
  if (compareDecimals(one.decimal, price.decimal) <= 0) return null;
  const { rate, shipping, coupon, tier, subscription } = wordsAround(
    `${one.before} | ${label}`,
    one.after,
  );
  if (rate || shipping || coupon || tier || subscription) return null;
  if (FORMER.test(lead)) return "former";
  if (RECOMMENDED.test(lead)) return "recommended";
  const struck = ancestorsOf(one.whole, STRUCK_LEVELS);
  if (struck.some((at) => isStruck(at) || isCalledFormer(at, words))) return "struck";
  const isBare = !HAS_LETTER.test(label) && beside === "" && !has(price, "range");
  return isBare && isBeside(one.whole, price.whole) ? "beside" : null;
}

function isCalledFormer(element: HtmlElement, words: PlaceWordsOf): boolean {
  const own = words.of(element);
  return own.mean("old") || own.mean("regular") || own.struck;
}

export function isLowest({ isAlone, text }: ShownPrice): boolean {
  return isAlone && LOWEST.test(text.toLowerCase());
}

function textBefore(element: HtmlElement, words: PlaceWordsOf): string {
  const { own, blocks } = textsBefore(
    element,
    { characters: LABEL_CHARACTERS, blocks: 1 },
    words,
  );
  return own === "" ? blocks[0]?.text ?? "" : own ?? "";
}

function isBeside(one: HtmlElement, other: HtmlElement): boolean {
  const around = new Set(ancestorsOf(other, BESIDE_LEVELS));
  return ancestorsOf(one, BESIDE_LEVELS).slice(1).some((at) => around.has(at));
}
