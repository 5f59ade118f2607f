/**
 * Finds the elements that style sheets in the page strike through. Only selectors of tags, classes,
 * and first or last children are understood. Style sheets in other files are not read.
 */
import { ancestorsOf, type HtmlElement, type HtmlNode, rawTextOf } from "../page/html_element.ts";

const SELECTOR_CHARACTERS_MAX = 300;
const LEVELS_UP = 8;
const LINE_THROUGH = "line-through";
/** A selector with a state such as `:hover` does not match. */
const UNDERSTOOD = /^([a-z0-9]*)((?:\.[\w-]+)*)(?::(first|last)-(?:child|of-type))?$/i;

interface Step {
  /** Empty means any tag. */
  readonly tag: string;
  readonly classes: readonly string[];
  readonly place: string | undefined;
}

/** Conditions for the element itself, and for elements around it. */
interface StruckRule {
  readonly own: Step;
  readonly around: readonly Step[];
}

export class StruckStyles {
  /** Rules by the first class of `own`. Without a class, the key is `<` and the tag of `own`. */
  readonly #rules = new Map<string, StruckRule[]>();

  constructor(styles: readonly HtmlElement[]) {
    let [rules, characters] = [0, 0];
    for (const style of styles) {
      const text = rawTextOf(style);
      characters += text.length;
      if (characters > 2 * 1024 * 1024) return;
      for (
        let at = text.indexOf(LINE_THROUGH);
        at !== -1;
        at = text.indexOf(LINE_THROUGH, at + LINE_THROUGH.length)
      ) {
        if (++rules > 300) return;
        for (const selector of selectorsBefore(text, at)) this.#add(selector);
      }
    }
  }

  strikes(element: HtmlElement): boolean {
    if (this.#rules.size === 0) return false;
    return [...classesOf(element), `<${element.name}`].some((key) =>
      this.#rules.get(key)?.some(({ own, around }) =>
        fits(element, own) &&
        around.every((step) =>
          ancestorsOf(element, LEVELS_UP).slice(1).some((at) => fits(at, step))
        )
      )
    );
  }

  #add(selector: string): void {
    const steps = selector.split(/[\s>]+/).map((step): Step | null => {
      const [, tag, classes, place] = UNDERSTOOD.exec(step) ?? [];
      if (tag === undefined || classes === undefined) return null;
      return { tag: tag.toLowerCase(), classes: classes.split(".").slice(1), place };
    }).filter((step) => step !== null);
    const own = steps.at(-1);
    if (own === undefined || steps.length < selector.split(/[\s>]+/).length) return;
    const around = steps.slice(0, -1).filter(({ classes }) => classes.length > 0);
    // A selector that is only a tag would match everywhere on the page.
    const key = own.classes[0] ?? (around.length > 0 && own.tag !== "" ? `<${own.tag}` : null);
    if (key !== null) this.#rules.getOrInsertComputed(key, () => []).push({ own, around });
  }
}

function selectorsBefore(text: string, at: number): readonly string[] {
  const begin = Math.max(0, at - 600);
  const before = text.slice(begin, at);
  const opens = before.lastIndexOf("{");
  if (opens === -1 || before.lastIndexOf("}") > opens) return [];
  const lead = text.slice(Math.max(0, begin + opens - SELECTOR_CHARACTERS_MAX), begin + opens);
  const start = Math.max(lead.lastIndexOf("}"), lead.lastIndexOf("{"), lead.lastIndexOf("/"));
  // If `lead` begins within the list of selectors, the first selector is incomplete.
  const selectors = lead.slice(start + 1).split(",");
  return (start === -1 && lead.length === SELECTOR_CHARACTERS_MAX ? selectors.slice(1) : selectors)
    .map((selector) => selector.trim());
}

function classesOf({ attribs }: HtmlElement): readonly string[] {
  const names = attribs.class;
  return names === undefined ? [] : names.slice(0, SELECTOR_CHARACTERS_MAX).split(/\s+/);
}

function fits(element: HtmlElement, { tag, classes, place }: Step): boolean {
  const own = classesOf(element);
  if (tag !== "" && tag !== element.name) return false;
  if (!classes.every((name) => own.includes(name))) return false;
  if (place === undefined) return true;
  const siblings = element.parent?.children ?? [];
  const isElement = (child: HtmlNode) => typeof child !== "string";
  return element === (place === "first" ? siblings.find(isElement) : siblings.findLast(isElement));
}
