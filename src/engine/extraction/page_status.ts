/**
 * Statuses of a shop's page. The module contains only constants, so that the web client may import it.
 */

/** Statuses of pages that were read well and show no article with a price; also errors of results. */
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

/** The codes are public and only ever grow (docs/decisions/scraping.md). */
export const PAGE_STATUSES = ["priced", ...ODD_STATUSES, "blocked", "unread"] as const;

export type PageStatus = (typeof PAGE_STATUSES)[number];

/** Statuses of pages of several variants, none of which is known to be ours. */
export const OPEN_VARIANTS: ReadonlySet<string> = new Set<PageStatus>([
  "variant_open",
  "variant_unknown",
]);

/** Statuses of pages without a price where the shop has answered and nothing is broken. */
export const ANSWERS_WITHOUT_PRICE: ReadonlySet<string> = new Set<PageStatus>([
  "sold_out",
  "gone",
  "on_request",
  "listing",
]);
