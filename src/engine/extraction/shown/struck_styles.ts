/**
 * Which elements the style sheets in the page itself cross out. Only selectors of classes are
 * understood; sheets in other files are unknown.
 */
import { type HtmlElement, rawTextOf } from "../page/html_element.ts";

const RULES_MAX = 300;
const SELECTOR_CHARACTERS_MAX = 300;
const DECLARATION_CHARACTERS_MAX = 600;
const CHARACTERS_MAX = 2 * 1024 * 1024;
const LEVELS_UP = 8;
const SAID = "line-through";
/** Classes, with or without a tag; a state such as `:hover` says nothing of the page. */
const UNDERSTOOD = /^[a-z0-9]*(?:\.[\w-]+)*$/i;

/** A selector as classes: those of the element, and of each element that must be around it. */
interface StruckRule {
  readonly own: readonly string[];
  readonly around: readonly (readonly string[])[];
}

export class StruckStyles {
  /** By the first class of the element. */
  readonly #rules = new Map<string, StruckRule[]>();

  constructor(styles: readonly HtmlElement[]) {
    let [rules, characters] = [0, 0];
    for (const style of styles) {
      const text = rawTextOf(style);
      characters += text.length;
      if (characters > CHARACTERS_MAX) return;
      for (let at = text.indexOf(SAID); at !== -1; at = text.indexOf(SAID, at + SAID.length)) {
        if (++rules > RULES_MAX) return;
        for (const selector of selectorsBefore(text, at)) this.#add(selector);
      }
    }
  }

  strikes(element: HtmlElement): boolean {
    if (this.#rules.size === 0) return false;
    for (const name of classesOf(element)) {
      for (const { own, around } of this.#rules.get(name) ?? []) {
        if (hasAll(element, own) && around.every((classes) => isAround(element, classes))) {
          return true;
        }
      }
    }
    return false;
  }

  #add(selector: string): void {
    const steps = selector.split(/[\s>]+/);
    if (!steps.every((step) => UNDERSTOOD.test(step))) return;
    const compounds = steps.map((step) => step.split(".").slice(1));
    const own = compounds.at(-1);
    const [name] = own ?? [];
    if (own === undefined || name === undefined) return;
    const around = compounds.slice(0, -1).filter(({ length }) => length > 0);
    this.#rules.getOrInsertComputed(name, () => []).push({ own, around });
  }
}

/** The selectors of the rule around a place in a style sheet. */
function selectorsBefore(text: string, at: number): readonly string[] {
  const begin = Math.max(0, at - DECLARATION_CHARACTERS_MAX);
  const before = text.slice(begin, at);
  const opens = before.lastIndexOf("{");
  if (opens === -1 || before.lastIndexOf("}") > opens) return [];
  const lead = text.slice(Math.max(0, begin + opens - SELECTOR_CHARACTERS_MAX), begin + opens);
  const start = Math.max(lead.lastIndexOf("}"), lead.lastIndexOf("{"), lead.lastIndexOf("/"));
  // A list that is cut would begin in the middle of a selector.
  const selectors = lead.slice(start + 1).split(",");
  return (start === -1 && lead.length === SELECTOR_CHARACTERS_MAX ? selectors.slice(1) : selectors)
    .map((selector) => selector.trim());
}

function classesOf({ attribs }: HtmlElement): readonly string[] {
  const names = attribs.class;
  return names === undefined ? [] : names.slice(0, SELECTOR_CHARACTERS_MAX).split(/\s+/);
}

function hasAll(element: HtmlElement, names: readonly string[]): boolean {
  const own = classesOf(element);
  return names.every((name) => own.includes(name));
}

function isAround(element: HtmlElement, names: readonly string[]): boolean {
  let at = element.parent;
  for (let level = 0; level < LEVELS_UP && at; level++, at = at.parent) {
    if (hasAll(at, names)) return true;
  }
  return false;
}
