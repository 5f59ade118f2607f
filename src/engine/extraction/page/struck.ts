import type { WorkBudget } from "../work_budget.ts";
import type { HtmlElement } from "./html_element.ts";

const STRUCK_TAGS: ReadonlySet<string> = new Set(["del", "s", "strike"]);
const STRUCK_CLASS =
  /(?:^|[\s_-])(?:(?:old|original|was|former|previous|strike|striked|strikethrough|crossed|streich|uvp)[_-]?(?:price|preis)|(?:price|preis)[_-]{0,2}(?:old|original|was|strike|crossed|uvp)|line-?through)/i;
const CLASS_CHARACTERS_MAX = 1000;

/** True for an element that says by its tag or its class that its price is a former one. */
export function isStruck({ name, attribs }: HtmlElement, work: WorkBudget): boolean {
  if (STRUCK_TAGS.has(name)) return true;
  const words = attribs.class?.slice(0, CLASS_CHARACTERS_MAX);
  if (words === undefined) return false;
  work.take(words.length >> 2);
  return STRUCK_CLASS.test(words);
}
