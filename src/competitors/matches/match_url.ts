import { sha256 } from "../../base/sha256.ts";
import { utf8Bytes } from "../../base/text.ts";
import { type AddressAllowList, judgeUrl } from "../../platform/fetch/address_guard.ts";
import { domainOf, URL_REASONS } from "../domain.ts";

const URL_BYTES_MAX = 2_048;
const HASH_BYTES = 16;

/** A URL that may be kept: as it was written, its name within a product, and whose it is. */
export interface MatchTarget {
  readonly url: string;
  /** 32 hex characters: 16 bytes of SHA-256 over the normalised URL. */
  readonly urlHash: string;
  readonly domain: string;
}

/**
 * Judges a URL that is to be kept (docs/decisions/competitors.md, docs/decisions/scraping.md); the
 * port does not matter before it is fetched.
 */
export function parseMatchUrl(
  text: string,
  allowed: AddressAllowList,
): { target: MatchTarget } | { reason: string } {
  const url = text.trim();
  if (utf8Bytes(url) > URL_BYTES_MAX) return { reason: `Must have at most ${URL_BYTES_MAX} bytes` };
  const verdict = judgeUrl(url, { allowed, ports: null });
  if ("misfit" in verdict) return { reason: URL_REASONS[verdict.misfit] };
  const urlHash = urlHashOf(verdict.url);
  return { target: { url, urlHash, domain: domainOf(verdict.url) } };
}

/** The name of a URL within a product. */
export function urlHashOf(url: URL): string {
  return sha256(normaliseUrl(url)).subarray(0, HASH_BYTES).toHex();
}

/**
 * The form in which URLs of one product are compared: without fragment and the parameters of
 * campaigns; host in lower case and a default port dropped, as the parser leaves them.
 */
export function normaliseUrl({ protocol, host, pathname, search }: URL): string {
  const parameters = search.slice(1).split("&")
    .filter((parameter) => parameter !== "" && !isCampaign(parameter));
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const plainHost = host.replace(/\.(?=:|$)/, "");
  return `${protocol}//${plainHost}${pathname}${query}`;
}

/** The spelling of the other parameters stays: a shop may tell `%20` and `+` apart. */
function isCampaign(parameter: string): boolean {
  return /^(utm_[^=]*|gclid)(=|$)/i.test(parameter);
}
