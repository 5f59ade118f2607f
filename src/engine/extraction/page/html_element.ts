/** An element of a parsed page, and the text that the element shows. */

export interface HtmlElement {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  /** Null only for the document, which is the root of the tree. */
  readonly parent: HtmlElement | null;
}

export type HtmlNode = HtmlElement | string;

const NOT_SHOWN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);
const BREAKS: ReadonlySet<string> = new Set(
  "br div p li ul ol td th tr table dd dt dl section article h1 h2 h3 h4 h5 h6".split(" "),
);
const CENTS_CLASS = /cent|decimal|fraction/i;
const END_CHARACTERS = 4;

/**
 * Raised cents such as `29<sup>99</sup>` get a decimal sign. Only 2,000 elements are read, because
 * elements without text do not count towards `charactersMax`.
 */
export function textOf(
  element: HtmlElement,
  charactersMax: number,
  leavesOut?: (inner: HtmlElement) => boolean,
): string {
  const [only, other] = element.children;
  if (
    other === undefined && typeof only !== "object" && !NOT_SHOWN.has(element.name) && !leavesOut
  ) {
    return cut(only?.slice(0, charactersMax * 2) ?? "", charactersMax);
  }
  const shown = new ShownText(charactersMax * 2, leavesOut);
  shown.add(element);
  return cut(shown.text(), charactersMax);
}

function cut(text: string, charactersMax: number): string {
  return onOneLine(text).slice(0, charactersMax).trimEnd();
}

/** The pattern does not match single blanks, because replacing every blank would be slow. */
export function onOneLine(text: string): string {
  return text.replace(/[^\S ]\s*|\s{2,}/g, " ").trim();
}

export function childElements({ children }: HtmlElement, max = Infinity): HtmlElement[] {
  return children.slice(0, max).filter((child) => typeof child !== "string");
}

export function rawTextOf(element: HtmlElement): string {
  return element.children.filter((child) => typeof child === "string").join("");
}

/** Collects shown text up to a limit, so that reading nested elements takes linear time. */
class ShownText {
  readonly #pieces: string[] = [];
  readonly #max: number;
  readonly #leavesOut: ((inner: HtmlElement) => boolean) | undefined;
  #length = 0;
  #elements = 0;
  /** The last characters of the joined pieces. Joining the pieces for each text would be slow. */
  #end = "";

  constructor(max: number, leavesOut?: (inner: HtmlElement) => boolean) {
    this.#max = max;
    this.#leavesOut = leavesOut;
  }

  text(): string {
    return this.#pieces.join("");
  }

  add(element: HtmlElement): void {
    this.#elements += 1;
    if (NOT_SHOWN.has(element.name) || this.#leavesOut?.(element)) return;
    const isBreak = BREAKS.has(element.name);
    if (isBreak) this.#put(" ");
    let opener: HtmlElement | null = element;
    for (const child of element.children) {
      if (this.#length >= this.#max || this.#elements > 2_000) return;
      if (typeof child !== "string") this.add(child);
      else this.#addText(child.slice(0, this.#max), opener);
      opener = null;
    }
    if (isBreak) this.#put(" ");
  }

  #addText(text: string, opener: HtmlElement | null): void {
    if (isDigit(this.#end.at(-1)) && isDigit(text.at(0))) {
      this.#put(opener !== null && isCents(opener, text) ? centsSign(this.#end) : " ");
    }
    this.#put(text);
  }

  #put(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const end = piece.length < END_CHARACTERS ? this.#end + piece : piece;
    this.#end = end.slice(-END_CHARACTERS);
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function isCents(element: HtmlElement, text: string): boolean {
  if (!/^\d\d$/.test(text.trimEnd())) return false;
  return element.name === "sup" || CENTS_CLASS.test(element.attribs.class ?? "");
}

function centsSign(end: string): string {
  return /,\d{3}$/.test(end) ? "." : ",";
}

const STRUCK_TAGS: ReadonlySet<string> = new Set(["del", "s", "strike"]);
const STRUCK_CLASS =
  /(?:^|[\s_-])(?:(?:old|original|was|former|previous|strike|striked|strikethrough|crossed|streich|uvp)[_-]?(?:price|preis)|(?:price|preis)[_-]{0,2}(?:old|original|was|strike|crossed|uvp)|line-?through)/i;

export function isStruck(element: HtmlElement): boolean {
  return isStruckByTag(element) || isCalledOld(element);
}

export function isStruckByTag({ name }: HtmlElement): boolean {
  return STRUCK_TAGS.has(name);
}

export function isCalledOld({ attribs }: HtmlElement): boolean {
  return STRUCK_CLASS.test(attribs.class ?? "");
}

export function ancestorsOf(element: HtmlElement, levels = Infinity): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  let at: HtmlElement | null = element;
  for (let level = 0; level <= levels && at?.parent; level++, at = at.parent) found.push(at);
  return found;
}
