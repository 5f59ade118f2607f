/**
 * Finds the numbers of a text that may be prices. All lengths are bounded, so the work is linear.
 */
import { currencyAtEnd, currencyAtStart, type WrittenCurrency } from "./currency_text.ts";
import {
  MAGNITUDE_AFTER,
  MONTH_AFTER,
  MONTH_BEFORE,
  NOT_THE_PRICE_AFTER,
  NOT_THE_PRICE_BEFORE,
  OLD_PRICE_BEFORE,
  PRICE_LABEL_BEFORE,
  RANGE_BETWEEN,
  SHARE_AFTER,
  SHARE_WITH_NOUN,
  UNIT_AFTER,
  UNIT_PRICE_AFTER,
  UNIT_PRICE_BEFORE,
  YEAR,
} from "./price_words.ts";

export interface PriceMention {
  /** Digits and separators, for `shapeOf`. */
  readonly number: string;
  readonly currency: WrittenCurrency | null;
  /** True for an old price, a price per unit (`9,90 €/kg`) or a monthly rate. */
  readonly isMarked: boolean;
  /** True if two numbers may be one amount, as in `29 99 €`. */
  readonly isSplit: boolean;
  /** From the previous number to this one, without currencies. */
  readonly before: string;
  /** From this number to the next one, without this number's currency. */
  readonly after: string;
}

/** The bound keeps the work linear. */
const NUMBERS_MAX = 40;
const NUMBER_CHARACTERS_MAX = 40;
const PLAIN_DIGITS_MAX = 7;

/** In order. Null if the text has too many numbers. */
export function priceMentions(text: string): readonly PriceMention[] | null {
  const numbers = numbersInText(text, NUMBERS_MAX);
  if (numbers === null) return null;
  const isPrefixStyle = isCurrencyFirst(numbers);
  const places = numbers.map((place, n): Place => {
    const left = isPrefixStyle || n === 0 ? currencyBefore(place.before) : null;
    const isOfNext = numbers[n + 1] &&
      (OF_NEXT.test(place.after) || LETTER_OF_NEXT.test(place.after));
    const right = isOfNext ? null : currencyAfter(place.within || place.after);
    const currency = combined(left, right);
    const lead = withoutCurrency(place.before, left);
    return { ...place, left, currency, lead, rest: afterCurrency(place.after), isFirst: n === 0 };
  });
  return places
    .map((place, n) => ({ ...place, currency: place.currency ?? rangeCurrency(places, n) }))
    .flatMap((place, n) =>
      isPriceLike(place)
        ? [{
          number: place.number,
          currency: place.currency,
          isMarked: isMarked(place),
          isSplit: isSplit(places[n - 1], places[n]) || isSplit(places[n], places[n + 1]),
          before: place.lead,
          after: place.rest,
        }]
        : []
    );
}

interface Place extends NumberInText {
  readonly left: WrittenCurrency | null;
  readonly currency: WrittenCurrency | null;
  readonly lead: string;
  readonly rest: string;
  readonly isFirst: boolean;
}

/** In `HK15-110 £412.80` the sign belongs to the number that it touches. */
function isCurrencyFirst(numbers: readonly NumberInText[]): boolean {
  for (const [n, { before, after, within }] of numbers.entries()) {
    if (currencyAtEnd(before)) return true;
    if (numbers[n + 1] && OF_NEXT.test(after)) return true;
    if (within || currencyAtStart(after)) return false;
  }
  return false;
}

const OF_NEXT = /^\s+\p{Sc}$/u;
/** The `R` of the tyre size `205/55 R16` does not mean rand. */
const LETTER_OF_NEXT = /^\s+[A-Z]$/;

function currencyBefore(before: string): WrittenCurrency | null {
  const bare = before.replace(/[-−–—]$/, "");
  const near = currencyAtEnd(bare);
  if (near === null) return null;
  return combined(near, currencyAtEnd(bare.slice(0, bare.lastIndexOf(near.text))));
}

function currencyAfter(after: string): WrittenCurrency | null {
  const near = currencyAtStart(after);
  return near && combined(near, currencyAtStart(after.trimStart().slice(near.text.length)));
}

/** `$` and `CAD` together are Canadian dollars. */
function combined(
  first: WrittenCurrency | null,
  second: WrittenCurrency | null,
): WrittenCurrency | null {
  if (first === null || second === null) return first ?? second;
  if (first.codes.length === 0) return second;
  const both = first.codes.filter((code) => second.codes.includes(code));
  return both.length > 0 ? { text: first.text, codes: both } : first;
}

/** In `iPhone 15 - 899 €` only the second number is an amount. */
function rangeCurrency(places: readonly Place[], n: number): WrittenCurrency | null {
  const isRange = (low: Place | undefined, high: Place | undefined) =>
    low !== undefined && high !== undefined && RANGE_BETWEEN.test(low.after.toLowerCase()) &&
    ((hasCents(low) && hasCents(high)) || PRICE_LABEL_BEFORE.test(low.before.toLowerCase()));
  if (isRange(places[n], places[n + 1])) return places[n + 1]?.currency ?? null;
  return isRange(places[n - 1], places[n]) ? places[n - 1]?.currency ?? null : null;
}

function isSplit(whole: Place | undefined, cents: Place | undefined): boolean {
  if (whole === undefined || cents === undefined) return false;
  const isOneOfTwo = (whole.currency === null) !== (cents.currency === null);
  return isOneOfTwo && /^\s+$/.test(whole.after) && /^\d+$/.test(whole.number) &&
    /^\d{2}$/.test(cents.number);
}

function isPriceLike(place: Place): boolean {
  const { number, after, lead, rest, currency } = place;
  if (number.length > NUMBER_CHARACTERS_MAX || isNegative(place)) return false;
  const words = lead.toLowerCase().replace(SHARE_WITH_NOUN, "");
  if (YEAR.test(number) && MONTH_BEFORE.test(words)) return false;
  if (/^\d{1,2}$/.test(number) && MONTH_AFTER.test(after.toLowerCase())) return false;
  if (MAGNITUDE_AFTER.test(after.toLowerCase())) return false;
  if (NOT_THE_PRICE_BEFORE.test(words) || NOT_THE_PRICE_AFTER.test(rest.toLowerCase())) {
    return false;
  }
  return currency !== null || isBarePrice(place);
}

function isBarePrice(place: Place): boolean {
  const { number, before, after } = place;
  if (/\p{L}[-–]?$/u.test(before)) return false;
  if (/^[-–]?[a-z]/i.test(after) && !hasCents(place)) return false;
  const isPlain = /^\d+$/.test(number);
  const isTimeOrFraction = /(?:^|\d)[:/]$/.test(before) || /^[:/](?:$|\d)/.test(after);
  const isPlainRange = isPlain && (/(?:^|\d)[-–]$/.test(before) || /^[-–](?:$|\d)/.test(after));
  return !isTimeOrFraction && !isPlainRange && !(isPlain && number.length > PLAIN_DIGITS_MAX);
}

/** A dash before a number is a minus sign, unless it is a hyphen or between two numbers. */
function isNegative({ before, lead, left, isFirst }: Place): boolean {
  if (!/[-−–—]$/.test(before) && !/(?:^|[\s(])[-−–—]$/.test(lead)) return false;
  const between = withoutCurrency(lead.replace(/[-−–—]$/, ""), null);
  const isRange = !isFirst && between.trim() === "";
  const isHyphen = left === null && /\p{L}[-–]$/u.test(before);
  return !isRange && !isHyphen;
}

function isMarked({ lead, rest }: Place): boolean {
  const words = lead.toLowerCase();
  return OLD_PRICE_BEFORE.test(words) || UNIT_PRICE_BEFORE.test(words) ||
    UNIT_PRICE_AFTER.test(rest.toLowerCase());
}

function hasCents({ number }: Place): boolean {
  return /[.,]\d{2}$/.test(number);
}

function withoutCurrency(before: string, own: WrittenCurrency | null): string {
  return own ? before.slice(0, before.lastIndexOf(own.text)) : afterCurrency(before);
}

function afterCurrency(after: string): string {
  const currency = currencyAtStart(after);
  return currency === null ? after : after.trimStart().slice(currency.text.length);
}

interface NumberInText {
  /** Digits and separators, for `shapeOf`. */
  readonly number: string;
  /** From the previous number to this one, at most 60 characters. */
  readonly before: string;
  /** From this number to the next one, at most 60 characters. */
  readonly after: string;
  /** A currency in place of the decimal sign: `9€50`. */
  readonly within: string;
}

const AROUND_CHARACTERS = 60;

const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BLANK = "[ \\u00a0\\u2007-\\u2009\\u202f\\u205f]";
const NUMBER = new RegExp(
  `\\d{1,3}(?:${BLANK}\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,'’‘´\`ʼ′]\\d+)*`,
  "g",
);
const DASHES_AFTER = /^[.,] ?(?:-{1,2}|[–—]{1,2}|=)(?!\d)/;
const CENTS_AFTER_BLANK = /^\s{0,3}([.,])\s{0,3}(\d{2})(?![\d.,]*\d)/;
const CENTS_AFTER_EURO = /^€ ?(\d{2})(?![\d.,]*\d)(?! ?[\p{L}\p{Sc}])/u;
const WHOLE = new RegExp(`^(?:\\d+|\\d{1,3}(?:(?:${BLANK}|\\.)\\d{3})+)$`);
const CENTS_ALONE = /(?:^|[^\p{L}\d.,])([-–—]{0,2})[.,]{1,2}$/u;

/** Null for more than `countMax` numbers. Takes linear time. */
function numbersInText(text: string, countMax: number): NumberInText[] | null {
  const clean = text.replace(INVISIBLE, "");
  const found: Span[] = [];
  for (const match of clean.matchAll(NUMBER)) {
    const previousEnd = found.at(-1)?.to ?? 0;
    if (match.index < previousEnd) continue;
    if (found.length === countMax) return null;
    found.push(extended(clean, match[0], match.index, previousEnd));
  }
  const spans = found.filter((span, n) => !isMeasure(clean, span, found[n - 1]?.to ?? 0));
  return spans.map(({ number, within, from, to }, n) => ({
    number,
    within,
    before: clean.slice(Math.max(spans[n - 1]?.to ?? 0, from - AROUND_CHARACTERS), from),
    after: clean.slice(to, Math.min(spans[n + 1]?.from ?? clean.length, to + AROUND_CHARACTERS)),
  }));
}

interface Span {
  readonly number: string;
  readonly from: number;
  readonly to: number;
  readonly within: string;
}

/** Adds parts such as `.75`, `12,-` and `29 ,99`, which the digits do not include. */
function extended(text: string, digits: string, from: number, previousEnd: number): Span {
  const to = from + digits.length;
  const before = text.slice(Math.max(previousEnd, from - AROUND_CHARACTERS), from);
  const after = text.slice(to, to + 12);
  const span = { number: digits, from, to, within: "" };

  const dashes = DASHES_AFTER.exec(after);
  if (dashes) return { ...span, to: to + dashes[0].length };
  const isPlain = /^\d+$/.test(digits);
  const lead = isPlain && digits.length <= 2 ? CENTS_ALONE.exec(before) : null;
  if (lead) return { ...span, number: `0.${digits}`, from: from - 1 - (lead[1]?.length ?? 0) };
  const euro = WHOLE.test(digits) ? CENTS_AFTER_EURO.exec(after) : null;
  if (euro) {
    const whole = digits.replaceAll(".", "");
    return { number: `${whole}.${euro[1]}`, from, to: to + euro[0].length, within: "€" };
  }
  const cents = /[.,]\d{1,2}$/.test(digits) ? null : CENTS_AFTER_BLANK.exec(after);
  if (cents && previousEnd === 0 && isLabel(before)) {
    return { ...span, number: `${digits}${cents[1]}${cents[2]}`, to: to + cents[0].length };
  }
  return span;
}

/** After a currency or a price label, `118, 99` is a single number. */
function isLabel(before: string): boolean {
  return currencyAtEnd(before) !== null || PRICE_LABEL_BEFORE.test(before.toLowerCase());
}

function isMeasure(text: string, { from, to }: Span, previousEnd: number): boolean {
  const after = text.slice(to, to + AROUND_CHARACTERS);
  if (SHARE_AFTER.test(after.toLowerCase())) return true;
  const before = text.slice(Math.max(previousEnd, from - AROUND_CHARACTERS), from);
  return UNIT_AFTER.test(after) && currencyAtEnd(before) === null;
}
