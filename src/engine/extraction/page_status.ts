/**
 * Codes for the status and the variants of a shop's page, and limits for the confidence in its
 * price. The module imports nothing, so that the web client loads no other module with it.
 */

/** If a page with one of these statuses has no price, the status is also the error code. */
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

/** Stored rows contain page statuses, so never remove a status (docs/decisions/scraping.md). */
export const PAGE_STATUSES = ["priced", ...ODD_STATUSES, "blocked", "unread"] as const;

export type PageStatus = (typeof PAGE_STATUSES)[number];

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

/** The data by which a variant can be chosen, the most reliable data first. */
export const VARIANT_WAYS = ["gtin", "mpn", "sku", "address", "title"] as const;

export type VariantWay = (typeof VARIANT_WAYS)[number];

/**
 * `chosen`: one variant fits our product data. `open`: it is unclear which of several prices
 * belongs to our product. `unknown`: our title names a value, such as a size, that no variant has.
 */
export const VARIANT_STATES = ["chosen", "open", "unknown"] as const;

export type VariantState = (typeof VARIANT_STATES)[number];

/** Maximum confidence if the page gives a reason to doubt the price. */
export const DOUBTFUL = 0.7;
/** Maximum confidence if other data of the page contradict the price. */
export const CONTRADICTED = 0.6;

/**
 * A range of confidence values that begins at `from` and ends before the next higher `from`. `of`
 * is the number of test pages with a confidence in this range; the price is correct on `right` of
 * them. The test `saved_pages_test.ts` checks these numbers.
 */
export interface ConfidenceBand {
  readonly from: number;
  readonly right: number;
  readonly of: number;
}

export const CALIBRATION: readonly ConfidenceBand[] = [
  { from: 1, right: 124, of: 124 },
  { from: 0.9, right: 52, of: 52 },
  { from: 0.8, right: 114, of: 114 },
  { from: 0.7, right: 26, of: 26 },
  { from: 0, right: 10, of: 22 },
];

export function bandOf(confidence: number): ConfidenceBand | null {
  const band = CALIBRATION.find(({ from }) => confidence >= from);
  return band && band.of > 0 ? band : null;
}
