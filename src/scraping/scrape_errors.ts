import { ODD_STATUSES } from "../engine/extraction/page_status.ts";

/** Reasons why a target has no price. The codes are public, so none may be removed. */
export const SCRAPE_ERRORS = [
  "robots_disallowed",
  "blocked",
  "http_error",
  "timeout",
  "dns_error",
  "unreachable",
  "private_address",
  "redirect_refused",
  "too_large",
  "too_complex",
  "unsupported_content",
  "no_price",
  "ambiguous_price",
  "currency_mismatch",
  "backing_off",
  ...ODD_STATUSES,
] as const;

export type ScrapeError = (typeof SCRAPE_ERRORS)[number];
