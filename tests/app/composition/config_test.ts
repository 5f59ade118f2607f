import { deepStrictEqual as assertEquals, throws } from "node:assert/strict";
import { ConfigError, readConfig } from "../../../src/app/composition/config.ts";

type Config = ReturnType<typeof readConfig>;

function read<Name extends keyof Config>(name: Name, text: string): Config[Name] {
  return readConfig((one) => one === name ? text : undefined)[name];
}

Deno.test("readConfig() accepts each spelling of a list", () => {
  const roles = { claim: "groups", roles: { pricing: "manager", it: "owner" } };
  const cases: readonly (readonly [name: keyof Config, text: string, value: unknown])[] = [
    ["TRUSTED_PROXIES", "", []],
    ["TRUSTED_PROXIES", " 10.0.0.1, ::1 ,", ["10.0.0.1", "::1"]],
    ["TRUSTED_PROXIES", "::ffff:10.0.0.1", ["10.0.0.1"]],
    ["TRUSTED_PROXIES", "2001:DB8:0:0:0:0:0:1", ["2001:db8::1"]],
    ["SCRAPE_ALLOW_PORTS", "", new Set([80, 443])],
    ["SCRAPE_ALLOW_PORTS", "1, 443 ,65535", new Set([1, 443, 65_535])],
    ["OIDC_ROLES", "groups: pricing=manager, it=owner", roles],
  ];
  for (const [name, text, value] of cases) assertEquals(read(name, text), value, text);
});

Deno.test("readConfig() refuses a list with an invalid part", () => {
  const proxies = ["10.0.0.0/8", "proxy.internal", "localhost", "10.0.0", "10.0.0.1:80", "*"];
  const ports = ["0", "443,0", "65536", "80,99999", "80;443", "http", "80,", "-1"];
  const roles = ["groups", "groups: pricing", "groups: a=admin"];
  const cases = [
    ...proxies.map((text) =>
      [
        "TRUSTED_PROXIES",
        `127.0.0.1,${text}`,
        `TRUSTED_PROXIES must be a comma list of IP addresses, not "${text}"`,
      ] as const
    ),
    ...ports.map((text) =>
      ["SCRAPE_ALLOW_PORTS", text, "SCRAPE_ALLOW_PORTS must be a comma list of ports"] as const
    ),
    ...roles.map((text) => ["OIDC_ROLES", text, "OIDC_ROLES "] as const),
  ];
  for (const [name, text, message] of cases) {
    const isRefusal = (error: unknown) =>
      error instanceof ConfigError && error.message.startsWith(message);
    throws(() => read(name, text), isRefusal, text);
  }
});
