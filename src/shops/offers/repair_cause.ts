/** Causes of pages without a price, for the list of repairs. */

/** Public codes: none may be removed. New codes go to the end, because counts store positions. */
export const REPAIR_CAUSES = [
  "nothing_found",
  "two_prices",
  "layout_changed",
  "gone",
  "listing",
  "other_product",
  "variant_open",
  "blocked",
  "net_only",
  "third_party",
  "currency",
  "no_answer",
  "unreadable",
  "robots",
] as const;

export type RepairCause = (typeof REPAIR_CAUSES)[number];

/** Codes that need no repair, such as `sold_out`, are absent. */
export const CAUSE_OF: ReadonlyMap<string, RepairCause> = new Map([
  ["no_price", "nothing_found"],
  ["unread", "nothing_found"],
  ["ambiguous_price", "two_prices"],
  ["gone", "gone"],
  ["listing", "listing"],
  ["other_product", "other_product"],
  ["variant_open", "variant_open"],
  ["variant_unknown", "variant_open"],
  ["blocked", "blocked"],
  ["net_only", "net_only"],
  ["third_party", "third_party"],
  ["currency_mismatch", "currency"],
  ["http_error", "no_answer"],
  ["timeout", "no_answer"],
  ["dns_error", "no_answer"],
  ["unreachable", "no_answer"],
  ["private_address", "no_answer"],
  ["redirect_refused", "no_answer"],
  ["too_large", "unreadable"],
  ["too_complex", "unreadable"],
  ["unsupported_content", "unreadable"],
  ["robots_disallowed", "robots"],
]);
