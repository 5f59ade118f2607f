/**
 * CSS selectors that users write, with limits. A selector that can take endless time is refused
 * when a user saves the selector. An accepted selector may still be slow on some pages, so callers
 * must limit the time.
 */

import { TooComplex } from "../../../base/failure.ts";
import { hasControlCharacters } from "../../../base/text.ts";
import { type HtmlElement, type HtmlNode, textOf } from "./html_element.ts";
import type { HtmlPage } from "./html_page.ts";
import { compile, type Options, selectAll } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";

const CHARACTERS_MAX = 500;
const ALTERNATIVES_MAX = 20;
const PARTS_MAX = 100;
const COMBINATORS_MAX = 40;
const NESTING_MAX = 3;

interface InvalidSelector {
  readonly error: string;
  /** True if the selector is valid but too complex. */
  readonly isExcess: boolean;
}

function checkSelector(selector: string): InvalidSelector | null {
  if (selector.length > CHARACTERS_MAX) {
    return { error: `Must have at most ${CHARACTERS_MAX} characters`, isExcess: true };
  }
  if (hasControlCharacters(selector)) {
    return { error: "Must not contain control characters", isExcess: false };
  }
  const count = new SelectorCount();
  try {
    count.add(selector, 0, 0);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return { error: `Is not a CSS selector: ${why}`, isExcess: false };
  }
  const error = count.excess();
  return error === null ? null : { error, isExcess: true };
}

class SelectorCount {
  #alternatives = 0;
  #parts = 0;
  #combinators = 0;
  #nesting = 0;
  #has = 0;

  excess(): string | null {
    const counted: [boolean, string][] = [
      [this.#has > 1, ":has() within :has()"],
      [this.#alternatives > ALTERNATIVES_MAX, `more than ${ALTERNATIVES_MAX} alternatives`],
      [this.#parts > PARTS_MAX, `more than ${PARTS_MAX} parts`],
      [this.#combinators > COMBINATORS_MAX, `more than ${COMBINATORS_MAX} combinators`],
      [this.#nesting > NESTING_MAX, `selectors nested deeper than ${NESTING_MAX} levels`],
    ];
    const first = counted.find(([isBeyond]) => isBeyond);
    return first ? `Must not contain ${first[1]}` : null;
  }

  add(selector: string, nesting: number, has: number): void {
    this.#addLists(parse(selector), nesting, has);
  }

  #addLists(lists: readonly (readonly Selector[])[], nesting: number, has: number): void {
    this.#nesting = Math.max(this.#nesting, nesting);
    this.#has = Math.max(this.#has, has);
    this.#alternatives += lists.length - (nesting === 0 ? 0 : 1);
    for (const part of lists.flat()) {
      this.#parts += 1;
      if (isTraversal(part)) this.#combinators += 1;
      if (part.type !== "pseudo" || part.data === null) continue;
      if (typeof part.data !== "string") {
        this.#addLists(part.data, nesting + 1, part.name === "has" ? has + 1 : has);
        continue;
      }
      const of = part.name.startsWith("nth-") ? part.data.search(/\sof\s/i) : -1;
      if (of !== -1) this.add(part.data.slice(of + 4), nesting + 1, has);
    }
  }
}

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

/** Null for a usable selector. `:has()` within `:has()` is refused as in CSS (Selectors 4). */
export function selectorError(selector: string): string | null {
  const found = checkSelector(selector);
  if (found !== null) return found.error;
  try {
    compile(selector);
    return null;
  } catch (error) {
    return `Is not a CSS selector: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * In page order. Empty for an invalid selector. Throws `TooComplex` if the selector exceeds a
 * limit, because stored selectors may be older than the limit.
 */
export function selectElements({ document }: HtmlPage, selector: string): readonly HtmlElement[] {
  const found = checkSelector(selector);
  if (found?.isExcess) throw new TooComplex(`The selector is too complex: ${found.error}`);
  if (found !== null) return [];
  try {
    return selectAll<HtmlNode, HtmlElement>(selector, document, { adapter: ADAPTER });
  } catch {
    return []; // Such as an unknown pseudo-class.
  }
}

const ADAPTER: Adapter = {
  isTag: (node): node is HtmlElement => typeof node !== "string" && node.parent !== null,
  getAttributeValue: ({ attribs }, name) =>
    Object.hasOwn(attribs, name) ? attribs[name] : undefined,
  hasAttrib: ({ attribs }, name) => Object.hasOwn(attribs, name),
  getChildren: (node) => typeof node === "string" ? [] : node.children,
  getName: ({ name }) => name,
  getParent: ({ parent }) => parent,
  getSiblings: (node) => typeof node === "string" ? [] : node.parent?.children ?? [],
  getText: (node) => typeof node === "string" ? node : textOf(node, 10_000),
  removeSubsets: (nodes) => nodes,
};
