/** Codes about the variants of an article. The module contains only constants, so that the web client may import it. */

/** What a variant was chosen by, the surest first. Public; the list only ever grows. */
export const VARIANT_WAYS = ["gtin", "mpn", "sku", "address", "title"] as const;

export type VariantWay = (typeof VARIANT_WAYS)[number];

/**
 * `chosen`: our identifiers choose one; `open`: several prices, and nothing says which one is ours;
 * `unknown`: our title names a value that no variant has.
 */
export const VARIANT_STATES = ["chosen", "open", "unknown"] as const;

export type VariantState = (typeof VARIANT_STATES)[number];
