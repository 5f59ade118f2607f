import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  DISCOVERY_KIND,
  type DiscoveryJob,
} from "../../../src/scraping/discovery/discovery_job.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import {
  discoveries,
  findDiscovery,
  NOTHING_DISCOVERED,
} from "../../../src/shops/pages/discovery_store.ts";
import { listPlannedPages } from "../../../src/shops/pages/url_store.ts";
import {
  automaticShops,
  foundPages,
  savePage,
  suggestions,
} from "../../../src/shops/pages/found_page_store.ts";
import { withCheckDigit } from "../../../src/app/demo/demo_catalogue.ts";
import { addProduct } from "../../shops/shop.ts";
import { extent } from "../../proof.ts";
import { html, withShop } from "../hostile_shop.ts";
import { timesKilled } from "../../killed_process.ts";
import { killOnItsWay } from "../killed_scraping.ts";
import {
  addFeed,
  addShop,
  articlePage,
  merchantItem,
  openSuggestion,
  shopPage,
  urlset,
  xml,
} from "./made_shop.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { HITS_MAX } from "../../../src/scraping/discovery/ask_search.ts";
import { walkAuditRows } from "../../../src/accounts/audit/audit_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { walkMatches } from "../../../src/shops/matches/match_store.ts";
import { urlHashOf } from "../../../src/shops/domain.ts";
import type { TestApp } from "../../harness.ts";
import { announced } from "../scraping_app.ts";

const KILLS = extent(20, 1);
/** Each page needs two commits: for the permit to fetch, and for the result. */
const PAGES = 15 * KILLS;
const ENTRIES = 24;

withShop.test(`discovery that is killed ${timesKilled(KILLS)} ends, and visits no stored page again`, async (shop) => {
  const { base, pages } = shop;
  const numbers = Array.from({ length: PAGES }, (_, n) => `DHP${100 + n}`);
  const words = (mpn: string) => ({ title: `Makita ${mpn}`, brand: "Makita", mpn });
  for (const mpn of numbers) {
    pages[`/p/makita-${mpn}`] = articlePage({ name: `Makita ${mpn}`, brand: "Makita", mpn });
  }
  pages["/map.xml"] = xml(urlset(numbers.map((mpn) => `${base}/p/makita-${mpn}`)));
  const gtins = Array.from({ length: ENTRIES }, (_, n) => withCheckDigit(`40047640${1_000 + n}`));
  const items = gtins.map((gtin, n) =>
    merchantItem({ id: `${n}`, title: `Becher ${n}`, gtin, link: `${base}/f/${n}`, price: "1 EUR" })
  );
  const feeds = addFeed(shop, items);
  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const noted = new Map<string, number>();
  const note = (path: string) => noted.has(path) || noted.set(path, visitsOf(path));
  await killOnItsWay({
    kills: KILLS,
    commitsMax: 24,
    env: { SCRAPE_TIMEOUT_MS: "2000" },
    async prepare(app) {
      for (let n = 0; n < PAGES; n += 5) {
        await addProduct(app.manager, numbers[n]!, words(numbers[n]!));
      }
      for (const ean of gtins) await addProduct(app.manager, ean, { title: `Tasse ${ean}`, ean });
      const competitorId = await addShop(app.manager, base);
      await app.app.close();
      const settings = { mode: "suggest", sitemaps: [`${base}/map.xml`], feeds };
      await app.manager.replace(`/api/competitors/${competitorId}/discovery`, settings);
      return competitorId;
    },
    async ended(workspace, competitorId) {
      const { discovery } = await findDiscovery(workspace, competitorId);
      if (discovery.feeds.length > 0) note("/feed.xml");
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

const SEARCH_KILLS = extent(20, 2);
/** Searches per day. A search needs three commits, so most kills happen during searches. */
const SEARCHES = 6 * SEARCH_KILLS;
/** A fifth of the pages per day is for searches; each search reserves `1 + HITS_MAX` pages. */
const PAGES_PER_DAY = SEARCHES * (1 + HITS_MAX) * 5;
const PRODUCTS = 2 * SEARCHES;

withShop.test(`searches that are killed ${SEARCH_KILLS} times repeat no stored one, and stay within the day's limit`, async (shop) => {
  const { base, pages } = shop;
  const asked: string[] = [];
  pages["/suche"] = (request) => {
    const number = new URL(request.url).searchParams.get("q") ?? "";
    asked.push(number);
    return html(`<ul><li><a href="/p/${number}">Pumpe ${number}</a></li></ul>`);
  };
  const timesAsked = (number: string) => asked.filter((one) => one === number).length;
  const numbers = new Map<string, string>();
  const noted = new Map<string, number>();
  let killedAmongSearches = 0;
  await killOnItsWay({
    kills: SEARCH_KILLS,
    // About 16 commits come before the first search.
    commitsMax: 20,
    env: { SCRAPE_TIMEOUT_MS: "2000" },
    async prepare(app) {
      for (let n = 0; n < PRODUCTS; n++) {
        const mpn = `PX${1_000 + n}`;
        const words = { title: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn };
        numbers.set(await addProduct(app.manager, mpn, words), mpn);
        pages[`/p/${mpn}`] = articlePage({ name: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn });
      }
      const competitorId = await addShop(app.manager, base);
      await app.app.close();
      const searchTemplate = `${base}/suche?q={query}`;
      const settings = { mode: "suggest", searchTemplate, pagesPerDay: PAGES_PER_DAY };
      await app.manager.replace(`/api/competitors/${competitorId}/discovery`, settings);
      return competitorId;
    },
    async ended(workspace, competitorId) {
      const { discovery: { jobId, search } } = await findDiscovery(workspace, competitorId);
      const job = jobId && await findJob<DiscoveryJob>(workspace, DISCOVERY_KIND, jobId);
      const inFlight = job ? job.cursor?.search?.productId : null;
      if (job && job.cursor?.phase === "search") killedAmongSearches++;
      ok(search.askedToday <= SEARCHES, `${search.askedToday} of ${SEARCHES} searches`);
      for (const [productId, number] of numbers) {
        const isNoted = search.after !== null && productId <= search.after &&
          productId !== inFlight;
        if (isNoted && !noted.has(number)) noted.set(number, timesAsked(number));
      }
    },
    async after(workspace, competitorId) {
      ok(killedAmongSearches >= SEARCH_KILLS / 2, `${killedAmongSearches} kills among searches`);
      assertEquals(noted.size, SEARCHES);
      for (const [number, times] of noted) {
        ok(times > 0, number);
        assertEquals(timesAsked(number), times, number);
      }
      // Each kill may cause the repetition of the request that was being sent.
      ok(asked.length <= SEARCHES + SEARCH_KILLS, `${asked.length} requests, ${SEARCHES} searches`);
      assertEquals(new Set(asked).size, SEARCHES);
      ok(shop.openMax() === 1, "one request at a time");
      const visited = shop.asked("/p/");
      const pagesOf = Array.from(new Set(asked), (number) => `/p/${number}`);
      assertEquals(visited.toSorted(), pagesOf.toSorted());
      const { discovery } = await findDiscovery(workspace, competitorId);
      assertEquals(discovery.search.askedToday, SEARCHES);
      assertEquals(discovery.counts, { urls: SEARCHES, visited: SEARCHES, products: SEARCHES });
      const verdicts = (await suggestions.list(workspace)).map(({ row }) => row.verdict);
      assertEquals(verdicts, Array(SEARCHES).fill("same"));
      assertEquals(await Array.fromAsync(findDisagreements(workspace.store)), []);
    },
  });
});

/** Each link needs one commit. */
const LINKS = 15 * KILLS;

Deno.test(`automatic links by processes that are killed ${timesKilled(KILLS)} are made once each`, async () => {
  await killOnItsWay({
    kills: KILLS,
    commitsMax: 12,
    async prepare(app) {
      const competitorId = await addShop(app.manager, "https://shop.example");
      await app.app.close();
      for (let n = 0; n < LINKS; n++) await addSuggested(app, competitorId, n);
      // No sitemap is due, so the job sends no request.
      const known = { ...NOTHING_DISCOVERED, competitorId, lastReadMs: Date.now() };
      await transact(app, (write) => discoveries.put(write, app, known));
      const path = `/api/competitors/${competitorId}/discovery`;
      await app.manager.replace(path, { mode: "automatic" });
      return competitorId;
    },
    async ended(workspace, competitorId) {
      const links = (await Array.fromAsync(walkMatches(workspace))).map(({ match }) => match.id);
      const { linkIds = [] } = (await automaticShops.find(workspace, { competitorId }))?.row ?? {};
      assertEquals(linkIds.length, Math.min(links.length, 100), "the count is exact");
      assertEquals(new Set(links).isSupersetOf(new Set(linkIds)), true, "of links that are there");
      assertEquals(new Set(linkIds).size, linkIds.length, "once each");
      const last = links.map(secondsOf).toSorted().slice(-100);
      assertEquals(linkIds.map(secondsOf), last, "the last ones, in their order");
      const linked = (await announced(workspace)).flatMap((event) =>
        event.type === "match.linked" ? [event.data.competitorProductId] : []
      );
      assertEquals(linked.toSorted(), links.toSorted());
    },
    async after(workspace) {
      const links = await Array.fromAsync(walkMatches(workspace));
      assertEquals(links.length, LINKS);
      assertEquals(new Set(links.map(({ productId }) => productId)).size, LINKS);
      const decided = (await suggestions.list(workspace)).map(({ row }) =>
        [row.status, row.decidedBy?.type].join()
      );
      assertEquals(decided, Array(LINKS).fill("accepted,system"));
      const rows = await Array.fromAsync(walkAuditRows(workspace, {}));
      for (const wanted of ["competitor_product.create", "match_suggestion.accept"]) {
        assertEquals(rows.filter(({ action }) => action === wanted).length, LINKS, wanted);
      }
      assertEquals(await Array.fromAsync(findDisagreements(workspace.store)), []);
    },
  });
});

/** Returns the second of creation; ids from two processes in one second are not ordered. */
const secondsOf = (id: string): string => id.slice(0, 8);

/** Stores a product, and a suggestion of a visited page that shows it. */
async function addSuggested(app: TestApp, competitorId: string, n: number): Promise<void> {
  const mpn = `PX${1_000 + n}`;
  const more = { title: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn };
  const productId = await addProduct(app.manager, mpn, more);
  const url = `https://shop.example/p/${n}`;
  const price = { price: 1_100, currency: "EUR", seenAt: new Date().toISOString() };
  const page = shopPage(url, { ...more, ...price });
  const urlHash = urlHashOf(new URL(url));
  await transact(app, (write) => {
    savePage(write, app.workspaceId, { competitorId, urlHash }, null, page);
    const id = app.app.clock.newId();
    const made = { id, productId, competitorId, urlHash, page, verdict: "same" as const };
    suggestions.put(write, app, openSuggestion(made));
  });
}
