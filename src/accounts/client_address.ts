/** The origin of a request, as far as it can be trusted (docs/decisions/identity.md). */
import type { AppContext } from "../platform/http/app_context.ts";

/**
 * The address of the client. `X-Forwarded-For` is only used if the connection comes from one of
 * `trustedProxies`. Then the client is its last entry that is not itself a trusted proxy. `unknown`
 * if the request did not come over a connection.
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

/**
 * The unit for limits: an IPv4 address, or an IPv6 /64, which usually is one household or server.
 */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "").toLowerCase()).join(":");
}

/** The address without brackets and port. An IPv4 address in IPv6 form becomes IPv4 again. */
function plainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, "").toLowerCase();
}
