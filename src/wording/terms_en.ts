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
