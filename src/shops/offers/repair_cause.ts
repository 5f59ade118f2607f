/** Why a page brings no price, as the people see it who mend that; plain functions. */
/** Causes of failing pages. The codes are public; none is ever removed. */
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

/** Causes by failure of the fetch; a missing code is no failure. */
const CAUSE_OF: ReadonlyMap<string, RepairCause> = new Map([
  ["no_price", "nothing_found"],
  ["unread", "nothing_found"],
  ["ambiguous_price", "two_prices"],
  ["gone", "gone"],
  ["listing", "listing"],
  ["other_product", "other_product"],
  ["variant_open", "variant_open"],
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

/** Whether a fetch that ended so leaves something to mend: an article that is sold out does not. */
export function isFailure(status: string): boolean {
  return CAUSE_OF.has(status);
}

/** A page that needs repair. */
export interface Failing {
  readonly cause: RepairCause;
  /** Since when it has brought no price, in milliseconds. */
  readonly sinceMs: number;
}

/** The fields of an offer about its page; see `Offer`. */
interface LookedAtPage {
  readonly enabled: boolean;
  readonly noPrice: boolean;
  readonly status: string | null;
  readonly failingSinceMs: number | null;
  readonly observedAtMs: number | null;
}

/**
 * The cause why an offer's page fails; `null` where it does not, where it is not fetched, and where
 * a person has said that it shows no price. A page on which nothing is found any more has another
 * layout.
 */
export function failingOf(
  { enabled, noPrice, status, failingSinceMs, observedAtMs }: LookedAtPage,
): Failing | null {
  if (!enabled || noPrice || status === null || failingSinceMs === null) return null;
  const cause = CAUSE_OF.get(status);
  if (cause === undefined) return null;
  const isOther = cause === "nothing_found" && observedAtMs !== null;
  return { cause: isOther ? "layout_changed" : cause, sinceMs: failingSinceMs };
}
