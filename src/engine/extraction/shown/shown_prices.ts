import { type PriceOfText, pricesInText } from "../../../base/price_text.ts";
import { plainDecimal, type Writing, type WrittenAmount } from "../amount.ts";
import type { HtmlElement } from "../page/html_element.ts";
import type { PlacedElement, ShownPlaces } from "../page/html_page.ts";
import { textOf } from "../page/html_text.ts";
import type { WorkBudget } from "../work_budget.ts";
import type { PlaceWordsOf } from "./place_words.ts";
import { dividedBetween } from "./words_around.ts";

/** A price that a page shows at one place. */
export interface ShownPrice extends WrittenAmount {
  /** The element whose own text has the digits. */
  readonly element: HtmlElement;
  /** The nearest element around it whose text reads as a price. */
  readonly whole: HtmlElement;
  /** Characters of shown text before it. */
  readonly at: number;
  /** The text of `whole`. */
  readonly text: string;
  /** What leads to the price in that text. */
  readonly before: string;
  /** What stands on both sides of it there. */
  readonly beside: string;
  /** An old price, a price per kilogram, a rate. */
  readonly isMarked: boolean;
  /** True when the text has no other price. */
  readonly isAlone: boolean;
}

const TEXT_CHARACTERS_MAX = 90;
const LEVELS_UP = 4;
const NAME_LEVELS = 2;
/** No page shows more of them beside its own price. */
const SHOWN_MAX = 600;
const UNITS_PER_TEXT = 100;
const UNITS_PER_CHARACTER = 12;
const PIECE_CHARACTERS_MAX = 24;
/** A part of a price: the digits of a name do not grow by those of the price behind it. */
const PIECE = /^[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;
/** Before numbers are looked at: most texts with digits name no money. */
const MONEY =
  /\p{Sc}|[원円元]|(?<!\p{L})(?:euros?|eur|chf|s?fr|usd|us|gbp|pln|czk|k[čnrs]|z[łl]|rs|rp|rm|r|руб\p{L}*|р|б\.р|лв|грн|гривень|ден|дин|din|ft|lei|aed|dhs?|cad|aud|nzd|inr|pkr|hrk|bgn|huf|ron|sek|nok|dkk|jpy|krw|try|tl|lira|ars|brl|mxn|zar|nis|ils|yen|korun|kronor|kroner|franken|dollars?)(?!\p{L})/iu;
const NUMBERS = /\d[\d.,'’]*/g;
const CENTS = /\d[.,](?:\d{2}(?!\d)|[-–—])/;

/** The prices that texts of a page show, in its order. */
export function shownPrices(
  { digits, headings, titles }: ShownPlaces,
  words: PlaceWordsOf,
  writing: Writing,
  work: WorkBudget,
): readonly ShownPrice[] {
  const found: ShownPrice[] = [];
  const names = new Set([...headings, ...titles].map(({ element }) => element));
  for (const place of digits) {
    if (!words.of(place.element).price && isName(place.element, names)) continue;
    if (found.length >= SHOWN_MAX) break;
    const prices = pricesAt(place, words, writing, work);
    for (const price of prices) if (!isTold(found, price)) found.push(price);
  }
  return found;
}

/** Names of products have numbers in them, and words that are currencies elsewhere: `05 TOP`. */
function isName(element: HtmlElement, names: ReadonlySet<HtmlElement>): boolean {
  let at: HtmlElement | null = element;
  for (let level = 0; level <= NAME_LEVELS && at; level++, at = at.parent) {
    if (names.has(at)) return true;
  }
  return false;
}

/** Whole number and cents of one price have digits each. */
function isTold(found: readonly ShownPrice[], { whole, decimal }: ShownPrice): boolean {
  for (let n = found.length - 1; n >= 0 && n >= found.length - 8; n--) {
    const other = found[n];
    if (other?.whole === whole && other.decimal === decimal) return true;
  }
  return false;
}

function pricesAt(
  { element, at }: PlacedElement,
  words: PlaceWordsOf,
  writing: Writing,
  work: WorkBudget,
): ShownPrice[] {
  const own = ownText(element, work);
  const runs = (own.match(NUMBERS) ?? []).map(digitsOf);
  const isOwn = ({ number }: PriceOfText) => {
    const digits = digitsOf(number);
    return runs.some((run) => isPiece ? digits.startsWith(run) : digits === run);
  };
  const isPiece = PIECE.test(own);
  const isShort = own.length <= PIECE_CHARACTERS_MAX;
  let whole: HtmlElement | null = element;
  for (let level = 0; level <= LEVELS_UP && whole?.parent; level++, whole = whole.parent) {
    const all: string = textOf(whole, TEXT_CHARACTERS_MAX + 1, work);
    const isLong = all.length > TEXT_CHARACTERS_MAX;
    const text = isLong && level === 0 ? own : all;
    const prices = readPrices(text, whole, words, writing, work);
    const mine = prices.filter(isOwn);
    const place = { element, whole, at, text };
    if (mine.length > 0) return mine.map((price) => toShown(price, prices, place));
    if (isLong || prices.length > 0 || !isShort) return [];
  }
  return [];
}

function toShown(
  price: PriceOfText,
  all: readonly PriceOfText[],
  place: Pick<ShownPrice, "element" | "whole" | "at" | "text">,
): ShownPrice {
  const n = all.indexOf(price);
  const before = (n === 0 ? price.before : dividedBetween(price.before).right).trim();
  const after = n === all.length - 1 ? price.after : dividedBetween(price.after).left;
  const codes = price.currency?.codes ?? [];
  return {
    ...place,
    decimal: plainDecimal(price.decimal),
    codes,
    before,
    beside: `${before} ${after}`.trim(),
    isMarked: price.isMarked,
    isAlone: all.length === 1,
  };
}

/** With a currency; without one, only what has cents where its element is called a price. */
function readPrices(
  text: string,
  element: HtmlElement,
  words: PlaceWordsOf,
  writing: Writing,
  work: WorkBudget,
): readonly PriceOfText[] {
  if (text.length > TEXT_CHARACTERS_MAX) return [];
  const hasMoney = MONEY.test(text);
  const isBare = !hasMoney && CENTS.test(text) && isCalledPrice(element, words);
  if (!hasMoney && !isBare) return [];
  work.take(UNITS_PER_TEXT + UNITS_PER_CHARACTER * text.length);
  const prices = pricesInText(text, { locale: writing.locale });
  const withCurrency = prices.filter(({ currency, before }) =>
    currency !== null && !/[\p{L}_]$/u.test(before)
  );
  if (withCurrency.length > 0) return withCurrency;
  return CENTS.test(text) && isCalledPrice(element, words) ? prices : [];
}

function isCalledPrice(element: HtmlElement, words: PlaceWordsOf): boolean {
  const parent = element.parent;
  return words.of(element).price || (parent !== null && words.of(parent).price);
}

/** The texts that stand in the element itself, up to more than a price needs. */
function ownText({ children }: HtmlElement, work: WorkBudget): string {
  let text = "";
  for (const child of children) {
    work.take(1);
    if (typeof child === "string") text += ` ${child.slice(0, TEXT_CHARACTERS_MAX * 2)}`;
    if (text.length > TEXT_CHARACTERS_MAX * 4) break;
  }
  return text.replace(/\s+/g, " ").trim().slice(0, TEXT_CHARACTERS_MAX + 1);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}
