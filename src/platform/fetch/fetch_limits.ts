/**
 * Limits the addresses that a fetch may connect to (docs/decisions/scraping.md, Private addresses),
 * the time of a fetch, and the memory of fetched pages. A connection uses only addresses that were
 * checked, so a second DNS answer cannot lead to a private address.
 */
import ipaddr from "ipaddr.js";
import { lookup } from "node:dns/promises";
import { refuseFields } from "../../base/failure.ts";
import { FairQueue } from "../event_loop.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Private addresses that may be fetched (`SCRAPE_ALLOW_PRIVATE`). */
export interface AddressAllowList {
  /** A host with a port is allowed only on this port. */
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
 * judged as an IPv4 address.
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

function isAllowedHost(
  host: string,
  port: number | null,
  { hosts }: AddressAllowList,
): boolean {
  return hosts.has(host) || (port !== null && hosts.has(`${host}:${port}`));
}

export type UrlError = "malformed" | "scheme" | "credentials" | "private_address" | "port";

export interface UrlLimits {
  readonly allowed: AddressAllowList;
  /** The permitted ports, or null for all; not checked for URLs that `allowed` permits. */
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

/** Judges a host without a DNS request; `allowed` means that the allow list contains the host. */
function reachOf(url: URL, allowed: AddressAllowList): "public" | "allowed" | "none" {
  const host = bareHost(url);
  if (isAllowedHost(host, portOf(url), allowed)) return "allowed";
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  // A host without brackets (IPv6) and with other characters than digits and dots is a name.
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

export class FetchTrouble extends Error {
  constructor(readonly errorCode: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchTrouble";
  }
}

export type FetchErrorCode =
  | "timeout"
  | "dns_error"
  | "unreachable"
  | "private_address"
  | "redirect_refused"
  | "too_large"
  | "unsupported_content";

/** A timer ends the wait for the fetch, because some reads ignore `AbortSignal`. */
export class Deadline implements Disposable {
  readonly #endsAt: number;
  readonly #expired: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  constructor(timeoutMs: number, signal: AbortSignal) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#endsAt = performance.now() + timeoutMs;
    this.#expired = promise;
    // Without this handler, a rejection before the first call of `race` would end the process.
    promise.catch(() => {});
    this.#timer = setTimeout(() => reject(lateAfter(timeoutMs)), timeoutMs);
    this.#signal = signal;
    this.#onAbort = () => reject(signal.reason);
    if (signal.aborted) this.#onAbort();
    signal.addEventListener("abort", this.#onAbort);
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  async race<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => {});
    const value = await Promise.race([promise, this.#expired]);
    // Check the clock, too, because the timer never fires while a stream always has data ready.
    if (this.leftMs === 0) throw lateAfter(0);
    return value;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

function lateAfter(timeoutMs: number): FetchTrouble {
  const span = timeoutMs > 0 ? ` within ${timeoutMs} ms` : " in time";
  return new FetchTrouble("timeout", `The page did not arrive${span}`);
}

export type Resolve = (name: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};

/** Returns the host's addresses, IPv4 first; throws `private_address` if any of them is refused. */
export async function checkedAddresses(
  url: URL,
  { resolve, allowed, deadline }: {
    readonly resolve: Resolve;
    readonly allowed: AddressAllowList;
    readonly deadline: Deadline;
  },
): Promise<string[]> {
  const host = hostOf(url);
  const addresses = ipaddr.isValid(host) ? [host] : await resolveName(host, resolve, deadline);
  const port = portOf(url);
  const isNamed = isAllowedHost(host, port, allowed);
  const isOpen = isNamed ||
    addresses.every((address) => isAllowedAddress(address, allowed, port));
  if (!isOpen) {
    throw new FetchTrouble("private_address", `"${host}" leads to an address that is not public`);
  }
  return addresses.toSorted((a, b) => familyOf(a) - familyOf(b));
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

async function resolveName(name: string, resolve: Resolve, deadline: Deadline): Promise<string[]> {
  let addresses: readonly string[];
  try {
    addresses = await deadline.race(resolve(name));
  } catch (cause) {
    if (cause instanceof FetchTrouble) throw cause;
    throw new FetchTrouble("dns_error", `The name "${name}" cannot be resolved`, { cause });
  }
  if (addresses.length > 0) return [...addresses];
  throw new FetchTrouble("dns_error", `The name "${name}" has no address`);
}

function familyOf(address: string): 4 | 6 {
  return ipaddr.IPv4.isValid(address) ? 4 : 6;
}

/** 64 pages at once need at most 80 MiB: 12 of up to 4 MiB each, and 52 of up to 512 KiB each. */
const BODY_ROOM_LIMITS = { smallBytes: 512 * 1024, largeAtOnce: 12 };

export type BodyRoom = ReturnType<typeof createBodyRoom>;

export function createBodyRoom({ smallBytes, largeAtOnce } = BODY_ROOM_LIMITS) {
  const permits = new FairQueue(largeAtOnce, { keepsSlotsFree: true });
  return {
    begin(workspaceId: string) {
      const left = new AbortController();
      const { promise: leaving, resolve: leave } = Promise.withResolvers<void>();
      let entering: Promise<void> | null = null;
      const enter = () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const hold = () => {
          resolve();
          return leaving;
        };
        // Ignore that `run` rejects if the page is given up before it gets a permit.
        permits.run(workspaceId, hold, left.signal).catch(() => {});
        return promise;
      };
      return {
        async admit(bytes: number): Promise<void> {
          if (bytes > smallBytes) await (entering ??= enter());
        },
        [Symbol.dispose]() {
          leave();
          left.abort();
        },
      };
    },
  };
}
