import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { readConfig } from "../../../src/app/composition/config.ts";
import { introductionOf } from "../../../src/app/composition/room_deps.ts";
import { startLiveServer } from "../../program.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import { inFolder } from "../../temporary_folder.ts";

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
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
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
