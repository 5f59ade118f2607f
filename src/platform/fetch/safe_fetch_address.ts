/** From a URL to the address that a connection may go to: resolved once, judged, and then used. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { type AddressAllowList, isAllowedAddress, isAllowedHost, portOf } from "./address_guard.ts";
import { type Deadline, FetchTrouble } from "./safe_fetch_deadline.ts";

/** All addresses of a name, as the system resolves it; throws when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};

/**
 * The addresses of the URL's host, IPv4 first. Refuses with `private_address` when any of them is not
 * public and not let through, so that a name with two faces is refused as a whole.
 */
export async function checkedAddresses(
  url: URL,
  { resolve, allowed, deadline }: {
    readonly resolve: Resolve;
    readonly allowed: AddressAllowList;
    readonly deadline: Deadline;
  },
): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
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

async function resolveName(name: string, resolve: Resolve, deadline: Deadline): Promise<string[]> {
  let addresses: readonly string[];
  try {
    addresses = await deadline.race(resolve(name));
  } catch (cause) {
    if (cause instanceof FetchTrouble) throw cause;
    throw new FetchTrouble("dns_error", `The name "${name}" leads nowhere`, { cause });
  }
  if (addresses.length > 0) return [...addresses];
  throw new FetchTrouble("dns_error", `The name "${name}" has no address`);
}

/** 4 or 6; a machine without IPv6 still reaches a shop that has both. */
export function familyOf(address: string): 4 | 6 {
  return ipaddr.IPv4.isValid(address) ? 4 : 6;
}
