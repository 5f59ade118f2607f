/** Statuses of a shop's page. The web client imports this module, so it contains only constants. */

/** Pages that were read well but show no article with a price. Results use these codes as errors. */
export const ODD_STATUSES = [
  "on_request",
  "sold_out",
  "gone",
  "listing",
  "other_product",
  "variant_open",
  "net_only",
  "third_party",
  "variant_unknown",
] as const;

/** Public codes: never remove one (docs/decisions/scraping.md). */
export const PAGE_STATUSES = ["priced", ...ODD_STATUSES, "blocked", "unread"] as const;

export type PageStatus = (typeof PAGE_STATUSES)[number];

/** Pages with several variants, none of which is known to be ours. */
export const OPEN_VARIANTS: ReadonlySet<string> = new Set<PageStatus>([
  "variant_open",
  "variant_unknown",
]);

/** The shop has answered, nothing is broken, and the page has no price. */
export const ANSWERS_WITHOUT_PRICE: ReadonlySet<string> = new Set<PageStatus>([
  "sold_out",
  "gone",
  "on_request",
  "listing",
]);
