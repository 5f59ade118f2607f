/**
 * Collects the short texts around an element, one per block. Tiles of other products, hidden
 * elements, options, the navigation, and the page's header and footer are skipped.
 */

import { type HtmlElement, type HtmlNode, onOneLine } from "./page/html_element.ts";
import { NOT_SHOWN } from "./page/html_page.ts";
import type { PlaceWordsOf } from "./shown/place_words.ts";

const TEXT_CHARACTERS_MAX = 160;
const INLINE: ReadonlySet<string> = new Set(
  "a b strong em i u span small sup sub font mark abbr bdi del ins s data".split(" "),
);
const DATA: ReadonlySet<string> = new Set(["meta", "link"]);
const REGIONS: ReadonlySet<string> = new Set(["nav", "aside", "select", "option", "datalist"]);
const ENDS: ReadonlySet<string> = new Set(["header", "footer"]);
/** A `header` or `footer` inside one of these elements is not the header or footer of the page. */
const PARTS_OF_PAGES: ReadonlySet<string> = new Set(["article", "section", "form", "fieldset"]);
const NAMED_PART = /buy|price|preis|prix|product|produkt|produit|offer|purchase|achat/i;

export interface NearText {
  readonly text: string;
  readonly parts: readonly HtmlElement[];
}

type WalkLimits = Readonly<Record<"characters" | "blocks", number>>;

export function textsAfter(start: HtmlElement, limits: WalkLimits, words: PlaceWordsOf) {
  const walk = new NearWalk(limits, 1, words);
  walk.enter(start);
  return walk.onFrom(start);
}

export function textsBefore(start: HtmlElement, limits: WalkLimits, words: PlaceWordsOf) {
  const walk = new NearWalk(limits, -1, words);
  if (isBlock(start)) walk.endBlock();
  return walk.onFrom(start);
}

function isBlock({ name }: HtmlElement): boolean {
  return !INLINE.has(name);
}

class NearWalk {
  readonly #step: 1 | -1;
  readonly #words: PlaceWordsOf;
  readonly #blocks: NearText[] = [];
  #own: string | null | undefined;
  #pieces: string[] = [];
  #parts: HtmlElement[] = [];
  #length = 0;
  #charactersLeft: number;
  #elementsLeft = 400;
  readonly #blocksMax: number;

  constructor({ characters, blocks }: WalkLimits, step: 1 | -1, words: PlaceWordsOf) {
    this.#charactersLeft = characters;
    this.#blocksMax = blocks;
    this.#step = step;
    this.#words = words;
  }

  /**
   * In the result, `own` is the text of the block of `start` in the direction of the walk; null if
   * this text is too long.
   */
  onFrom(start: HtmlElement) {
    for (let at = start; at.parent && this.#goesOn(); at = at.parent) {
      const { parent } = at;
      const { children } = parent;
      const from = children.indexOf(at) + this.#step;
      for (let n = from; n >= 0 && n < children.length && this.#goesOn(); n += this.#step) {
        this.#visit(children[n], parent);
      }
      if (isBlock(parent)) this.endBlock();
    }
    this.endBlock();
    const blocks: readonly NearText[] = this.#blocks;
    return { own: this.#own ?? null, blocks };
  }

  enter(element: HtmlElement): void {
    const { children } = element;
    const isForward = this.#step === 1;
    for (let n = 0; n < children.length && this.#goesOn(); n++) {
      this.#visit(children[isForward ? n : children.length - 1 - n], element);
    }
    if (isBlock(element)) this.endBlock();
  }

  endBlock(): void {
    if (this.#length === 0 && this.#own !== undefined) {
      this.#pieces = [];
      return;
    }
    const pieces = this.#step === 1 ? this.#pieces : this.#pieces.toReversed();
    const isShort = this.#length <= TEXT_CHARACTERS_MAX;
    const text = isShort ? onOneLine(pieces.join("")) : null;
    if (this.#own === undefined) this.#own = text;
    else if (text) this.#blocks.push({ text, parts: this.#parts });
    this.#pieces = [];
    this.#parts = [];
    this.#length = 0;
  }

  #goesOn(): boolean {
    return this.#charactersLeft > 0 && this.#elementsLeft > 0 &&
      this.#blocks.length < this.#blocksMax;
  }

  #visit(node: HtmlNode | undefined, parent: HtmlElement): void {
    if (node === undefined) return;
    if (typeof node === "string") {
      this.#addText(node, parent);
      return;
    }
    this.#elementsLeft -= 1;
    if (NOT_SHOWN.has(node.name) || DATA.has(node.name)) return;
    if (isBlock(node)) this.endBlock();
    if (!this.#isElsewhere(node)) this.enter(node);
  }

  #isElsewhere(element: HtmlElement): boolean {
    if (REGIONS.has(element.name)) return true;
    if (ENDS.has(element.name) && !isOfPart(element)) return true;
    return this.#words.isElsewhere(element);
  }

  #addText(data: string, parent: HtmlElement): void {
    const { length } = data.trim();
    this.#length += length;
    this.#charactersLeft -= length;
    if (this.#length > TEXT_CHARACTERS_MAX) return;
    this.#pieces.push(data);
    if (length > 0 && this.#parts.at(-1) !== parent) this.#parts.push(parent);
  }
}

function isOfPart({ attribs, parent }: HtmlElement): boolean {
  return NAMED_PART.test(attribs.class?.slice(0, 200) ?? "") ||
    (parent !== null && (PARTS_OF_PAGES.has(parent.name) ||
      NAMED_PART.test(`${parent.attribs.class ?? ""} ${parent.attribs.id ?? ""}`.slice(0, 200))));
}

/** A full stop after an abbreviation such as `zzgl` does not end a sentence. */
const SENTENCE_END = /(?<=[.!*|•])(?<!(?:zzgl|zuzügl|inkl|exkl|excl|incl|ges|gesetzl)\.)\s/;

/** `text` must be in lower case. */
export function sentencesOf(text: string): readonly string[] {
  return /[.!*|•]\s/.test(text) ? text.split(SENTENCE_END) : [text];
}
