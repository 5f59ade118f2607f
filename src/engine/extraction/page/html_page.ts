/**
 * Parses HTML into a tree, and collects all elements from which price extraction starts. Parsing
 * takes linear time, and the number and depth of elements are limited.
 */
import { decodeHTMLAttribute, DecodingMode, EntityDecoder, htmlDecodeTree } from "entities/decode";
import { TooComplex } from "../../../base/failure.ts";
import { type HtmlElement, rawTextOf, textOf } from "./html_element.ts";
import { Parser } from "htmlparser2";

export interface MarkedElement {
  readonly element: HtmlElement;
  readonly owner: HtmlElement | null;
}

/**
 * `at` is the number of shown characters before the element; in `digits` and `titles`, before the
 * text with the digit or the title.
 */
export interface PlacedElement {
  readonly element: HtmlElement;
  readonly at: number;
}

export type HtmlPage = Readonly<
  Omit<Gathering, "depth" | "open" | "close" | "addText" | "finish">
>;

export type ShownPlaces = Readonly<HtmlPage["shown"]>;

/** Maximum depth of the tree, which also limits recursion. */
const DEPTH_MAX = 512;
const HEADINGS_MAX = 20;
const HEADING_CHARACTERS_MAX = 300;
const LONG_WORD = /\p{L}{5,40}/gu;
const ELEMENTS_MAX = 300_000;
const REPEATED_TITLE_SHARE_MIN = 0.3;
export const NOT_SHOWN: ReadonlySet<string> = new Set(
  "script style template noscript title textarea".split(" "),
);
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  "script style iframe noembed noframes xmp plaintext".split(" "),
);
const CONTROL_WORDS = /cart|basket|buy|btn|button|korb|kauf|order/i;

/** Names need at least six characters, because `open` skips shorter names. */
const MARKUP_ATTRIBUTES: ReadonlySet<string> = new Set(
  "itemscope itemtype itemprop typeof property".split(" "),
);
const VARIANT_ATTRIBUTES: ReadonlySet<string> = new Set(
  ("data-product_variations data-product-variations data-product-variants data-variations " +
    "data-variants data-product-json data-product").split(" "),
);

export function opensItem({ attribs }: HtmlElement): boolean {
  return attribs.itemscope !== undefined || attribs.itemtype !== undefined;
}

/** Throws `TooComplex` for a page with too many elements. */
export function parseHtml(text: string): HtmlPage {
  const gathered = new Gathering();
  const parser = new Parser({
    onopentag(name, attribs) {
      gathered.open(name, attribs);
      if (gathered.depth > DEPTH_MAX) parser.pause();
    },
    onclosetag: () => gathered.close(),
    ontext: (data) => gathered.addText(data, parser.isInForeignContext()),
  }, { decodeEntities: false }); // Decoding entities would take most of the parsing time.
  parser.write(text);
  const isWhole = gathered.depth <= DEPTH_MAX;
  if (isWhole) parser.end();
  return gathered.finish(isWhole);
}

class Gathering {
  readonly document: HtmlElement = { name: "", attribs: {}, children: [], parent: null };
  /** False if elements are nested so deeply that the rest of the page was not read. */
  isWhole = true;
  depth = 0;
  language: string | null = null;
  baseUrl: string | null = null;
  canonicalUrl: string | null = null;
  headings: readonly string[] = [];
  title: string | null = null;
  footer: HtmlElement | null = null;
  readonly jsonLd: HtmlElement[] = [];
  /** Contents of `meta` elements by name; the names are in lower case. */
  readonly metas = new Map<string, string[]>();
  readonly microdata: MarkedElement[] = [];
  readonly rdfa: MarkedElement[] = [];
  readonly variantData: HtmlElement[] = [];
  readonly shown = {
    digits: new Array<PlacedElement>(),
    headings: new Array<PlacedElement>(),
    titles: new Array<PlacedElement>(),
    controls: new Array<PlacedElement>(),
    priceAttributes: new Array<HtmlElement>(),
    scripts: new Array<HtmlElement>(),
    styles: new Array<HtmlElement>(),
  };
  readonly #scopes: HtmlElement[] = [];
  readonly #types: HtmlElement[] = [];
  readonly #lesserHeadings: PlacedElement[] = [];
  #current = this.document;
  #elements = 0;
  readonly #decoded: string[] = [];
  readonly #entity = new EntityDecoder(htmlDecodeTree, (code) => {
    this.#decoded.push(String.fromCodePoint(code));
  });
  #openTemplates = 0;
  #title: HtmlElement | null = null;
  #titleText = "";
  #notShown = 0;
  #characters = 0;

  open(tag: string, attribs: Record<string, string>): void {
    let [hasMarkup, hasVariants, namesPrice] = [false, false, false];
    for (const name in attribs) {
      const value = attribs[name] ?? "";
      if (value.includes("&")) attribs[name] = decodeHTMLAttribute(value);
      if (name.length < 6) continue;
      hasMarkup ||= MARKUP_ATTRIBUTES.has(name);
      if (name.length < 9) continue;
      hasVariants ||= VARIANT_ATTRIBUTES.has(name);
      // Short names such as `price` are skipped above: they may mean the surcharge of an option.
      namesPrice ||= name.includes("price") || name.includes("preis");
    }
    // Browsers show the content of a shadow root in place of its parent's content.
    const isShadow = tag === "template" && attribs.shadowrootmode !== undefined;
    const name = isShadow ? "shadow-root" : tag;
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) {
      throw new TooComplex(`The page has more than ${ELEMENTS_MAX} elements`);
    }
    const element: HtmlElement = { name, attribs, children: [], parent: this.#current };
    this.#current.children.push(element);
    this.#current = element;
    this.depth += 1;
    if (NOT_SHOWN.has(name)) this.#notShown += 1;
    if (name === "template") this.#openTemplates += 1;
    if (hasMarkup) this.#noteMarkup(element);
    if (this.#openTemplates === 0) {
      if (namesPrice) this.shown.priceAttributes.push(element);
      if (hasVariants) this.variantData.push(element);
      this.#noteElement(element);
    }
  }

  close(): void {
    const element = this.#current;
    if (element.name === "template") this.#openTemplates -= 1;
    if (NOT_SHOWN.has(element.name)) this.#notShown -= 1;
    if (element === this.#title) this.#titleText = titleKey(rawTextOf(element));
    if (element === this.#scopes.at(-1)) this.#scopes.pop();
    if (element === this.#types.at(-1)) this.#types.pop();
    this.#current = element.parent ?? this.document;
    this.depth -= 1;
  }

  addText(data: string, isForeign: boolean): void {
    const isRaw = RAW_TEXT_ELEMENTS.has(this.#current.name) && !isForeign;
    let [from, at] = [0, isRaw ? -1 : data.indexOf("&")];
    while (at !== -1) {
      this.#entity.startEntity(DecodingMode.Legacy);
      const written = this.#entity.write(data, at + 1);
      const length = written < 0 ? this.#entity.end() : written;
      if (length > 0) {
        if (at > from) this.#addPiece(data.slice(from, at));
        for (const character of this.#decoded.splice(0)) this.#addPiece(character);
        from = at + length;
      }
      at = data.indexOf("&", length > 0 ? from : at + 1);
    }
    if (from < data.length) this.#addPiece(from === 0 ? data : data.slice(from));
  }

  #addPiece(data: string): void {
    const { children } = this.#current;
    const last = children.at(-1);
    if (typeof last === "string") children[children.length - 1] = last + data;
    else children.push(data);
    if (this.#notShown === 0) this.#noteText(data);
  }

  #noteText(data: string): void {
    const text = data.trim();
    if (text === "") return;
    const { digits, titles } = this.shown;
    if (digits.at(-1)?.element !== this.#current && /\d/.test(text)) {
      digits.push(this.#placeOf(this.#current));
    }
    if (this.#isTitle(text)) titles.push(this.#placeOf(this.#current));
    this.#characters += text.length;
  }

  #isTitle(text: string): boolean {
    const title = this.#titleText;
    if (text.length < Math.max(6, REPEATED_TITLE_SHARE_MIN * title.length)) return false;
    if (text.length > title.length) return false;
    if (!title.includes(text.slice(0, 4).toLowerCase())) return false;
    return title.includes(titleKey(text));
  }

  finish(isWhole: boolean): HtmlPage {
    if (this.shown.headings.length === 0) this.#takeLesserHeading();
    const textIn = (element: HtmlElement) => textOf(element, HEADING_CHARACTERS_MAX);
    this.isWhole = isWhole;
    this.headings = this.shown.headings.map(({ element }) => textIn(element));
    this.title = this.#title === null ? null : textIn(this.#title);
    return this;
  }

  #takeLesserHeading(): void {
    const named = this.#lesserHeadings.find(({ element }) =>
      titleKey(textOf(element, HEADING_CHARACTERS_MAX)).match(LONG_WORD)
        ?.some((word) => this.#titleText.includes(word))
    );
    if (named !== undefined) this.shown.headings.push(named);
  }

  #noteMarkup(element: HtmlElement): void {
    const { itemprop, typeof: type, property } = element.attribs;
    const noted = (owner: HtmlElement | undefined, list: MarkedElement[]) => {
      if (this.#openTemplates === 0) list.push({ element, owner: owner ?? null });
    };
    const opens = opensItem(element);
    if (itemprop !== undefined || opens) noted(this.#scopes.at(-1), this.microdata);
    if (type !== undefined || property !== undefined) noted(this.#types.at(-1), this.rdfa);
    if (opens) this.#scopes.push(element);
    if (type !== undefined) this.#types.push(element);
  }

  #noteMeta({ property, itemprop, name, content }: HtmlElement["attribs"]): void {
    const key = (property ?? itemprop ?? name)?.toLowerCase();
    const text = content?.trim();
    if (key && text) this.metas.getOrInsertComputed(key, () => []).push(text);
  }

  #placeOf(element: HtmlElement): PlacedElement {
    return { element, at: this.#characters };
  }

  #noteElement(element: HtmlElement): void {
    const { attribs } = element;
    if (isControl(element)) this.shown.controls.push(this.#placeOf(element));
    switch (element.name) {
      case "meta":
        this.#noteMeta(attribs);
        break;
      case "footer":
        this.footer = element;
        break;
      case "script":
        if (/^application\/ld\+json\b/i.test(begin(attribs.type))) this.jsonLd.push(element);
        else if (attribs.src === undefined) this.shown.scripts.push(element);
        break;
      case "style":
        this.shown.styles.push(element);
        break;
      case "h1":
      case "h2": {
        const places = element.name === "h1" ? this.shown.headings : this.#lesserHeadings;
        if (places.length < HEADINGS_MAX) places.push(this.#placeOf(element));
        break;
      }
      case "title":
        // A `title` inside an SVG icon names the icon and not the page.
        if (element.parent?.name !== "svg" && element.parent?.name !== "g") this.#title ??= element;
        break;
      case "link":
        if (begin(attribs.rel).toLowerCase() === "canonical") {
          this.canonicalUrl ??= attribs.href ?? null;
        }
        break;
      case "base":
        this.baseUrl ??= attribs.href ?? null;
        break;
      case "html":
        this.language ??= attribs.lang ?? attribs["xml:lang"] ?? null;
        break;
    }
  }
}

function isControl({ name, attribs }: HtmlElement): boolean {
  if (name === "button") return true;
  if (name === "input") return /^(?:submit|button|image)$/i.test(begin(attribs.type));
  if (attribs.role === "button") return true;
  if (name !== "a") return false;
  const { class: classes, id, href } = attribs;
  return (classes !== undefined && CONTROL_WORDS.test(begin(classes))) ||
    (id !== undefined && CONTROL_WORDS.test(begin(id))) ||
    (href !== undefined && /^javascript:/i.test(begin(href)));
}

function titleKey(text: string): string {
  return text.slice(0, HEADING_CHARACTERS_MAX).replace(/\s+/g, " ").trim().toLowerCase();
}

function begin(attribute = ""): string {
  return attribute.slice(0, 200).trim();
}
