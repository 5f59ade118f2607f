/**
 * Amounts that attributes and scripts of a page hold beside what it shows: they support a price that
 * is shown or marked up, and are none by themselves, because carts, cents and variants look alike.
 */
import { plainDecimal } from "../amount.ts";
import { type HtmlElement, rawTextOf } from "../page/html_element.ts";
import type { ShownPlaces } from "../page/html_page.ts";
import { spend, spendOnText } from "../work.ts";

export const SCRIPT_CHARACTERS_MAX = 2 * 1024 * 1024;
const HITS_MAX = 6_000;
const KEY_CHARACTERS_MAX = 60;
const ATTRIBUTE_CHARACTERS_MAX = 60;
const UNITS_PER_ATTRIBUTE = 10;
const UNITS_PER_HIT = 30;
/** Before a number in a script: a key, and what leads to its value. */
const PRICE_KEY =
  /(?:price|preis|amount|value|betrag|prix|cost)[\w-]{0,20}\\?["']?\s*[:=]\s*(?:parseFloat\(\s*)?\\?["']?$/i;
/** Keys of amounts that are something else than the price. */
export const OTHER_KEY =
  /old|was|list|regular|original|before|unit|base|ship|total|uvp|rrp|msrp|strike|saving|discount|min_|max_|high|low|cart|tax|rate|rating|score/i;
const OTHER_ATTRIBUTE = /old|was|list|regular|original|before|unit|base|ship|total|min|max|high/;

/** Decimals of price attributes, in their plain writing. */
export function attributePrices(
  elements: readonly HtmlElement[],
): ReadonlySet<string> {
  const decimals = new Set<string>();
  for (const { attribs } of elements) {
    for (const [name, value] of Object.entries(attribs)) {
      spend(UNITS_PER_ATTRIBUTE);
      if (value.length > ATTRIBUTE_CHARACTERS_MAX || !/price|preis/.test(name)) continue;
      if (OTHER_ATTRIBUTE.test(name)) continue;
      const number = /^\D{0,5}(\d{1,9}(?:\.\d{1,4})?)\D{0,5}$/.exec(value.trim())?.[1];
      if (number !== undefined) decimals.add(plainDecimal(number));
    }
  }
  return decimals;
}

/** Those of some decimals that scripts hold under a key for prices. */
export function scriptPrices(
  { scripts }: Pick<ShownPlaces, "scripts">,
  decimals: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  let characters = 0;
  let hits = 0;
  for (const script of scripts) {
    const text = rawTextOf(script);
    characters += text.length;
    if (characters > SCRIPT_CHARACTERS_MAX) break;
    for (const decimal of decimals) {
      if (found.has(decimal)) continue;
      for (const writing of writingsOf(decimal)) {
        spendOnText(text.length >> 2);
        for (let at = text.indexOf(writing); at !== -1; at = text.indexOf(writing, at + 1)) {
          hits += 1;
          spend(UNITS_PER_HIT);
          if (hits > HITS_MAX) return found;
          if (!isPriceAt(text, at, writing)) continue;
          found.add(decimal);
          break;
        }
      }
    }
  }
  return found;
}

function isPriceAt(text: string, at: number, writing: string): boolean {
  const next = text.charAt(at + writing.length);
  if (/[\d.,]/.test(next) && /\d/.test(text.charAt(at + writing.length + 1))) return false;
  if (/\d/.test(next)) return false;
  const before = text.slice(Math.max(0, at - KEY_CHARACTERS_MAX), at);
  return PRICE_KEY.test(before) && !OTHER_KEY.test(keyAtEnd(before));
}

function keyAtEnd(before: string): string {
  return /([\w-]{1,40})\\?["']?\s*[:=]\s*(?:parseFloat\(\s*)?\\?["']?$/.exec(before)?.[1] ?? "";
}

/** `59.9`, `59.90` and `59,90`: as data and as text have it. */
function writingsOf(decimal: string): readonly string[] {
  const [whole = "", cents = ""] = decimal.split(".");
  const base = whole === "" ? "0" : whole;
  if (cents === "") return [base];
  return cents.length === 1
    ? [`${base}.${cents}`, `${base},${cents}0`]
    : [`${base}.${cents}`, `${base},${cents}`];
}
