import { deepStrictEqual as assertEquals, throws } from "node:assert/strict";
import { ConfigError, readConfig } from "../../../src/app/composition/config.ts";

function trustedProxies(text: string): string[] {
  return readConfig((name) => name === "TRUSTED_PROXIES" ? text : undefined).TRUSTED_PROXIES;
}

Deno.test("TRUSTED_PROXIES accepts every spelling of an address", () => {
  assertEquals(trustedProxies(""), []);
  assertEquals(trustedProxies(" 10.0.0.1, ::1 ,"), ["10.0.0.1", "::1"]);
  assertEquals(trustedProxies("::ffff:10.0.0.1"), ["10.0.0.1"]);
  assertEquals(trustedProxies("2001:DB8:0:0:0:0:0:1"), ["2001:db8::1"]);
});

Deno.test("TRUSTED_PROXIES refuses invalid addresses, which could never match", () => {
  for (const text of ["10.0.0.0/8", "proxy.internal", "localhost", "10.0.0", "10.0.0.1:80", "*"]) {
    throws(() => trustedProxies(`127.0.0.1,${text}`), (error: unknown) => {
      const words = `TRUSTED_PROXIES must be a comma list of IP addresses, not "${text}"`;
      return error instanceof ConfigError && error.message === words;
    }, text);
  }
});

function allowedPorts(text: string): number[] {
  const read = (name: string) => name === "SCRAPE_ALLOW_PORTS" ? text : undefined;
  return [...readConfig(read).SCRAPE_ALLOW_PORTS];
}

Deno.test("SCRAPE_ALLOW_PORTS takes valid ports", () => {
  assertEquals(allowedPorts(""), [80, 443]);
  assertEquals(allowedPorts("1, 443 ,65535"), [1, 443, 65_535]);
});

Deno.test("SCRAPE_ALLOW_PORTS refuses invalid ports", () => {
  for (const text of ["0", "443,0", "65536", "80,99999", "80;443", "http", "80,", "-1"]) {
    throws(
      () => allowedPorts(text),
      (error: unknown) =>
        error instanceof ConfigError &&
        /^SCRAPE_ALLOW_PORTS must be a comma list of ports/.test(error.message),
      text,
    );
  }
});
