/**
 * HTML microdata and RDFa Lite: some elements open items, other elements are properties of items.
 */

import type { Candidate } from "../amount.ts";
import {
  addElement,
  addValue,
  draftEntity,
  type EntityDraft,
  hasType,
  itemsInsideProducts,
  localName,
  OFFER_TYPES,
  OFFERS,
  PRODUCT_TYPES,
  type RootEntity,
  wordsOfAttribute,
} from "../markup/entity.ts";
import { candidatesOfEntities } from "../markup/entity_candidates.ts";
import type { ExtractionPage } from "../page/extraction_page.ts";
import type { HtmlElement } from "../page/html_element.ts";
import { type HtmlPage, opensItem } from "../page/html_page.ts";

export function microdataCandidates(page: ExtractionPage): Candidate[] {
  return page.html ? candidatesOfEntities(microdataRoots(page.html), page.writing) : [];
}

type Items = ReadonlyMap<HtmlElement, EntityDraft>;

function microdataRoots(page: HtmlPage): RootEntity[] {
  const items: Items = new Map(
    page.microdata.filter(({ element }) => opensItem(element))
      .map(({ element }) => [element, draftEntity(typesOf(element))]),
  );
  const owned = new Set<HtmlElement>();
  for (const { element, owner } of page.microdata) {
    const item = owner ? items.get(owner) : undefined;
    if (item && addProperties(item, element, items)) owned.add(element);
  }
  for (const [item, element] of referredElements(page.document, items)) {
    if (addProperties(item, element, items)) owned.add(element);
  }
  const inside = itemsInsideProducts(page.microdata, items);
  return page.microdata.flatMap(({ element, owner }) => {
    const entity = items.get(element);
    if (!entity || owned.has(element)) return [];
    const outer = owner ? items.get(owner) : undefined;
    if (outer && isOfferOf(outer, entity)) {
      addValue(outer, OFFERS[0], entity);
      return [];
    }
    return [{ entity, as: namesOf(element), isInsideProduct: inside.has(element) }];
  });
}

function addProperties(item: EntityDraft, element: HtmlElement, items: Items): boolean {
  const names = namesOf(element);
  addElement(item, names, element, items.get(element));
  return names.length > 0;
}

/** An offer inside a product's element belongs to the product even if no attribute says so. */
function isOfferOf(outer: EntityDraft, entity: EntityDraft): boolean {
  return hasType(outer, PRODUCT_TYPES) && hasType(entity, OFFER_TYPES);
}

function* referredElements(
  document: HtmlElement,
  items: Items,
): Iterable<readonly [EntityDraft, HtmlElement]> {
  const referring = [...items].filter(([{ attribs }]) => attribs.itemref !== undefined)
    // At most 100 items are read, because each item reads all elements that it refers to.
    .slice(0, 100);
  if (referring.length === 0) return;
  const byId = new Map<string, HtmlElement>();
  for (const element of within(document, () => true)) {
    const { id } = element.attribs;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  for (const [{ attribs }, item] of referring) {
    for (const id of new Set(wordsOfAttribute(attribs.itemref))) {
      const referred = byId.get(id);
      if (!referred) continue;
      for (const element of within(referred, (inner) => !opensItem(inner))) {
        if (element.attribs.itemprop !== undefined) yield [item, element];
      }
    }
  }
}

function* within(
  root: HtmlElement,
  opens: (element: HtmlElement) => boolean,
): Iterable<HtmlElement> {
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    yield element;
    if (!opens(element)) continue;
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at];
      if (child !== undefined && typeof child !== "string") waiting.push(child);
    }
  }
}

function typesOf(element: HtmlElement): string[] {
  return wordsOfAttribute(element.attribs.itemtype).map(localName);
}

function namesOf(element: HtmlElement): string[] {
  return wordsOfAttribute(element.attribs.itemprop).map(localName);
}

/** Reads only the vocabulary of schema.org. */
export function rdfaCandidates(page: ExtractionPage): Candidate[] {
  return page.html ? candidatesOfEntities(rdfaRoots(page.html), page.writing) : [];
}

function rdfaRoots(page: HtmlPage): RootEntity[] {
  const items: ReadonlyMap<HtmlElement, EntityDraft> = new Map(
    page.rdfa.filter(({ element }) => element.attribs.typeof !== undefined)
      .map(({ element }) => [
        element,
        draftEntity(wordsOfAttribute(element.attribs.typeof).map(localName)),
      ]),
  );
  const inside = itemsInsideProducts(page.rdfa, items);
  const roots: RootEntity[] = [];
  for (const { element, owner } of page.rdfa) {
    const names = wordsOfAttribute(element.attribs.property).flatMap(propertyName);
    const item = owner ? items.get(owner) : undefined;
    const nested = items.get(element);
    if (nested && (!item || names.length === 0)) {
      roots.push({ entity: nested, as: names, isInsideProduct: inside.has(element) });
    } else if (item) {
      addElement(item, names, element, nested);
    }
  }
  return roots;
}

/** Empty for names of vocabularies other than schema.org, such as `og:price:amount`. */
function propertyName(property: string): string[] {
  const isForeign = property.includes("//")
    ? !/^https?:\/\/(?:www\.)?schema\.org\//i.test(property)
    : property.includes(":") && !/^(?:schema|s|sdo):[^:]*$/i.test(property);
  return isForeign ? [] : [localName(property)];
}
