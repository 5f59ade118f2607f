import { priceMentions } from "../../base/price_mention.ts";
import type { HtmlElement } from "../page/html_element.ts";
import { textOf } from "../page/html_text.ts";
import { isStruck } from "../page/struck.ts";
import type { TextValue } from "./entity.ts";

const VALUE_CHARACTERS_MAX = 500;
const SHOWN_CHARACTERS_MAX = 100;
const ADDRESSES: ReadonlySet<string> = new Set(
  "url availability itemcondition condition businessfunction pricetype mainentityofpage".split(" "),
);

/**
 * The value that an element gives to a property: `content` wherever it stands, as shops use it; an
 * address where the property is one; `value` of a field; else the text that is shown.
 */
export function valueOfElement(element: HtmlElement, property: string): TextValue {
  const { content, href, src, resource, value } = element.attribs;
  const isPrice = property.endsWith("price");
  if (content?.trim()) {
    const shown = isPrice ? textOf(element, SHOWN_CHARACTERS_MAX) || null : null;
    return { text: cut(content), kind: "machine", shown };
  }
  const address = ADDRESSES.has(property) ? href ?? resource ?? src : undefined;
  if (address !== undefined) return { text: cut(address), kind: "machine", shown: null };
  if (value !== undefined && /^(?:data|meter|input)$/.test(element.name)) {
    return { text: cut(value), kind: "machine", shown: null };
  }
  const text = textOf(element, VALUE_CHARACTERS_MAX);
  return { text: isPrice ? paidText(element, text) : text, kind: "shown", shown: null };
}

/**
 * Without what is struck out, where another price is left: `<del>39 €</del> <ins>29 €</ins>`. A
 * rate or a count is none: `<del>39 €</del> 5 €/kg`.
 */
function paidText(element: HtmlElement, whole: string): string {
  const text = textOf(element, VALUE_CHARACTERS_MAX, isStruck);
  if (text === whole) return whole;
  const isPriced = priceMentions(whole)?.some(({ currency }) => currency !== null);
  const isLeft = priceMentions(text)?.some(({ currency, isMarked }) =>
    !isMarked && (currency !== null || !isPriced)
  );
  return isLeft ? text : whole;
}

function cut(text: string): string {
  return text.slice(0, VALUE_CHARACTERS_MAX).trim();
}
