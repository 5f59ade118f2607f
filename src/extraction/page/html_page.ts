import { Parser } from "htmlparser2";
import { TooComplex } from "../../base/too_complex.ts";
import type { WorkBudget } from "../work_budget.ts";
import type { HtmlElement } from "./html_element.ts";
import { textOf } from "./html_text.ts";

/** An element that carries markup, with the nearest element around it that opens an item. */
export interface MarkedElement {
  readonly element: HtmlElement;
  readonly owner: HtmlElement | null;
}

/** A parsed page and, from the same pass, every element that an extractor starts from. */
export interface HtmlPage {
  readonly document: HtmlElement;
  /** False when the page nests deeper than any honest one: what follows is not read. */
  readonly isWhole: boolean;
  readonly language: string | null;
  readonly baseUrl: string | null;
  readonly canonicalUrl: string | null;
  readonly headings: readonly string[];
  readonly title: string | null;
  readonly jsonLd: readonly HtmlElement[];
  readonly metas: readonly HtmlElement[];
  /** Elements with `itemscope`, `itemtype` or `itemprop`, in the order of the page. */
  readonly microdata: readonly MarkedElement[];
  /** Elements with `typeof` or `property`, in the order of the page. */
  readonly rdfa: readonly MarkedElement[];
}

/** Browsers flatten deeper pages too; it also bounds every recursion over the tree. */
const DEPTH_MAX = 512;
const HEADINGS_MAX = 20;
const HEADING_CHARACTERS_MAX = 300;
/** The largest honest pages have a tenth; bounds the memory of the tree. */
const ELEMENTS_MAX = 300_000;
/** Of attributes that are matched; a longer one is none of those that are looked for. */
const WORD_CHARACTERS_MAX = 200;
const UNITS_PER_ELEMENT = 5;

const MARKUP_ATTRIBUTES: ReadonlySet<string> = new Set([
  "itemscope",
  "itemtype",
  "itemprop",
  "typeof",
  "property",
]);

/** True for an element that is an item of microdata; many pages forget `itemscope`. */
export function opensItem({ attribs }: HtmlElement): boolean {
  return attribs.itemscope !== undefined || attribs.itemtype !== undefined;
}

/**
 * Reads any text as HTML in linear time; broken markup is read as far as it can be. Throws
 * `TooComplex` for more elements than any honest page has.
 */
export function parseHtml(text: string, work: WorkBudget): HtmlPage {
  const gathered = new Gathering(work);
  const parser = new Parser({
    onattribute: (name) => gathered.noteAttribute(name),
    onopentag(name, attribs) {
      gathered.open(name, attribs);
      if (gathered.depth > DEPTH_MAX) parser.pause();
    },
    onclosetag: () => gathered.close(),
    ontext: (data) => gathered.addText(data),
  });
  parser.write(text);
  const isWhole = gathered.depth <= DEPTH_MAX;
  if (isWhole) parser.end();
  return gathered.page(isWhole);
}

/** The state of one parse. */
class Gathering {
  readonly #work: WorkBudget;
  readonly #document: HtmlElement = { name: "", attribs: {}, children: [], parent: null };
  readonly #scopes: (HtmlElement | null)[] = [null];
  readonly #types: (HtmlElement | null)[] = [null];
  readonly #headings: HtmlElement[] = [];
  readonly #jsonLd: HtmlElement[] = [];
  readonly #metas: HtmlElement[] = [];
  readonly #microdata: MarkedElement[] = [];
  readonly #rdfa: MarkedElement[] = [];
  #current = this.#document;
  #elements = 0;
  #hasMarkup = false;
  #openTemplates = 0;
  #title: HtmlElement | null = null;
  #language: string | null = null;
  #baseUrl: string | null = null;
  #canonicalUrl: string | null = null;

  constructor(work: WorkBudget) {
    this.#work = work;
  }

  get depth(): number {
    return this.#scopes.length - 1;
  }

  /** Told before its tag: most tags have no markup and need no look at their attributes. */
  noteAttribute(name: string): void {
    this.#work.take(1);
    if (MARKUP_ATTRIBUTES.has(name)) this.#hasMarkup = true;
  }

  open(name: string, attribs: Record<string, string>): void {
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) {
      throw new TooComplex(`The page has more than ${ELEMENTS_MAX} elements`);
    }
    this.#work.take(UNITS_PER_ELEMENT);
    const element: HtmlElement = { name, attribs, children: [], parent: this.#current };
    this.#current.children.push(element);
    this.#current = element;
    const scope = this.#scopes[this.#scopes.length - 1] ?? null;
    const type = this.#types[this.#types.length - 1] ?? null;
    this.#scopes.push(opensItem(element) ? element : scope);
    this.#types.push(attribs.typeof === undefined ? type : element);
    if (name === "template") this.#openTemplates += 1;
    if (this.#openTemplates === 0) {
      if (this.#hasMarkup) this.#noteMarkup(element, scope, type);
      this.#noteElement(element);
    }
    this.#hasMarkup = false;
  }

  close(): void {
    if (this.#current.name === "template") this.#openTemplates -= 1;
    this.#current = this.#current.parent ?? this.#document;
    this.#scopes.pop();
    this.#types.pop();
  }

  addText(data: string): void {
    const { children } = this.#current;
    const last = children.at(-1);
    if (typeof last === "string") children[children.length - 1] = last + data;
    else children.push(data);
  }

  page(isWhole: boolean): HtmlPage {
    const shown = (element: HtmlElement) => textOf(element, HEADING_CHARACTERS_MAX, this.#work);
    return {
      document: this.#document,
      isWhole,
      language: this.#language,
      baseUrl: this.#baseUrl,
      canonicalUrl: this.#canonicalUrl,
      headings: this.#headings.map(shown),
      title: this.#title === null ? null : shown(this.#title),
      jsonLd: this.#jsonLd,
      metas: this.#metas,
      microdata: this.#microdata,
      rdfa: this.#rdfa,
    };
  }

  #noteMarkup(element: HtmlElement, scope: HtmlElement | null, type: HtmlElement | null): void {
    const { itemprop, typeof: rdfaType, property } = element.attribs;
    if (itemprop !== undefined || opensItem(element)) {
      this.#microdata.push({ element, owner: scope });
    }
    if (rdfaType !== undefined || property !== undefined) this.#rdfa.push({ element, owner: type });
  }

  #noteElement(element: HtmlElement): void {
    const { attribs } = element;
    switch (element.name) {
      case "meta":
        this.#metas.push(element);
        break;
      case "script":
        if (/^application\/ld\+json\b/i.test(begin(attribs.type))) this.#jsonLd.push(element);
        break;
      case "h1":
        if (this.#headings.length < HEADINGS_MAX) this.#headings.push(element);
        break;
      case "title":
        // An icon drawn in SVG has titles as well.
        if (element.parent?.name !== "svg" && element.parent?.name !== "g") this.#title ??= element;
        break;
      case "link":
        if (begin(attribs.rel).toLowerCase() === "canonical") {
          this.#canonicalUrl ??= attribs.href ?? null;
        }
        break;
      case "base":
        this.#baseUrl ??= attribs.href ?? null;
        break;
      case "html":
        this.#language ??= attribs.lang ?? attribs["xml:lang"] ?? null;
        break;
    }
  }
}

/** The begin of an attribute, without the blanks around it. */
function begin(attribute = ""): string {
  return attribute.slice(0, WORD_CHARACTERS_MAX).trim();
}
