import { sha256Hex } from "../../base/bytes.ts";
import { utf8Bytes } from "../../base/text.ts";
import { type AddressAllowList, judgeUrl } from "../../platform/fetch/address_guard.ts";
import { domainOf, URL_REASONS } from "../domain.ts";

const URL_BYTES_MAX = 2_048;
const HASH_BYTES = 16;
/** Maximum length of a DNS name (RFC 1035 §2.3.4); a longer one would not fit in a key of the store. */
const HOST_CHARS_MAX = 253;

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
  if (verdict.url.hostname.length > HOST_CHARS_MAX) {
    return { reason: `Must name a host of at most ${HOST_CHARS_MAX} characters` };
  }
  const urlHash = urlHashOf(verdict.url);
  return { target: { url, urlHash, domain: domainOf(verdict.url) } };
}

export function urlHashOf(url: URL): string {
  return sha256Hex(normaliseUrl(url)).slice(0, 2 * HASH_BYTES);
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

/**
 * The form in which a page is asked for: shops need not count our visits among those of a campaign. An
 * invalid URL stays unchanged; callers refuse it.
 */
export function fetchedUrl(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text : normaliseUrl(url);
}

/** The spelling of the other parameters stays: a shop may tell `%20` and `+` apart. */
function isCampaign(parameter: string): boolean {
  return /^(utm_[^=]*|gclid)(=|$)/i.test(parameter);
}
