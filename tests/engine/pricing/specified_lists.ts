/**
 * Names that the specification lists, in the same order. Our own lists begin with these names and
 * append further ones.
 */

export const SPECIFIED_TRIGGERS = [
  "competitor_undercut",
  "competitor_overcut",
  "margin_below",
  "margin_above",
  "position_change",
  "market_index",
  "scrape_stale",
];

/** Our own list has exactly these actions. */
export const SPECIFIED_ACTIONS = [
  "alert_inapp",
  "alert_email",
  "propose_price",
  "auto_apply_if_safe",
];

/** Formulas of `propose_price`. */
export const SPECIFIED_FORMULAS = [
  "match_cheapest",
  "min_competitor_minus_1pct",
  "target_margin_pct",
];
