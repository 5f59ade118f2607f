/** Finds the address of a client, and refuses requests of other sites (CSRF). */
import { Failure } from "../base/failure.ts";
import type { AppContext } from "../platform/http/app_context.ts";

/**
 * Returns the client's IP address; `unknown` if the connection has none. If the connection is from
 * a trusted proxy, the client is the last entry of `X-Forwarded-For` that is not a trusted proxy.
 */
export function clientAddress(c: AppContext, trustedProxies: readonly string[]): string {
  const trusted = new Set(trustedProxies.map(plainAddress));
  const remote = c.env?.remoteAddr;
  let address = remote !== undefined && "hostname" in remote
    ? plainAddress(remote.hostname)
    : "unknown";
  const forwarded = (c.req.header("X-Forwarded-For") ?? "").split(",")
    .map((entry) => plainAddress(entry.trim())).filter(Boolean);
  while (trusted.has(address)) {
    const before = forwarded.pop();
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address. */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "").toLowerCase()).join(":");
}

/** Converts an IPv4 address in IPv6 form to IPv4. */
function plainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, "").toLowerCase();
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Throws `csrf_refused` if a page of another site makes a request that may change data. A request
 * without `Origin` and `Sec-Fetch-Site` is accepted, because it does not come from a browser.
 */
export function refuseForeignOrigin(c: AppContext, publicUrl: string | null): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const isForeign = (site !== undefined && site !== "same-origin") ||
    (origin !== undefined && !isOwnOrigin(c, origin, publicUrl));
  if (!isForeign) return;
  throw new Failure(
    "csrf_refused",
    "The request comes from another site: only pages of this service may change something here",
  );
}

/** Without `publicUrl`, compares `origin` only with the host of the request. */
function isOwnOrigin(c: AppContext, origin: string, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: normalised } = new URL(origin);
  if (publicUrl !== null) return normalised === new URL(publicUrl).origin;
  return host === (c.req.header("Host") ?? new URL(c.req.url).host).toLowerCase();
}
