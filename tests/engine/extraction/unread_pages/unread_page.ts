/**
 * Product pages that the readers were not developed on: each has its own template and shop, and what
 * is right was stated before any reader saw the page.
 */
import type { Kind, MadePage, OurProduct } from "../made_pages/made_page.ts";
import type { Expected } from "../made_pages/made_page.ts";

export interface UnreadPage {
  readonly trait: string;
  readonly url: string;
  readonly product: OurProduct;
  readonly expected: Expected;
  /** What is right for a reader that does not know our product; else the same. */
  readonly alone?: Expected;
  readonly html: string;
}

export function unreadPages(kind: Kind, pages: readonly UnreadPage[]): readonly MadePage[] {
  return pages.map((page) => ({
    ...page,
    kind,
    name: `${kind}: ${page.trait}`,
    alone: page.alone ?? page.expected,
  }));
}
