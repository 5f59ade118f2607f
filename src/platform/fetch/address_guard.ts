/**
 * Decides from the text of a URL whether it may be fetched (docs/decisions/scraping.md, Private
 * addresses). `checkedAddresses` also checks the addresses of the host.
 */
import ipaddr from "ipaddr.js";
import { refuseFields } from "../../base/failure.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Private addresses that may be fetched (`SCRAPE_ALLOW_PRIVATE`). */
export interface AddressAllowList {
  /** An entry with a port permits only this port. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly (readonly [Address, number])[];
}

export function parseAllowList(
  entries: readonly string[],
): { allowed: AddressAllowList } | { error: string } {
  const hosts = new Set<string>();
  const ranges: [Address, number][] = [];
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else {
      const host = hostEntry(entry);
      if (host === null) return { error: entry };
      hosts.add(host);
    }
  }
  return { allowed: { hosts, ranges } };
}

export function canonicalAddress(text: string): string | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.process(text).toString() : null;
}

function hostEntry(entry: string): string | null {
  if (/[/?#@\\\s]/.test(entry)) return null;
  const literal = ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
  const url = URL.parse(`http://${literal}`);
  if (url === null) return null;
  const port = /:(\d+)$/.exec(literal)?.[1];
  return port === undefined ? bareHost(url) : `${bareHost(url)}:${Number(port)}`;
}

/**
 * Returns false for IPv6 tunnels and for ranges that IANA reserves. An IPv4 address in IPv6 form is
 * checked as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== "unicast") return false;
  return plain instanceof ipaddr.IPv4 || isGlobalIpv6(plain);
}

/** 2000::/3 is the only IPv6 range that is assigned for public addresses. */
function isGlobalIpv6(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => address.match(range));
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
  .map((range) => ipaddr.IPv6.parseCIDR(range));

export function isAllowedAddress(
  address: string,
  allowed: AddressAllowList,
  port: number | null = null,
): boolean {
  if (isPublicAddress(address)) return true;
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  const isInRange = allowed.ranges.some(([range, bits]) =>
    range.kind() === plain.kind() && plain.match(range, bits)
  );
  const host = plain.kind() === "ipv6" ? `[${plain}]` : String(plain);
  return isInRange || isAllowedHost(host, port, allowed);
}

export function isAllowedHost(
  host: string,
  port: number | null,
  { hosts }: AddressAllowList,
): boolean {
  return hosts.has(host) || (port !== null && hosts.has(`${host}:${port}`));
}

export type UrlError = "malformed" | "scheme" | "credentials" | "private_address" | "port";

export interface UrlLimits {
  readonly allowed: AddressAllowList;
  /** Null permits all ports, because the URL is checked again before a fetch. */
  readonly ports: ReadonlySet<number> | null;
}

export function judgeUrl(
  text: string,
  { allowed, ports }: UrlLimits,
): { url: URL } | { error: UrlError } {
  if (/[\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return { error: "malformed" };
  const trimmed = text.trim();
  if (/^[a-z][a-z\d+.-]*:/i.test(trimmed) && !/^https?:/i.test(trimmed)) {
    return { error: "scheme" };
  }
  const url = /^https?:\/\/[^/]/i.test(trimmed) ? URL.parse(trimmed) : null;
  if (url === null) return { error: "malformed" };
  if (url.username !== "" || url.password !== "") return { error: "credentials" };
  const reach = reachOf(url, allowed);
  if (reach === "none") return { error: "private_address" };
  const isPortOpen = reach === "allowed" || ports === null || ports.has(portOf(url));
  return isPortOpen ? { url } : { error: "port" };
}

export const URL_REASONS: Readonly<Record<UrlError, string>> = {
  malformed: "Must be a web address",
  scheme: "Must begin with http:// or https://",
  credentials: "Must not contain a user name or a password",
  private_address: "Must lead to a public address",
  port: "Must use a port that is open to this service",
};

export function requireUrl(
  path: string,
  text: string,
  limits: UrlLimits,
  reasons: Partial<Record<UrlError, string>>,
): string {
  const verdict = judgeUrl(text, limits);
  if ("url" in verdict) return verdict.url.href;
  const message = reasons[verdict.error] ?? URL_REASONS[verdict.error];
  throw refuseFields([{ path, message }]);
}

export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Checks only the text of the host. `allowed` means that the host is in the allow list. */
function reachOf(url: URL, allowed: AddressAllowList): "public" | "allowed" | "none" {
  const host = bareHost(url);
  if (isAllowedHost(host, portOf(url), allowed)) return "allowed";
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  // The class `URL` writes IPv6 addresses in brackets, and IPv4 addresses as four numbers.
  const isName = literal === host && /[^\d.]/.test(host);
  if (isName || !ipaddr.isValid(literal)) {
    return host.includes(".") && !SPECIAL_NAMES.test(host) ? "public" : "none";
  }
  if (isPublicAddress(literal)) return "public";
  return isAllowedAddress(literal, allowed) ? "allowed" : "none";
}

/** Names that public servers never have: RFC 6761, 6762, 7686, 8375, 9476, and `.internal`. */
const SPECIAL_NAMES = /\.(localhost|local|internal|onion|alt|home\.arpa)$/;

function bareHost({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}
