/** Normalises domains of shops and URLs of pages, which prevents duplicate shops and links. */
import { refuseFields } from "../base/failure.ts";
import {
  type AddressAllowList,
  judgeUrl,
  portOf,
  URL_REASONS,
} from "../platform/fetch/fetch_limits.ts";
import { sha256Hex } from "../base/bytes.ts";
import { utf8Bytes } from "../base/text.ts";

/** Returns the host in lower case and punycode, without `www.`, final dot and default port. */
export function domainOf(url: URL): string {
  const whole = url.hostname.replace(/\.$/, "");
  const host = /^www\.[^.]+\./.test(whole) ? whole.slice(4) : whole;
  return url.port === "" ? host : `${host}:${url.port}`;
}

export function parseDomain(
  text: string,
  allowed: AddressAllowList,
): { domain: string } | { reason: string } {
  const trimmed = text.trim();
  const hasScheme = /^https?:\/\//i.test(trimmed);
  const verdict = judgeUrl(hasScheme ? trimmed : `https://${trimmed}`, { allowed, ports: null });
  if ("error" in verdict) return { reason: URL_REASONS[verdict.error] };
  const { url } = verdict;
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return { reason: 'Must be only a host name, such as "shop.de"' };
  }
  const port = portOf(url);
  if (!hasScheme && port === 80) url.port = "";
  return { domain: domainOf(url) };
}

export function requireDomain(text: string, allowed: AddressAllowList): string {
  const parsed = parseDomain(text, allowed);
  if ("domain" in parsed) return parsed.domain;
  throw refuseFields([{ path: "domain", message: parsed.reason }]);
}

const URL_BYTES_MAX = 2_048;
/** Maximum length of a DNS name (RFC 1035 §2.3.4). */
const HOST_CHARS_MAX = 253;

export interface MatchTarget {
  readonly url: string;
  /** The first 16 bytes of the normalised URL's SHA-256, as 32 hex characters. */
  readonly urlHash: string;
  readonly domain: string;
}

export function parseMatchUrl(
  text: string,
  allowed: AddressAllowList,
): { target: MatchTarget } | { reason: string } {
  const url = text.trim();
  if (utf8Bytes(url) > URL_BYTES_MAX) return { reason: `Must have at most ${URL_BYTES_MAX} bytes` };
  const verdict = judgeUrl(url, { allowed, ports: null });
  if ("error" in verdict) return { reason: URL_REASONS[verdict.error] };
  if (verdict.url.hostname.length > HOST_CHARS_MAX) {
    return { reason: `Must name a host of at most ${HOST_CHARS_MAX} characters` };
  }
  const urlHash = urlHashOf(verdict.url);
  return { target: { url, urlHash, domain: domainOf(verdict.url) } };
}

export function urlHashOf(url: URL): string {
  return sha256Hex(normaliseUrl(url)).slice(0, 2 * 16);
}

/** Null for a text that is too long, is not a web address, or contains credentials. */
export function parseAddress(text: string, base?: string | URL): URL | null {
  const url = text.length <= URL_BYTES_MAX ? URL.parse(text, base) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url : null;
}

/** Removes the fragment and the parameters of advertising campaigns. */
export function normaliseUrl({ protocol, host, pathname, search }: URL): string {
  // The remaining parameters keep their encoding, because a shop may distinguish `%20` and `+`.
  const parameters = search.slice(1).split("&")
    .filter((parameter) => parameter !== "" && !/^(utm_[^=]*|gclid)(=|$)/i.test(parameter));
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const plainHost = host.replace(/\.(?=:|$)/, "");
  return `${protocol}//${plainHost}${pathname}${query}`;
}

/** Keeps the fragment of the URL, because the fragment may name a variant of the product. */
export function variantUrl(text: string): string {
  return fetchedUrl(text) + (URL.parse(text.trim())?.hash ?? "");
}

export function fetchedUrl(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text : normaliseUrl(url);
}
