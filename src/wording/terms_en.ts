import type { Labels, Terms } from "./terms_de.ts";

const triggers: Labels = {
  competitor_undercut: "a competitor is cheaper",
  competitor_overcut: "competitors are dearer",
  margin_below: "our margin is too small",
  margin_above: "our margin is larger than needed",
  position_change: "our rank has changed",
  market_index: "we are off the market",
  scrape_stale: "prices are out of date",
};

const guards: Labels = {
  no_own_price: "no own price",
  price_locked: "price locked",
  floor_unreachable: "margin unreachable",
  cost_unknown: "cost unknown",
  vat_unknown: "VAT rate unknown",
  no_reference: "too few references",
  price_too_low: "price too low",
  price_too_high: "price too high",
  floor_above_current: "margin floor is above today's price",
  no_change: "price stays the same",
  auto_apply_off: "automatic changes are switched off",
  floor_missing: "no margin floor",
  cooldown: "cooldown after the last fire",
  history_unread: "price history not read",
  manual_price: "price set by a person",
  stale_reference: "reference too old",
  low_confidence: "reference uncertain",
  outlier: "reference is an outlier",
  change_too_large: "change too large",
  daily_change_too_large: "change within a day too large",
  margin_floor: "lifted to the margin floor",
  outranked: "another rule goes first",
};

const scrapeErrors = {
  robots_disallowed: "The shop forbids this page in its robots.txt.",
  blocked: "The shop turns automatic visits away.",
  http_error: "The shop answers with an error.",
  timeout: "The shop does not answer in time.",
  dns_error: "This domain does not exist (any more).",
  unreachable: "The shop cannot be reached.",
  private_address: "The address leads into a private network.",
  redirect_refused: "The redirect leads nowhere or in circles.",
  too_large: "The page is too large.",
  too_complex: "The page is too much work to read. A simpler selector may help.",
  unsupported_content: "This is no web page.",
  no_price: "No readable price on the page. A selector may help.",
  ambiguous_price: "The price cannot be read with certainty. A selector may help.",
  currency_mismatch: "The price is in another currency.",
  backing_off: "The shop has answered with errors and is left alone for a while.",
};

/** The service speaks English itself. */
const findings: Labels = {};

const severities = {
  info: "info",
  low: "low",
  medium: "medium",
  high: "high",
  critical: "critical",
};

export const termsEn: Terms = {
  triggers,
  guards,
  scrapeErrors,
  findings,
  severities,
  compared: {
    asks: (shop, price) => `${shop} asks ${price}`,
    less: (pct, ours) => `${pct} less than we do (${ours})`,
    more: (pct, ours) => `${pct} more than we do (${ours})`,
  },
};
