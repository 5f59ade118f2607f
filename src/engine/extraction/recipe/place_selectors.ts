/**
 * What to call the place of a price so that it is found on other pages of its shop: CSS selectors,
 * from exact to loose. Words with digits and words that look made by a machine are left out: they are
 * of one page, or of one release.
 */
import type { HtmlElement } from "../page/html_element.ts";
import { TEST_IDS } from "../shown/place_words.ts";
import type { WorkBudget } from "../work_budget.ts";

const WORD_CHARACTERS_MAX = 60;
const CLASSES_READ_MAX = 500;
const CLASSES_MAX = 3;
const ANCESTORS_MAX = 12;
const UNITS_PER_ELEMENT = 20;
const UNITS_PER_LEVEL = 4;
/** A longer one is refused where selectors are read. */
const SELECTOR_CHARACTERS_MAX = 300;

/** The selectors of elements, each element named once. */
export class PlaceSelectors {
  readonly #steps = new Map<HtmlElement, ElementNames>();
  readonly #known = new Map<HtmlElement, readonly string[]>();
  readonly #work: WorkBudget;

  constructor(work: WorkBudget) {
    this.#work = work;
  }

  /** At most seven, exact to loose; none for an element whose surroundings have no words. */
  of(element: HtmlElement): readonly string[] {
    return this.#known.getOrInsertComputed(element, () => this.#read(element));
  }

  #read(element: HtmlElement): readonly string[] {
    const own = this.#namesOf(element);
    const parent = realParent(element);
    const grandparent = parent && realParent(parent);
    const named = this.#namedAncestor(element);
    const [step, above, top] = [
      own.step,
      parent && this.#namesOf(parent).step,
      grandparent && this.#namesOf(grandparent).step,
    ];
    const selectors = [
      own.id,
      own.testId,
      own.property,
      named && `${named} ${step}`,
      above && top && `${top} > ${above} > ${step}`,
      above && `${above} > ${step}`,
      step,
    ];
    return [...new Set(selectors.filter((one) => one !== null))].filter((one) =>
      /[.#[]/.test(one) && one.length <= SELECTOR_CHARACTERS_MAX
    );
  }

  #namedAncestor(element: HtmlElement): string | null {
    let at = realParent(element);
    for (let level = 0; level < ANCESTORS_MAX && at; level++, at = realParent(at)) {
      this.#work.take(UNITS_PER_LEVEL);
      const { id, testId, property } = this.#namesOf(at);
      const name = id ?? testId ?? property;
      if (name !== null) return name;
    }
    return null;
  }

  #namesOf(element: HtmlElement): ElementNames {
    return this.#steps.getOrInsertComputed(element, () => {
      this.#work.take(UNITS_PER_ELEMENT);
      return namesOf(element);
    });
  }
}

interface ElementNames {
  readonly id: string | null;
  readonly testId: string | null;
  readonly property: string | null;
  /** The name of the tag with its classes. */
  readonly step: string;
}

function namesOf({ name: tag, attribs }: HtmlElement): ElementNames {
  const name = /^[a-z][a-z0-9]{0,20}$/.test(tag) ? tag : "*";
  const idOf = wordOf(attribs.id);
  const test = TEST_IDS.find((attribute) => wordOf(attribs[attribute]) !== null);
  const property = wordOf(attribs.itemprop);
  const classes = (attribs.class ?? "").slice(0, CLASSES_READ_MAX).split(/\s+/)
    .flatMap((word) => wordOf(word) ?? []).slice(0, CLASSES_MAX);
  return {
    id: idOf === null ? null : `#${idOf}`,
    testId: test === undefined ? null : `[${test}="${attribs[test]}"]`,
    property: property === null ? null : `${name}[itemprop="${property}"]`,
    step: [name, ...classes].join("."),
  };
}

/** A word that other pages may have too; it needs no escapes in a selector. */
function wordOf(text: string | undefined): string | null {
  if (text === undefined || text.length > WORD_CHARACTERS_MAX) return null;
  if (!/^[A-Za-z][A-Za-z_-]*$/.test(text)) return null;
  return text.split(/[_-]+/).some(isMadeWord) ? null : text;
}

/** `kJxQzR` and `sxtqplk`: small and large letters at random, or letters that nobody can speak. */
export function isMadeWord(piece: string): boolean {
  if (piece.length < 5) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const short = parts.filter((part) => part.length <= 2).length;
  return (parts.length >= 3 && short * 2 > parts.length) || !/[aeiouy]/i.test(piece);
}

/** Null for the document itself. */
function realParent({ parent }: HtmlElement): HtmlElement | null {
  return parent?.parent ? parent : null;
}
