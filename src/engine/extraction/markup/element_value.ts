import { priceMentions } from "../../../base/price_mention.ts";
import type { HtmlElement } from "../page/html_element.ts";
import { textOf } from "../page/html_text.ts";
import { isStruck } from "../page/struck.ts";
import type { WorkBudget } from "../work_budget.ts";
import { addValue, type EntityDraft, type TextValue } from "../entity.ts";
import { READ_PROPERTIES } from "./product_terms.ts";

const VALUE_CHARACTERS_MAX = 500;
const SHOWN_CHARACTERS_MAX = 100;
const UNITS_PER_VALUE = 20;
/** What looking for the prices of a text takes. */
const UNITS_PER_CHARACTER = 16;
const ADDRESSES: ReadonlySet<string> = new Set(
  "url availability itemcondition condition businessfunction pricetype mainentityofpage".split(" "),
);

/**
 * The value that an element gives to a property: `content` wherever it stands, as shops use it; an
 * address where the property is one; `value` of a field; else the text that is shown.
 */
export function valueOfElement(
  element: HtmlElement,
  property: string,
  work: WorkBudget,
): TextValue {
  const { href, src, resource, value } = element.attribs;
  const content = cut(element.attribs.content ?? "");
  const isPrice = property.endsWith("price");
  work.take(UNITS_PER_VALUE);
  if (content !== "") {
    const shown = isPrice ? textOf(element, SHOWN_CHARACTERS_MAX, work) || null : null;
    return { text: content, kind: "machine", shown };
  }
  const address = ADDRESSES.has(property) ? href ?? resource ?? src : undefined;
  if (address !== undefined) return { text: cut(address), kind: "machine", shown: null };
  if (value !== undefined && /^(?:data|meter|input)$/.test(element.name)) {
    return { text: cut(value), kind: "machine", shown: null };
  }
  const text = textOf(element, VALUE_CHARACTERS_MAX, work);
  return { text: isPrice ? paidText(element, text, work) : text, kind: "shown", shown: null };
}

/**
 * Without what is struck out, where another price is left: `<del>39 €</del> <ins>29 €</ins>`. A
 * rate or a count is none: `<del>39 €</del> 5 €/kg`.
 */
function paidText(element: HtmlElement, whole: string, work: WorkBudget): string {
  const isLeftOut = (inner: HtmlElement) => isStruck(inner, work);
  const text = textOf(element, VALUE_CHARACTERS_MAX, work, isLeftOut);
  if (text === whole) return whole;
  work.take(UNITS_PER_CHARACTER * (text.length + whole.length));
  const isPriced = priceMentions(whole)?.some(({ currency }) => currency !== null);
  const isLeft = priceMentions(text)?.some(({ currency, isMarked }) =>
    !isMarked && (currency !== null || !isPriced)
  );
  return isLeft ? text : whole;
}

function cut(text: string): string {
  return text.slice(0, VALUE_CHARACTERS_MAX).trim();
}

/** Adds an element to those properties of an item: the item that it opens itself, else its value. */
export function addElement(
  item: EntityDraft,
  names: readonly string[],
  element: HtmlElement,
  nested: EntityDraft | undefined,
): void {
  for (const name of names) {
    if (nested) addValue(item, name, nested);
    else if (READ_PROPERTIES.has(name)) {
      addValue(item, name, valueOfElement(element, name, item.work));
    }
  }
}
