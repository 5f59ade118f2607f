import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Hono } from "hono";
import { clientAddress } from "../../src/accounts/admission.ts";
import { addressBlock } from "../../src/accounts/sessions/login_throttle.ts";
import type { AppEnv } from "../../src/platform/http/http.ts";

async function addressOf(remote: string | null, forwarded: string | null, trusted: string[]) {
  const app = new Hono<AppEnv>().get("/", (c) => c.text(clientAddress(c, trusted)));
  const headers = new Headers(forwarded === null ? [] : [["X-Forwarded-For", forwarded]]);
  const remoteAddr = { transport: "tcp", hostname: remote ?? "", port: 4711 } as const;
  const env = remote === null ? {} : { remoteAddr };
  return await (await app.request("/", { headers }, env)).text();
}

Deno.test("clientAddress() trusts X-Forwarded-For only as far as trusted proxies wrote it", async () => {
  const cases: [string | null, string | null, string[], string][] = [
    ["203.0.113.7", null, [], "203.0.113.7"],
    ["203.0.113.7", "198.51.100.1", [], "203.0.113.7"],
    ["10.0.0.1", "198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["10.0.0.1", "198.51.100.1, 10.0.0.2", ["10.0.0.1", "10.0.0.2"], "198.51.100.1"],
    ["10.0.0.1", null, ["10.0.0.1"], "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1:5123", ["10.0.0.1"], "198.51.100.1"],
    ["::ffff:10.0.0.1", "[2001:db8::1]:443", ["10.0.0.1"], "2001:db8::1"],
    [null, "198.51.100.1", [], "unknown"],
  ];
  for (const [remote, forwarded, trusted, expected] of cases) {
    assertEquals(await addressOf(remote, forwarded, trusted), expected);
  }
});

Deno.test("addressBlock() is the IPv4 address itself and the /64 of an IPv6 address", () => {
  assertEquals(addressBlock("198.51.100.1"), "198.51.100.1");
  const same = ["2001:db8::1", "2001:0DB8:0:0:ffff::", "2001:db8:0:0:1:2:3:4"].map(addressBlock);
  assertEquals(new Set(same).size, 1);
  assertEquals(addressBlock("::1"), "0:0:0:0");
});
