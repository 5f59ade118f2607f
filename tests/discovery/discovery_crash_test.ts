import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { findDiscovery } from "../../src/competitors/discovery/discovery_store.ts";
import { listPlannedPages } from "../../src/competitors/discovery/url_store.ts";
import { listPages } from "../../src/competitors/discovery/page_store.ts";
import { walkSuggestions } from "../../src/competitors/discovery/suggestion_store.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { addProduct, answered } from "../competitors/shop.ts";
import { startTestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { openShop, type Page } from "../scraping/hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { addShop, articlePage, urlset, xml } from "./made_shop.ts";

const KILLS = extent(20, 6);
/** Each page takes two commits: its turn, and what came of it. */
const PAGES = 15 * KILLS;
const COMMITS_MAX = 24;

Deno.test(`discovery that is killed ${KILLS} times ends, and visits no page again that is noted`, async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  const { base } = shop;
  const names = Array.from({ length: PAGES }, (_, n) => `/p/makita-dhp${100 + n}`);
  names.forEach((name, n) => {
    pages[name] = articlePage({
      name: `Makita DHP${100 + n}`,
      brand: "Makita",
      mpn: `DHP${100 + n}`,
    });
  });
  pages["/map.xml"] = xml(urlset(names.map((name) => base + name)));
  let workspaceId = "";
  let competitorId = "";
  {
    await using app = await startTestApp({ store, env: SCRAPING_ENV, now: () => new Date() });
    workspaceId = app.workspaceId;
    for (let n = 0; n < PAGES; n += 5) {
      const mpn = `DHP${100 + n}`;
      await addProduct(app.manager, mpn, { title: `Makita ${mpn}`, brand: "Makita", mpn });
    }
    competitorId = await addShop(app.manager, base);
    // Its own runner would do the work.
    await app.app.close();
    const settings = { mode: "suggest", sitemaps: [`${base}/map.xml`] };
    await answered(app.manager.put(`/api/competitors/${competitorId}/discovery`, settings), 200);
  }
  store.kv.close();

  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const noted = new Map<string, number>();
  await killOnTheWay({
    path: new URL("crash_child.ts", import.meta.url).pathname,
    args: [dataDir],
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async ended() {
      const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
      const place = { store: opened, workspaceId, competitorId };
      for (const { urls, outcomes } of await listPlannedPages(place)) {
        for (const url of urls.slice(0, outcomes.length)) {
          const path = url.slice(base.length);
          if (!noted.has(path)) noted.set(path, visitsOf(path));
        }
      }
      opened.kv.close();
    },
  });
  for (const [path, visits] of noted) assertEquals(visitsOf(path), visits, path);
  ok(shop.openMax() === 1, "one request at a time");

  const again = await openStore({ kvUrl: null, dataDir }, 60_000);
  const workspace = { store: again, workspaceId };
  const { discovery } = await findDiscovery(workspace, competitorId);
  assertEquals(discovery.counts, { urls: PAGES, visited: PAGES, products: PAGES });
  assertEquals((await listPages(workspace, competitorId, null, 1_000)).length, PAGES);
  const suggested = await Array.fromAsync(walkSuggestions(workspace));
  const same = suggested.filter(({ verdict, status }) => verdict === "same" && status === "open");
  assertEquals(same.length, Math.ceil(PAGES / 5));
  again.kv.close();
});
