import type { HtmlElement } from "./html_element.ts";

const STRUCK_TAGS: ReadonlySet<string> = new Set(["del", "s", "strike"]);
const STRUCK_CLASS =
  /(?:^|[\s_-])(?:(?:old|original|was|former|previous|strike|striked|strikethrough|crossed|streich|uvp)[_-]?(?:price|preis)|(?:price|preis)[_-]{0,2}(?:old|original|was|strike|crossed|uvp)|line-?through)/i;

/** True for an element that says by its tag or its class that its price is a former one. */
export function isStruck({ name, attribs }: HtmlElement): boolean {
  return STRUCK_TAGS.has(name) || (attribs.class !== undefined && STRUCK_CLASS.test(attribs.class));
}
