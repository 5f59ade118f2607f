import type { Labels, Terms } from "./terms_de.ts";

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
  on_request: "The shop tells the price on request only.",
  sold_out: "The article is sold out, and no price is there.",
  gone: "The shop does not have this article any more.",
  listing: "The address leads to a list of articles, not to one.",
  other_product: "The page has another article than the linked one.",
  variant_open: "The article has several variants, and none is chosen.",
  net_only: "The page has prices without tax alone.",
  third_party: "Other sellers alone have the article there.",
};

const pageStatuses = {
  priced: "price",
  on_request: "on request",
  sold_out: "sold out",
  gone: "gone",
  listing: "list",
  other_product: "other article",
  variant_open: "variant open",
  net_only: "net only",
  third_party: "other seller",
  blocked: "turned away",
  unread: "not read",
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
  scrapeErrors,
  pageStatuses,
  findings,
  severities,
  compared: {
    asks: (shop, price) => `${shop} asks ${price}`,
    mean: (count, price) => `The average of ${count} prices is ${price}`,
    less: (pct, ours) => `${pct} less than we do (${ours})`,
    more: (pct, ours) => `${pct} more than we do (${ours})`,
    same: (ours) => `as much as we do (${ours})`,
    tooLittle: "not enough for the rule",
  },
};
