import { type Options, selectAll } from "css-select";
import type { HtmlPage } from "./html_page.ts";
import type { HtmlElement, HtmlNode } from "./html_element.ts";
import { textOf } from "./html_text.ts";

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

/** Elements that a selector matches, or why it could not be applied. */
export type Selected = { readonly elements: readonly HtmlElement[] } | { readonly reason: string };

const STEPS_MIN = 5_000_000;
const TEXT_CHARACTERS_MAX = 10_000;

/**
 * The elements that match a CSS selector, in the order of the page. Selectors and pages come from
 * outside and together can mean work without end (`:nth-child` over 100,000 siblings), so steps are
 * counted and the search gives up after `STEPS_MIN` and ten for each character.
 */
export function selectElements(
  { document, characters }: HtmlPage,
  selector: string,
): Selected {
  try {
    const adapter = countingAdapter(STEPS_MIN + 10 * characters);
    return { elements: selectAll<HtmlNode, HtmlElement>(selector, document, { adapter }) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function countingAdapter(stepsMax: number): Adapter {
  let left = stepsMax;
  const count = (steps: number) => {
    left -= steps;
    if (left < 0) throw new RangeError("The selector means too much work on this page");
  };
  return {
    isTag(node): node is HtmlElement {
      count(1);
      return typeof node !== "string" && node.parent !== null;
    },
    getAttributeValue(element, name) {
      count(1);
      return Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined;
    },
    hasAttrib: (element, name) => Object.hasOwn(element.attribs, name),
    getChildren: (node) => typeof node === "string" ? [] : node.children,
    getName: (element) => element.name,
    getParent: (element) => element.parent,
    getSiblings(node) {
      count(1);
      return typeof node === "string" ? [] : node.parent?.children ?? [];
    },
    getText(node) {
      count(TEXT_CHARACTERS_MAX / 100);
      return typeof node === "string" ? node : textOf(node, TEXT_CHARACTERS_MAX);
    },
    removeSubsets: (nodes) => nodes,
  };
}
