import { isTraversal, parse, type Selector } from "css-what";
import { hasControlCharacters } from "../../../base/text.ts";

const CHARACTERS_MAX = 500;
const ALTERNATIVES_MAX = 20;
const PARTS_MAX = 100;
const COMBINATORS_MAX = 40;
const NESTING_MAX = 3;

/** A selector that keeps the limits, or what is wrong with it. */
export type ReadSelector =
  | {
    /** Length of the longest text that it looks for in an attribute or a text. */
    readonly wordCharacters: number;
  }
  /** `isExcess`: it is a selector, and goes beyond a limit. */
  | { readonly misfit: string; readonly isExcess: boolean };

/** Parses a selector, and counts what it is made of. */
export function readSelector(selector: string): ReadSelector {
  if (selector.length > CHARACTERS_MAX) {
    return { misfit: `Must not be longer than ${CHARACTERS_MAX} characters`, isExcess: true };
  }
  if (hasControlCharacters(selector)) {
    return { misfit: "Must not hold control characters", isExcess: false };
  }
  const count = new SelectorCount();
  try {
    count.add(selector, 0, 0);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return { misfit: `Is no CSS selector: ${why}`, isExcess: false };
  }
  const misfit = count.excess();
  return misfit === null ? { wordCharacters: count.wordCharacters } : { misfit, isExcess: true };
}

class SelectorCount {
  wordCharacters = 1;
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
    return first ? `Must not hold ${first[1]}` : null;
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
      if (part.type === "attribute") this.#noteWord(part.value);
      if (part.type !== "pseudo" || part.data === null) continue;
      if (typeof part.data !== "string") {
        this.#addLists(part.data, nesting + 1, part.name === "has" ? has + 1 : has);
        continue;
      }
      this.#noteWord(part.data);
      const of = part.name.startsWith("nth-") ? part.data.search(/\sof\s/i) : -1;
      if (of !== -1) this.add(part.data.slice(of + 4), nesting + 1, has);
    }
  }

  #noteWord(word: string): void {
    this.wordCharacters = Math.max(this.wordCharacters, word.length);
  }
}
