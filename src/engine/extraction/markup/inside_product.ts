import type { MarkedElement } from "../page/html_page.ts";
import type { HtmlElement } from "../page/html_element.ts";
import { type Entity, hasType } from "../entity.ts";
import { PRODUCT_TYPES } from "./product_terms.ts";

/** The items that stand, at any depth, within the element of a product. */
export function itemsInsideProducts(
  marked: readonly MarkedElement[],
  items: ReadonlyMap<HtmlElement, Entity>,
): ReadonlySet<HtmlElement> {
  const inside = new Set<HtmlElement>();
  // An owner stands before what it owns, so one look at it is enough.
  for (const { element, owner } of marked) {
    const outer = owner ? items.get(owner) : undefined;
    if (owner && outer && (inside.has(owner) || hasType(outer, PRODUCT_TYPES))) inside.add(element);
  }
  return inside;
}
