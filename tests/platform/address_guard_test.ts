import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import {
  isAllowedAddress,
  isPublicAddress,
  judgeUrl,
  parseAllowList,
} from "../../src/platform/fetch/fetch_limits.ts";
import { allowing } from "./safe_fetching.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

const OPEN_PORTS = new Set([80, 443, 8080, 8443]);
const ANY_PORT = { allowed: NOTHING_ALLOWED, ports: null };

Deno.test("judgeUrl() names what is wrong, and allows any port if the setting names none", () => {
  const table: [string, string][] = [
    ["ftp://shop.example/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["shop.example/p/1", "malformed"],
    ["http:///shop.example/", "malformed"],
    ["http://a b/", "malformed"],
    ["https://me:pw@shop.example/", "credentials"],
    ["https://192.168.1.10/p/1", "private_address"],
    ["https://[fd00::1]/", "private_address"],
    ["https://shop.example:25/", "port"],
  ];
  for (const [url, error] of table) {
    assertEquals(judgeUrl(url, { allowed: NOTHING_ALLOWED, ports: OPEN_PORTS }), { error }, url);
  }
  assert("url" in judgeUrl("https://shop.example:25/", ANY_PORT));
});

Deno.test("judgeUrl() allows private addresses of the allow list, even on unusual ports, and no others", () => {
  const ports = ["127.0.0.1:9001", "[::1]:9002", "Shop:80"];
  const table: [list: string[], url: string, passes: boolean][] = [
    [["127.0.0.0/8"], "http://127.0.0.1:9/", true],
    [["127.0.0.0/8"], "http://192.168.1.10/", false],
    [["127.0.0.0/8"], "http://localhost/", false],
    [ports, "http://127.0.0.1:9001/", true],
    [ports, "http://127.0.0.1:9003/", false],
    [ports, "http://[::1]:9002/", true],
    [ports, "http://shop/", true],
    [ports, "http://shop:81/", false],
    [["::1", "localhost"], "http://localhost:5/", true],
    [["::1"], "http://[::1]:5/", true],
  ];
  for (const [list, url, passes] of table) {
    const judged = judgeUrl(url, { allowed: allowing(...list), ports: OPEN_PORTS });
    assertEquals([list, url, "url" in judged], [list, url, passes]);
  }
});

Deno.test("parseAllowList() names entries that it cannot read", () => {
  assertEquals(parseAllowList(["127.0.0.1", "http://shop/"]), { error: "http://shop/" });
  assertEquals(parseAllowList(["10.0.0.0/99"]), { error: "10.0.0.0/99" });
});

/**
 * Each special range, with its first and last address and the addresses directly before and after
 * it.
 */
const SPECIAL_RANGES_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16
  172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);

const number = (address: string) =>
  address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
const text = (value: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join(".");
const spans = SPECIAL_RANGES_V4.map((range) => {
  const [start = "", bits] = range.split("/");
  return { first: number(start), last: number(start) + 2 ** (32 - Number(bits)) - 1 };
});
const isSpecial = (value: number) =>
  spans.some(({ first, last }) => value >= first && value <= last);

Deno.test("isPublicAddress() is exact at both ends of every special IPv4 range", () => {
  for (const { first, last } of spans) {
    for (const value of [first, last, (first + last - 1) / 2, first - 1, last + 1]) {
      if (value < 0 || value >= 2 ** 32) continue;
      assertEquals(isPublicAddress(text(value)), !isSpecial(value), text(value));
    }
  }
});

Deno.test("isPublicAddress() judges an IPv4 address inside IPv6 like the IPv4 address", () => {
  fc.assert(fc.property(fc.ipV4(), (address) => {
    assertEquals(isPublicAddress(`::ffff:${address}`), isPublicAddress(address));
    assertEquals(isPublicAddress(`64:ff9b::${address}`), false);
    const compatible = judgeUrl(`http://[::${address}]/`, ANY_PORT);
    assertEquals(compatible, { error: "private_address" });
  }));
});

Deno.test("isPublicAddress() accepts only allocated IPv6 ranges", () => {
  const allocated =
    "2606:4700::1111 2a00:1450:4001::1 2001:200::1 2001:db9::1 2003::1 3fff:1000::1";
  const other = "1fff:ffff::1 4000::1 2001:1ff:ffff::1 2001:db8::1 2002::1 3fff::1 fe80::1%eth0";
  assertEquals(allocated.split(" ").filter((address) => !isPublicAddress(address)), []);
  assertEquals([...other.split(" "), "no address"].filter(isPublicAddress), []);
});

Deno.test("isAllowedAddress() adds the allow list to the public addresses", () => {
  assertEquals(isAllowedAddress("10.1.2.3", NOTHING_ALLOWED), false);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.0.0.0/8")), true);
  assertEquals(isAllowedAddress("::ffff:10.1.2.3", allowing("10.0.0.0/8")), true);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.1.2.3:81"), 81), true);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.1.2.3:81"), 80), false);
  assertEquals(isAllowedAddress("2606:4700::1111", NOTHING_ALLOWED), true);
});
