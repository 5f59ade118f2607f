import { readPriceText } from "../base/price_text.ts";
import { compareDecimals, withoutZerosAtEnd } from "./amount.ts";
import type { HtmlPage } from "./page/html_page.ts";
import type { HtmlElement } from "./page/html_element.ts";
import { textOf } from "./page/html_text.ts";
import { isStruck } from "./page/struck.ts";
import type { Reading } from "./reading.ts";
import type { WorkBudget } from "./work_budget.ts";

const STRUCK_MAX = 200;
const PRICE_CHARACTERS_MAX = 60;
const SURROUNDINGS_CHARACTERS_MAX = 200;
const LEVELS_UP = 3;
const UNITS_PER_ELEMENT = 3;
/** What reading the price of one struck text and those around it takes. */
const UNITS_PER_PRICE = 4000;
const NOT_SHOWN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);

/**
 * True when the page shows the price only as a former one, struck out beside another price: then its
 * markup was not told of the new one. Looks at the first 200 struck texts.
 */
export function isStruckOut(page: HtmlPage, reading: Reading, work: WorkBudget): boolean {
  const struck: HtmlElement[] = [];
  const number = numberPattern(reading.decimal);
  const waiting: HtmlElement[] = [page.document];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    work.take(UNITS_PER_ELEMENT + element.children.length);
    if (NOT_SHOWN.has(element.name)) continue;
    if (isStruck(element, work)) {
      if (struck.length < STRUCK_MAX) struck.push(element);
      continue;
    }
    for (const child of element.children) if (typeof child !== "string") waiting.push(child);
  }
  return struck.some((element) => isFormerPrice(element, page, reading, work)) &&
    !isShownPlainly(page.document, number, work);
}

function isFormerPrice(
  element: HtmlElement,
  { language }: HtmlPage,
  { decimal, currency }: Reading,
  work: WorkBudget,
): boolean {
  const text = textOf(element, PRICE_CHARACTERS_MAX, work);
  if (!/\d/.test(text)) return false;
  work.take(UNITS_PER_PRICE);
  const context = { currency, locale: language };
  const price = readPriceText(text, context);
  if (!("decimal" in price) || compareDecimals(price.decimal, decimal) !== 0) return false;
  const around = readPriceText(
    textOf(surroundingsOf(element), SURROUNDINGS_CHARACTERS_MAX, work),
    context,
  );
  return "decimal" in around &&
    (around.hasOthers || compareDecimals(around.decimal, decimal) !== 0);
}

function surroundingsOf(element: HtmlElement): HtmlElement {
  let around = element;
  for (let level = 0; level < LEVELS_UP && around.parent?.parent; level++) around = around.parent;
  return around;
}

/** True when a text that is not struck has the number. */
function isShownPlainly(document: HtmlElement, number: RegExp, work: WorkBudget): boolean {
  const waiting: HtmlElement[] = [document];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    work.take(UNITS_PER_ELEMENT + element.children.length);
    if (NOT_SHOWN.has(element.name) || isStruck(element, work)) continue;
    for (const child of element.children) {
      if (typeof child !== "string") waiting.push(child);
      else if (number.test(child)) return true;
    }
  }
  return false;
}

/** Digits by three, counted from the last one. */
function inGroups(digits: string): string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  }
  return groups;
}

function numberPattern(decimal: string): RegExp {
  const [whole = "", cents = ""] = decimal.split(".");
  const grouped = inGroups(whole.replace(/^0+(?=\d)/, "")).join("\\D?");
  const digits = withoutZerosAtEnd(cents);
  const rest = digits === "" ? "(?:[.,](?:0+|[-–—]+))?" : `[.,]${digits}0*`;
  return new RegExp(`(?<!\\d)(?<!\\d[.,])${grouped}${rest}(?![\\d])(?![.,]\\d)`);
}
