/**
 * Outcomes, statuses and error codes of link checks, which judge whether pages show our products.
 * The web client imports this module, so the module has only constants.
 */

/** Outcomes of a line, in the order in which lists of checked lines show them. */
export const CHECK_OUTCOMES = ["sure", "check", "wrong", "failed"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export const LINE_STATUSES = ["open", "linked", "existing", "dropped"] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export const LINE_ERRORS = [
  "bad_line",
  "bad_pack",
  "bad_url",
  "unknown_sku",
  "unknown_gtin",
  "several_products",
  "unknown_shop",
  "shop_off",
] as const;

export type LineError = (typeof LINE_ERRORS)[number];
