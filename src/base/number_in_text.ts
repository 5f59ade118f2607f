import { currencyAtEnd } from "./currency_text.ts";
import { PRICE_LABEL_BEFORE, SHARE_AFTER, UNIT_AFTER } from "./price_words.ts";

/** A number in a longer text, with what is written around it. */
export interface NumberInText {
  /** Digits and signs, as `shapeOf` reads them. */
  readonly number: string;
  /** The text back to the previous number, at most 60 characters of it. */
  readonly before: string;
  /** The text up to the next number, at most 60 characters of it. */
  readonly after: string;
  /** The currency that stands in place of the decimal sign: `9€50`. */
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
const CENTS_ALONE = /(?:^|[^\p{L}\d.,])([-–—]{0,2})[.,]{1,2}$/u;

/**
 * The numbers of a text in their order, without shares and measures (`20 %`, `500 g`); null when
 * there are more than `countMax`. Linear in the text.
 */
export function numbersInText(text: string, countMax: number): NumberInText[] | null {
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

/** With what belongs to the number though no digit follows at once: `.75`, `12,-`, `29 ,99`. */
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
  const euro = isPlain ? CENTS_AFTER_EURO.exec(after) : null;
  if (euro) {
    return { number: `${digits}.${euro[1]}`, from, to: to + euro[0].length, within: "€" };
  }
  const cents = /[.,]\d{1,2}$/.test(digits) ? null : CENTS_AFTER_BLANK.exec(after);
  if (cents && previousEnd === 0 && isLabel(before)) {
    return { ...span, number: `${digits}${cents[1]}${cents[2]}`, to: to + cents[0].length };
  }
  return span;
}

/** `118, 99 TL` is one number at the start of a text, and two after `Größe`. */
function isLabel(before: string): boolean {
  return currencyAtEnd(before) !== null || PRICE_LABEL_BEFORE.test(before.toLowerCase());
}

function isMeasure(text: string, { from, to }: Span, previousEnd: number): boolean {
  const after = text.slice(to, to + AROUND_CHARACTERS);
  if (SHARE_AFTER.test(after.toLowerCase())) return true;
  const before = text.slice(Math.max(previousEnd, from - AROUND_CHARACTERS), from);
  return UNIT_AFTER.test(after) && currencyAtEnd(before) === null;
}
