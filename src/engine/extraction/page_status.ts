/** Codes about a shop's page. The web client imports this module, so it contains only constants. */

/** Pages without a price. The codes are also error codes. */
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

/** The codes are public: never remove a code (docs/decisions/scraping.md). */
export const PAGE_STATUSES = ["priced", ...ODD_STATUSES, "blocked", "unread"] as const;

export type PageStatus = (typeof PAGE_STATUSES)[number];

/** Codes of pages with several variants, if our variant is unknown. */
export const OPEN_VARIANTS: ReadonlySet<string> = new Set<PageStatus>([
  "variant_open",
  "variant_unknown",
]);

export const ANSWERS_WITHOUT_PRICE: ReadonlySet<string> = new Set<PageStatus>([
  "sold_out",
  "gone",
  "on_request",
  "listing",
]);

export const PAGE_WARNINGS = ["selector_dead"] as const;

export type PageWarning = (typeof PAGE_WARNINGS)[number];

/** Data that can choose a variant, the most reliable first. Never remove a name. */
export const VARIANT_WAYS = ["gtin", "mpn", "sku", "address", "title"] as const;

export type VariantWay = (typeof VARIANT_WAYS)[number];

/**
 * `chosen`: our data choose a variant. `open`: it is unclear which of several prices is ours.
 * `unknown`: our title names a value that no variant has.
 */
export const VARIANT_STATES = ["chosen", "open", "unknown"] as const;

export type VariantState = (typeof VARIANT_STATES)[number];
