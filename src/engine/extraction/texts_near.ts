import type { HtmlElement } from "./page/html_element.ts";
import { type HtmlPage, NOT_SHOWN } from "./page/html_page.ts";
import { mainAnchors } from "./shown/score_prices.ts";
import type { PlaceWordsOf } from "./shown/place_words.ts";
import type { WorkBudget } from "./work_budget.ts";

const BEFORE_CHARACTERS = 200;
const BEHIND_CHARACTERS = 1_500;
/** Longer ones are descriptions, and tell of much. */
const TEXT_CHARACTERS_MAX = 160;
const TEXTS_MAX = 200;
const INLINE: ReadonlySet<string> = new Set(
  "a b strong em i u span small sup sub font mark label abbr".split(" "),
);
const REGIONS: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);

/**
 * The short texts around the heading of a page, a block each: where a shop says what became of an
 * article. Those of tiles and of what is hidden are left out. Empty where nothing names the product.
 */
export function textsNear(
  html: HtmlPage,
  words: PlaceWordsOf,
  work: WorkBudget,
): readonly string[] {
  const [anchor] = mainAnchors(html.shown);
  if (!anchor) return [];
  const walk = new NearWalk(anchor.at, words, work);
  walk.through(html.document, false);
  return walk.texts();
}

/** Counts characters as the parse does, so that places are the same. */
class NearWalk {
  readonly #from: number;
  readonly #to: number;
  readonly #words: PlaceWordsOf;
  readonly #work: WorkBudget;
  readonly #texts: string[] = [];
  #at = 0;
  #block = "";

  constructor(anchorAt: number, words: PlaceWordsOf, work: WorkBudget) {
    this.#from = anchorAt - BEFORE_CHARACTERS;
    this.#to = anchorAt + BEHIND_CHARACTERS;
    this.#words = words;
    this.#work = work;
  }

  texts(): readonly string[] {
    this.#endBlock();
    return this.#texts;
  }

  through({ children }: HtmlElement, isOut: boolean): void {
    for (const child of children) {
      if (this.#at > this.#to || this.#texts.length >= TEXTS_MAX) return;
      this.#work.take(1);
      if (typeof child === "string") this.#addText(child, isOut);
      else if (!NOT_SHOWN.has(child.name)) this.#enter(child, isOut);
    }
  }

  #enter(element: HtmlElement, isOut: boolean): void {
    const isBlock = !INLINE.has(element.name);
    if (isBlock) this.#endBlock();
    this.through(element, isOut || (this.#isNear() && this.#isElsewhere(element)));
    if (isBlock) this.#endBlock();
  }

  #isNear(): boolean {
    return this.#at >= this.#from;
  }

  #isElsewhere(element: HtmlElement): boolean {
    const { tile, hidden } = this.#words.of(element);
    return tile || hidden || REGIONS.has(element.name);
  }

  #addText(data: string, isOut: boolean): void {
    this.#work.takeText(data.length);
    const text = data.trim();
    if (text === "") return;
    if (this.#isNear() && !isOut && this.#block.length <= TEXT_CHARACTERS_MAX) {
      this.#block += ` ${text.slice(0, TEXT_CHARACTERS_MAX + 1)}`;
    }
    this.#at += text.length;
  }

  #endBlock(): void {
    const text = this.#block.replace(/\s+/g, " ").trim();
    this.#block = "";
    if (text !== "" && text.length <= TEXT_CHARACTERS_MAX) this.#texts.push(text);
  }
}
