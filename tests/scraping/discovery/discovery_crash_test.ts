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
import { addProduct } from "../../shops/shop.ts";
import { extent } from "../../proof.ts";
import { withShop } from "../hostile_shop.ts";
import { timesKilled } from "../../killed_process.ts";
import { killOnItsWay } from "../killed_scraping.ts";
import { gtin13, merchantFeed, merchantItem } from "./made_feeds.ts";
import { addShop, articlePage, urlset, xml } from "./made_shop.ts";

const KILLS = extent(20, 1);
/** Number of pages. Each page needs two commits, for its permit and for its result. */
const PAGES = 15 * KILLS;
const COMMITS_MAX = 24;
/** Number of feed entries. Each entry shows one of our products. */
const ENTRIES = 24;

withShop.test(`discovery that is killed ${timesKilled(KILLS)} ends, and visits no stored page again`, async (shop) => {
  const { base, pages } = shop;
  const numbers = Array.from({ length: PAGES }, (_, n) => `DHP${100 + n}`);
  const words = (mpn: string) => ({ title: `Makita ${mpn}`, brand: "Makita", mpn });
  for (const mpn of numbers) {
    pages[`/p/makita-${mpn}`] = articlePage({ name: `Makita ${mpn}`, brand: "Makita", mpn });
  }
  pages["/map.xml"] = xml(urlset(numbers.map((mpn) => `${base}/p/makita-${mpn}`)));
  const gtins = Array.from({ length: ENTRIES }, (_, n) => gtin13(`40047640${1_000 + n}`));
  const items = gtins.map((gtin, n) =>
    merchantItem({ id: `${n}`, title: `Becher ${n}`, gtin, link: `${base}/f/${n}`, price: "1 EUR" })
  );
  pages["/feed.xml"] = xml(merchantFeed(items));
  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const noted = new Map<string, number>();
  const note = (path: string) => noted.has(path) || noted.set(path, visitsOf(path));
  await killOnItsWay({
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    env: { SCRAPE_TIMEOUT_MS: "2000" },
    async prepare(app) {
      for (let n = 0; n < PAGES; n += 5) {
        await addProduct(app.manager, numbers[n]!, words(numbers[n]!));
      }
      for (const ean of gtins) await addProduct(app.manager, ean, { title: `Tasse ${ean}`, ean });
      const competitorId = await addShop(app.manager, base);
      await app.app.close();
      const feeds = [{ url: `${base}/feed.xml`, format: "merchant_xml" }];
      const settings = { mode: "suggest", sitemaps: [`${base}/map.xml`], feeds };
      await app.manager.replace(`/api/competitors/${competitorId}/discovery`, settings);
      return competitorId;
    },
    async ended(workspace, competitorId) {
      const { discovery } = await findDiscovery(workspace, competitorId);
      const job = discovery.jobId &&
        await findJob<DiscoveryJob>(workspace, DISCOVERY_KIND, discovery.jobId);
      if (discovery.feeds.length > 0 || (job && job.cursor?.feed)) note("/feed.xml");
      for (const { urls, outcomes } of await listPlannedPages({ ...workspace, competitorId })) {
        for (const url of urls.slice(0, outcomes.length)) note(url.slice(base.length));
      }
    },
    async after(workspace, competitorId) {
      for (const [path, visits] of noted) assertEquals(visitsOf(path), visits, path);
      ok(shop.openMax() === 1, "one request at a time");
      const { discovery } = await findDiscovery(workspace, competitorId);
      const all = PAGES + ENTRIES;
      assertEquals(discovery.counts, { urls: all, visited: all, products: all });
      assertEquals((await foundPages.list(workspace)).length, all);
      assertEquals(shop.asked("/f/"), []);
      const same = (await suggestions.list(workspace))
        .filter(({ row }) => row.verdict === "same" && row.status === "open");
      assertEquals(same.length, Math.ceil(PAGES / 5) + ENTRIES);
    },
  });
});
