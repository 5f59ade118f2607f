import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { startTestApp } from "../../harness.ts";
import { openShop } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { inFolder } from "../../temporary_folder.ts";
import { addShop, articlePage, discover, plain, urlset, xml } from "./made_shop.ts";

const DELAY_MS = 40;
const PAGES = 12;

inFolder.test("two runners visit one shop for two workspaces, one request at a time and with its delay", async (folder) => {
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  await using shop = openShop();
  const { base, pages } = shop;
  const names = Array.from({ length: PAGES }, (_, n) => `/p/${n}`);
  const askedAt: number[] = [];
  for (const name of names) {
    const page = articlePage({ name, brand: "Makita" });
    pages[name] = (request) => {
      askedAt.push(performance.now());
      return page(request);
    };
  }
  // This crawl delay is longer than the default delay.
  pages["/robots.txt"] = plain(`User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}\nDisallow: /p/3`);
  pages["/map.xml"] = xml(urlset(names.map((name) => base + name)));
  {
    const options = { store, env: SCRAPING_ENV, now: () => new Date() };
    await using one = await startTestApp(options);
    await using other = await startTestApp(options);
    const states = await Promise.all([one, other].map(async (app) => {
      const id = await addShop(app.manager, base);
      return (await discover(app, id, { sitemaps: [`${base}/map.xml`] })).state;
    }));
    for (const { urls, visited, products } of states) {
      assertEquals([urls, visited, products], [PAGES, PAGES, PAGES - 1]);
    }
  }
  store.kv.close();
  assertEquals(shop.openMax(), 1);
  const visited = shop.visits.map(({ path }) => path);
  assertEquals(visited.filter((path) => path === "/p/3"), []);
  for (const name of names) {
    assertEquals(visited.filter((path) => path === name).length, name === "/p/3" ? 0 : 2, name);
  }
  const spanMs = (askedAt.at(-1) ?? 0) - (askedAt[0] ?? 0);
  // If one request is late, the next interval is shorter, so only the whole time is checked.
  ok(spanMs >= (askedAt.length - 2) * DELAY_MS, `${askedAt.length} pages in ${spanMs} ms`);
  ok(visited.filter((path) => path === "/robots.txt").length === 1, "one request for both");
});
