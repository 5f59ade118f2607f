/** The facts of a page that was not read. */
import type { PageFacts } from "./page_facts.ts";

export const NO_FACTS: PageFacts = {
  pageStatus: "unread",
  availability: "unknown",
  title: null,
  brand: null,
  gtin: null,
  ownGtins: [],
  gtins: [],
  mpn: null,
  sku: null,
  condition: null,
  seller: null,
  isThirdParty: false,
  unitPrice: null,
  candidates: [],
  warnings: [],
  variant: null,
};
