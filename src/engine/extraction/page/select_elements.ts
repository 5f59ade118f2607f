import { compile, type Options, selectAll } from "css-select";
import { TooComplex } from "../../../base/too_complex.ts";
import type { WorkBudget } from "../work_budget.ts";
import type { HtmlPage } from "./html_page.ts";
import type { HtmlElement, HtmlNode } from "./html_element.ts";
import { textOf } from "./html_text.ts";
import { readSelector } from "./selector_limits.ts";

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

const TEXT_CHARACTERS_MAX = 10_000;

/**
 * What is wrong with a CSS selector, or null. `:has()` within `:has()` is refused as CSS does
 * (Selectors 4), and a selector that means work without end with the limit that it goes beyond.
 */
export function misfitOfSelector(selector: string): string | null {
  const read = readSelector(selector);
  if ("misfit" in read) return read.misfit;
  try {
    compile(selector);
    return null;
  } catch (error) {
    return `Is no CSS selector: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * The elements that match a CSS selector, in the order of the page; none for what is no selector.
 * Selectors and pages come from outside and together can mean work without end (`:nth-child` over
 * 100,000 siblings): every look at a node is taken from the budget of the page. Throws `TooComplex` when
 * none is left, or when the selector goes beyond a limit of today: it may have been stored before there
 * was one.
 */
export function selectElements(
  { document }: HtmlPage,
  selector: string,
  work: WorkBudget,
): readonly HtmlElement[] {
  const read = readSelector(selector);
  if ("misfit" in read) {
    if (read.isExcess) throw new TooComplex(`The selector is too complex: ${read.misfit}`);
    return [];
  }
  try {
    const adapter = countingAdapter(work, read.wordCharacters);
    return selectAll<HtmlNode, HtmlElement>(selector, document, { adapter });
  } catch (error) {
    if (error instanceof TooComplex) throw error;
    return []; // Such as a pseudo-class that nobody knows.
  }
}

/**
 * A search of a word in a text takes at worst the product of their lengths; lists of children and
 * siblings are copied and searched from their begin.
 */
function countingAdapter(work: WorkBudget, wordCharacters: number): Adapter {
  const search = (length: number) => work.take(1 + ((length * wordCharacters) >> 5));
  return {
    isTag(node): node is HtmlElement {
      work.take(1);
      return typeof node !== "string" && node.parent !== null;
    },
    getAttributeValue(element, name) {
      const value = Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined;
      search(value?.length ?? 0);
      return value;
    },
    hasAttrib(element, name) {
      work.take(1);
      return Object.hasOwn(element.attribs, name);
    },
    getChildren(node) {
      if (typeof node === "string") return [];
      work.take(1 + (node.children.length >> 1));
      return node.children;
    },
    getName(element) {
      work.take(1);
      return element.name;
    },
    getParent: (element) => element.parent,
    getSiblings(node) {
      const siblings = typeof node === "string" ? [] : node.parent?.children ?? [];
      work.take(1 + siblings.length);
      return siblings;
    },
    getText(node) {
      const text = typeof node === "string" ? node : textOf(node, TEXT_CHARACTERS_MAX, work);
      search(text.length);
      return text;
    },
    removeSubsets: (nodes) => nodes,
  };
}
