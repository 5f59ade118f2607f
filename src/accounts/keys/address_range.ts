/**
 * Networks from which a key may be used: single addresses and CIDR ranges of IPv4 and IPv6 (RFC 4632,
 * RFC 4291), matched by Node's own `BlockList`.
 */
import { BlockList, isIP } from "node:net";
import { z } from "@hono/zod-openapi";

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/** Null if the text is neither an address nor a range. */
function rangeOf(text: string): Range | null {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes("%")) return null;
  const widest = version === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > widest)) return null;
  return {
    address,
    bits: bits === undefined ? widest : Number(bits),
    family: version === 4 ? "ipv4" : "ipv6",
  };
}

export const AddressRanges = z.array(
  z.string().max(60).refine((text) => rangeOf(text) !== null, {
    message: "Must be an address or a range, such as 203.0.113.7 or 203.0.113.0/24",
  }),
).max(50).meta({
  description: "Addresses and CIDR ranges from which the key may be used; `[]`: from anywhere",
  example: ["203.0.113.0/24"],
});

/** True if one of the ranges contains the address, or if there are no ranges. */
export function isWithin(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const version = isIP(address);
  if (version === 0) return false;
  const list = new BlockList();
  for (const range of ranges.map(rangeOf)) {
    if (range) list.addSubnet(range.address, range.bits, range.family);
  }
  return list.check(address, version === 4 ? "ipv4" : "ipv6");
}
