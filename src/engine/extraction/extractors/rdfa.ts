import type { Candidate } from "../candidate.ts";
import type { ExtractionPage } from "../page/extraction_page.ts";
import { wordsOfAttribute } from "../markup/attribute_words.ts";
import { addElement } from "../markup/element_value.ts";
import { draftEntity, type EntityDraft, localName, type RootEntity } from "../entity.ts";
import { candidatesOfEntities } from "../markup/entity_candidates.ts";
import { itemsInsideProducts } from "../markup/inside_product.ts";
import type { HtmlPage } from "../page/html_page.ts";
import type { HtmlElement } from "../page/html_element.ts";
import type { WorkBudget } from "../work_budget.ts";

/** RDFa Lite with the vocabulary of schema.org, by `vocab` or by a prefix. */
export function rdfaCandidates(page: ExtractionPage): Candidate[] {
  return page.html ? candidatesOfEntities(rdfaRoots(page.html, page.work), page.writing) : [];
}

function rdfaRoots(page: HtmlPage, work: WorkBudget): RootEntity[] {
  const items: ReadonlyMap<HtmlElement, EntityDraft> = new Map(
    page.rdfa.filter(({ element }) => element.attribs.typeof !== undefined)
      .map(({ element }) => [
        element,
        draftEntity(work, wordsOfAttribute(element.attribs.typeof).map(localName)),
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

/** `og:price:amount` and the like are other vocabularies; a full address has to be schema.org's. */
function propertyName(property: string): string[] {
  const isForeign = property.includes("//")
    ? !/^https?:\/\/(?:www\.)?schema\.org\//i.test(property)
    : property.includes(":") && !/^(?:schema|s|sdo):[^:]*$/i.test(property);
  return isForeign ? [] : [localName(property)];
}
