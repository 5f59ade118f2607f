import type { HtmlElement } from "./html_element.ts";

const NOT_SHOWN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);
const BREAKS: ReadonlySet<string> = new Set(
  "br div p li ul ol td th tr table dd dt dl section article h1 h2 h3 h4 h5 h6".split(" "),
);
const CENTS_CLASS = /cent|decimal|fraction/i;

/**
 * The text of an element as a reader sees it, on one line, cut at a number of characters. Digits of
 * neighbouring elements do not run together; raised cents, `29<sup>99</sup>`, get a decimal sign.
 * What stands in elements that `leavesOut` names is not there.
 */
export function textOf(
  element: HtmlElement,
  charactersMax: number,
  leavesOut: (inner: HtmlElement) => boolean = () => false,
): string {
  const shown = new ShownText(charactersMax * 2, leavesOut);
  shown.add(element);
  return shown.text.replace(/\s+/g, " ").trim().slice(0, charactersMax).trimEnd();
}

/** The data of a `script`, which is never broken up by elements. */
export function rawTextOf(element: HtmlElement): string {
  return element.children.filter((child) => typeof child === "string").join("");
}

/** Grows up to a bound, so that reading nested elements stays linear. */
class ShownText {
  text = "";
  readonly #max: number;
  readonly #leavesOut: (inner: HtmlElement) => boolean;

  constructor(max: number, leavesOut: (inner: HtmlElement) => boolean) {
    this.#max = max;
    this.#leavesOut = leavesOut;
  }

  add(element: HtmlElement): void {
    if (NOT_SHOWN.has(element.name) || this.#leavesOut(element)) return;
    const isBreak = BREAKS.has(element.name);
    if (isBreak) this.text += " ";
    for (const [position, child] of element.children.entries()) {
      if (this.text.length >= this.#max) return;
      if (typeof child !== "string") this.add(child);
      else this.#addText(child.slice(0, this.#max), position === 0 ? element : null);
    }
    if (isBreak) this.text += " ";
  }

  #addText(text: string, opener: HtmlElement | null): void {
    if (/\d$/.test(this.text) && /^\d/.test(text)) {
      this.text += opener !== null && isCents(opener, text) ? centsSign(this.text) : " ";
    }
    this.text += text;
  }
}

function isCents(element: HtmlElement, text: string): boolean {
  if (!/^\d\d\s*$/.test(text)) return false;
  return element.name === "sup" || CENTS_CLASS.test(element.attribs.class ?? "");
}

function centsSign(whole: string): string {
  return /,\d{3}$/.test(whole) ? "." : ",";
}
