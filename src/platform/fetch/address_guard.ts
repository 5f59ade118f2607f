/**
 * Decides which addresses a user's URL may lead to (docs/decisions/scraping.md, SSRF), from the text
 * alone. Before a connection, `isPublicAddress` also checks the addresses to which the name resolves.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Permitted addresses that are not public; empty in production (`SCRAPE_ALLOW_PRIVATE`). */
export interface AddressAllowList {
  /** Names and address literals, with a port where only that port is meant. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly (readonly [Address, number])[];
}

/**
 * Reads entries of the forms `host`, `host:port` and `10.0.0.0/8`, or names the first that is none.
 */
export function parseAllowList(
  entries: readonly string[],
): { allowed: AddressAllowList } | { misfit: string } {
  const hosts = new Set<string>();
  const ranges: [Address, number][] = [];
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else {
      const host = hostEntry(entry);
      if (host === null) return { misfit: entry };
      hosts.add(host);
    }
  }
  return { allowed: { hosts, ranges } };
}

/** The one spelling of an address; null for what is none, such as a name or a range. */
export function canonicalAddress(text: string): string | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.process(text).toString() : null;
}

/** In the spelling of `URL.host`; a port is kept even when it is the scheme's own. */
function hostEntry(entry: string): string | null {
  if (/[/?#@\\\s]/.test(entry)) return null;
  const literal = ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
  const url = URL.parse(`http://${literal}`);
  if (url === null) return null;
  const port = /:(\d+)$/.exec(literal)?.[1];
  return port === undefined ? bareHost(url) : `${bareHost(url)}:${Number(port)}`;
}

/**
 * True for an address that anybody on the internet may reach: unicast and in no special range of
 * IANA. An IPv4 address in the clothes of IPv6 is judged as what it is, a tunnel to one is refused.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== "unicast") return false;
  return plain instanceof ipaddr.IPv4 || isGlobalIpv6(plain);
}

/** Only 2000::/3 is given out; within it the ranges that later standards set apart are refused. */
function isGlobalIpv6(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => address.match(range));
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
  .map((range) => ipaddr.IPv6.parseCIDR(range));

/** Like `isPublicAddress`, or within a range or among the hosts that are let through. */
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

/** True for a name or literal, with or without its port, that the list names. */
export function isAllowedHost(
  host: string,
  port: number | null,
  { hosts }: AddressAllowList,
): boolean {
  return hosts.has(host) || (port !== null && hosts.has(`${host}:${port}`));
}

/** Why a URL may not be followed. */
export type UrlError = "malformed" | "scheme" | "credentials" | "private_address" | "port";

export interface UrlLimits {
  readonly allowed: AddressAllowList;
  /** Null if the port does not matter yet: a URL that is only kept. */
  readonly ports: ReadonlySet<number> | null;
}

/**
 * Judges the text of a URL: http or https, no credentials, no spelling that parsers read
 * differently, no address literal that is not public, no name that never leads to the internet.
 */
export function judgeUrl(
  text: string,
  { allowed, ports }: UrlLimits,
): { url: URL } | { misfit: UrlError } {
  if (/[\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return { misfit: "malformed" };
  const trimmed = text.trim();
  if (/^[a-z][a-z\d+.-]*:/i.test(trimmed) && !/^https?:/i.test(trimmed)) {
    return { misfit: "scheme" };
  }
  const url = /^https?:\/\/[^/]/i.test(trimmed) ? URL.parse(trimmed) : null;
  if (url === null) return { misfit: "malformed" };
  if (url.username !== "" || url.password !== "") return { misfit: "credentials" };
  const reach = reachOf(url, allowed);
  if (reach === "none") return { misfit: "private_address" };
  const isPortOpen = reach === "allowed" || ports === null || ports.has(portOf(url));
  return isPortOpen ? { url } : { misfit: "port" };
}

/** The port that a connection goes to, the scheme's own included. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/**
 * Where the host leads to, as far as its text says: what is let through expressly needs no open
 * port.
 */
function reachOf(url: URL, allowed: AddressAllowList): "public" | "allowed" | "none" {
  const host = bareHost(url);
  if (isAllowedHost(host, portOf(url), allowed)) return "allowed";
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  // A parsed URL spells addresses as [IPv6] or four numbers; asking about each name costs 15 µs.
  const isName = literal === host && /[^\d.]/.test(host);
  if (isName || !ipaddr.isValid(literal)) {
    return host.includes(".") && !SPECIAL_NAMES.test(host) ? "public" : "none";
  }
  if (isPublicAddress(literal)) return "public";
  return isAllowedAddress(literal, allowed) ? "allowed" : "none";
}

/**
 * Names that no public server has (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's
 * `.internal`).
 */
const SPECIAL_NAMES = /\.(localhost|local|internal|onion|alt|home\.arpa)$/;

/** The parser keeps the dot of an absolute name, which says nothing else. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}
