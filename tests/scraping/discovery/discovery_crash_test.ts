import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  DISCOVERY_KIND,
  type DiscoveryJob,
} from "../../../src/scraping/discovery/discovery_job.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import { findDiscovery } from "../../../src/shops/discovery/discovery_store.ts";
import { listPlannedPages } from "../../../src/shops/discovery/url_store.ts";
import { foundPages } from "../../../src/shops/discovery/page_store.ts";
import { suggestions } from "../../../src/shops/discovery/suggestion_store.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { addProduct, answered } from "../../shops/shop.ts";
import { startTestApp } from "../../harness.ts";
import { killOnTheWay } from "../../killed_process.ts";
import { extent } from "../../proof.ts";
import { openShop, type Page } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { gtin13, merchantFeed, merchantItem } from "./made_feeds.ts";
import { addShop, articlePage, urlset, xml } from "./made_shop.ts";

const KILLS = extent(20, 2);
/** Each page takes two commits: its turn, and what came of it. */
const PAGES = 15 * KILLS;
const COMMITS_MAX = 24;
/** Entries of its feed, each of a product of ours. */
const ENTRIES = 24;

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
  const gtins = Array.from({ length: ENTRIES }, (_, n) => gtin13(`40047640${1_000 + n}`));
  pages["/feed.xml"] = xml(
    merchantFeed(gtins.map((gtin, n) =>
      merchantItem({
        id: `${n}`,
        title: `Becher ${n}`,
        gtin,
        link: `${base}/f/${n}`,
        price: "1 EUR",
      })
    )),
  );
  let workspaceId = "";
  let competitorId = "";
  {
    await using app = await startTestApp({ store, env: SCRAPING_ENV, now: () => new Date() });
    workspaceId = app.workspaceId;
    for (let n = 0; n < PAGES; n += 5) {
      const mpn = `DHP${100 + n}`;
      await addProduct(app.manager, mpn, { title: `Makita ${mpn}`, brand: "Makita", mpn });
    }
    for (const ean of gtins) await addProduct(app.manager, ean, { title: `Tasse ${ean}`, ean });
    competitorId = await addShop(app.manager, base);
    // Its own runner would do the work.
    await app.app.close();
    const feeds = [{ url: `${base}/feed.xml`, format: "merchant_xml" }];
    const settings = { mode: "suggest", sitemaps: [`${base}/map.xml`], feeds };
    await answered(app.manager.put(`/api/competitors/${competitorId}/discovery`, settings), 200);
  }
  store.kv.close();

  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const noted = new Map<string, number>();
  await killOnTheWay({
    path: new URL("../crash_child.ts", import.meta.url).pathname,
    args: [dataDir, JSON.stringify({ SCRAPE_TIMEOUT_MS: "2000" }), "-"],
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async ended() {
      const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
      const place = { store: opened, workspaceId, competitorId };
      const { discovery } = await findDiscovery(place, competitorId);
      const job = discovery.jobId &&
        await findJob<DiscoveryJob>(place, DISCOVERY_KIND, discovery.jobId);
      const isHere = discovery.feeds.length > 0 || (job && job.cursor?.feed);
      if (isHere && !noted.has("/feed.xml")) noted.set("/feed.xml", visitsOf("/feed.xml"));
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
  const all = PAGES + ENTRIES;
  assertEquals(discovery.counts, { urls: all, visited: all, products: all });
  assertEquals((await foundPages.list(workspace)).length, all);
  assertEquals(shop.visits.filter(({ path }) => path.startsWith("/f/")), []);
  const suggested = (await suggestions.list(workspace)).map(({ row }) => row);
  const same = suggested.filter(({ verdict, status }) => verdict === "same" && status === "open");
  assertEquals(same.length, Math.ceil(PAGES / 5) + ENTRIES);
  again.kv.close();
});
