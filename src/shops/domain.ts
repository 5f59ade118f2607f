import { Failure, refuseFields } from "../base/failure.ts";
import {
  type AddressAllowList,
  judgeUrl,
  portOf,
  URL_REASONS,
} from "../platform/fetch/address_guard.ts";

/** Returns the host in lower case and punycode, without `www.`, final dot and default port. */
export function domainOf(url: URL): string {
  const whole = url.hostname.replace(/\.$/, "");
  // `www.de` is itself a domain, so its `www.` stays.
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

/** Throws `validation_failed`. */
export function requireDomain(text: string, allowed: AddressAllowList): string {
  const parsed = parseDomain(text, allowed);
  if ("domain" in parsed) return parsed.domain;
  throw refuseFields([{ path: "domain", message: parsed.reason }]);
}

export function domainTaken(domain: string, competitorId: string): Failure {
  return new Failure("conflict", `Another competitor has the domain "${domain}"`, { competitorId });
}
