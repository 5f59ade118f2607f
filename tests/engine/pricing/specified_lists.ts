/** Names that the customer's specification requires; Kurant's own lists begin with them. */

export const SPECIFIED_TRIGGERS =
  `competitor_undercut competitor_overcut margin_below margin_above position_change market_index
  scrape_stale`
    .split(/\s+/);

/** Kurant has no other actions. */
export const SPECIFIED_ACTIONS = "alert_inapp alert_email propose_price auto_apply_if_safe"
  .split(" ");
