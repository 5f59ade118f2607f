import { deepStrictEqual as assertEquals, match, throws } from "node:assert/strict";
import { ConfigError, readConfig } from "../../../src/app/composition/config.ts";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp } from "../../harness.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { createGate, until } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";
import { introductionOf } from "../../../src/app/composition/room_deps.ts";
import { startLiveServer } from "../../program.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import { inFolder } from "../../temporary_folder.ts";

type Config = ReturnType<typeof readConfig>;

function read<Name extends keyof Config>(name: Name, text: string): Config[Name] {
  return readConfig((one) => one === name ? text : undefined)[name];
}

Deno.test("readConfig() accepts each spelling of a list", () => {
  const roles = { claim: "groups", roles: { pricing: "manager", it: "owner" } };
  const mails = ["jürgen@müller.example", "anna@shop.example"];
  const cases: readonly (readonly [name: keyof Config, text: string, value: unknown])[] = [
    ["TRUSTED_PROXIES", "", []],
    ["TRUSTED_PROXIES", " 10.0.0.1, ::1 ,", ["10.0.0.1", "::1"]],
    ["TRUSTED_PROXIES", "::ffff:10.0.0.1", ["10.0.0.1"]],
    ["TRUSTED_PROXIES", "2001:DB8:0:0:0:0:0:1", ["2001:db8::1"]],
    ["SCRAPE_ALLOW_PORTS", "", new Set([80, 443])],
    ["SCRAPE_ALLOW_PORTS", "1, 443 ,65535", new Set([1, 443, 65_535])],
    ["OIDC_ROLES", "groups: pricing=manager, it=owner", roles],
    ["OIDC_ROLES", "groups :pricing=manager,it=owner", roles],
    ["OIDC_ROLES", "urn:de:groups: pricing=manager,it=owner", { ...roles, claim: "urn:de:groups" }],
    ["AUDIT_MAIL_TO", mails.join(), mails],
  ];
  for (const [name, text, value] of cases) assertEquals(read(name, text), value, text);
});

Deno.test("readConfig() refuses a list with an invalid part", () => {
  const proxies = ["10.0.0.0/8", "proxy.internal", "localhost", "10.0.0", "10.0.0.1:80", "*"];
  const ports = ["0", "443,0", "65536", "80,99999", "80;443", "http", "80,", "-1"];
  const roles = ["groups", "groups: pricing", "groups: a=admin"];
  const refuses = (name: keyof Config, text: string, message: string) =>
    throws(
      () => read(name, text),
      (error) => error instanceof ConfigError && error.message.startsWith(`${name} ${message}`),
      text,
    );
  for (const text of proxies) {
    const message = `must be a comma list of IP addresses, not "${text}"`;
    refuses("TRUSTED_PROXIES", `127.0.0.1,${text}`, message);
  }
  for (const text of ports) refuses("SCRAPE_ALLOW_PORTS", text, "must be a comma list of ports");
  for (const text of roles) refuses("OIDC_ROLES", text, "");
});

Deno.test("drain() refuses a request that waits for the market's table, and does not load it again", async () => {
  const loading = createGate();
  let loads = 0;
  using memory = closing(await openMemoryStore());
  const store = watchedStore(memory, {
    async listed({ prefix }) {
      if (prefix?.[0] !== "p") return;
      loads++;
      await loading.passed;
    },
  });
  await using app = await startTestApp({ store });
  await app.manager.create("/api/products", { sku: "A", title: "Kettle" });
  const waiting = app.manager.get("/api/products?sort=gapPct");
  await until("the table is being loaded", () => loads > 0);
  const drained = app.app.drain();
  loading.open();
  const { error } = await bodyOf(waiting, 503);
  assertEquals(error.code, "unavailable");
  await drained;
});

const introduced = (env: Record<string, string>) => introductionOf(readConfig((name) => env[name]));

Deno.test("the user agent names the operator's contact from the settings that exist", () => {
  const PUBLIC_URL = "https://preise.haendler.de";
  const MAIL_FROM = "p@haendler.de";
  const table: readonly (readonly [Record<string, string>, string])[] = [
    [{ PUBLIC_URL: `${PUBLIC_URL}/` }, `Kurant/1.0 (+${PUBLIC_URL})`],
    [{ MAIL_FROM }, "Kurant/1.0 (p@haendler.de)"],
    [{ MAIL_FROM: `Müllers (Preise) <${MAIL_FROM}>` }, "Kurant/1.0 (p@haendler.de)"],
    [{ PUBLIC_URL, MAIL_FROM }, `Kurant/1.0 (+${PUBLIC_URL}; p@haendler.de)`],
    [{ PUBLIC_URL: "http://localhost:8000", MAIL_FROM }, "Kurant/1.0 (p@haendler.de)"],
    [{ PUBLIC_URL, MAIL_FROM: "prüfer@händler.de" }, `Kurant/1.0 (+${PUBLIC_URL})`],
    [{ SCRAPE_USER_AGENT: "Other/2 (me)", PUBLIC_URL }, "Other/2 (me)"],
  ];
  for (const [env, userAgent] of table) assertEquals(introduced(env), { userAgent, notice: null });
});

Deno.test("a private address is no contact of the operator", () => {
  const hosts = ["localhost:8000", "10.0.0.7", "kurant", "[::1]:8000"];
  for (const env of [{}, ...hosts.map((host) => ({ PUBLIC_URL: `http://${host}` }))]) {
    const { userAgent, notice } = introduced(env);
    assertEquals(userAgent, "Kurant/1.0");
    match(notice ?? "", /PUBLIC_URL.*MAIL_FROM.*SCRAPE_USER_AGENT/);
  }
});

inFolder.test("the log says once, at the first fetch, that shops cannot reach the operator", async (folder) => {
  await using shop = openShop({ "/p": priced("9.00"), "/q": priced("7.00") });
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1", SCRAPE_DOMAIN_DELAY_MS: "0" };
  await using live = await startLiveServer(folder.path, settings);
  const notices = () => live.log().match(/shops are not told how to reach you/g)?.length ?? 0;
  await live.owner.read("/api/products");
  assertEquals(notices(), 0);
  for (const path of ["/p", "/q"]) {
    await live.owner.act("/api/extract", { url: `${shop.base}${path}` });
  }
  await live.stop("SIGTERM");
  assertEquals([shop.visits.length > 0, notices()], [true, 1]);
});
