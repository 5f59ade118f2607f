import { deepStrictEqual as assertEquals, throws } from "node:assert/strict";
import { ConfigError, readConfig } from "../src/config.ts";

function trustedProxies(text: string): string[] {
  return readConfig((name) => name === "TRUSTED_PROXIES" ? text : undefined).TRUSTED_PROXIES;
}

Deno.test("TRUSTED_PROXIES takes addresses in every spelling that they have", () => {
  assertEquals(trustedProxies(""), []);
  assertEquals(trustedProxies(" 10.0.0.1, ::1 ,"), ["10.0.0.1", "::1"]);
  assertEquals(trustedProxies("::ffff:10.0.0.1"), ["10.0.0.1"]);
  assertEquals(trustedProxies("2001:DB8:0:0:0:0:0:1"), ["2001:db8::1"]);
});

Deno.test("TRUSTED_PROXIES refuses what is no address and would never count", () => {
  for (const text of ["10.0.0.0/8", "proxy.internal", "localhost", "10.0.0", "10.0.0.1:80", "*"]) {
    throws(() => trustedProxies(`127.0.0.1,${text}`), (error: unknown) => {
      const words = `TRUSTED_PROXIES must be a comma list of IP addresses, not "${text}"`;
      return error instanceof ConfigError && error.message === words;
    }, text);
  }
});
