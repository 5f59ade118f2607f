import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import { HITS_MAX } from "../../../src/scraping/discovery/ask_search.ts";
import {
  DISCOVERY_KIND,
  type DiscoveryJob,
} from "../../../src/scraping/discovery/discovery_job.ts";
import { findDiscovery } from "../../../src/shops/discovery/discovery_store.ts";
import { suggestions } from "../../../src/shops/discovery/suggestion_store.ts";
import { extent } from "../../proof.ts";
import { addProduct } from "../../shops/shop.ts";
import { html, withShop } from "../hostile_shop.ts";
import { killOnItsWay } from "../killed_scraping.ts";
import { addShop, articlePage } from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const KILLS = extent(20, 2);
/** Maximum number of commits before a kill. Searches start after about 16 commits. */
const COMMITS_MAX = 20;
/**
 * Maximum number of searches per day. Each search needs three commits, so that most kills happen
 * during searches.
 */
const SEARCHES = 6 * KILLS;
/** Searches may use a fifth of the day's pages, and each search may lead to `HITS_MAX` visits. */
const PAGES_PER_DAY = SEARCHES * (1 + HITS_MAX) * 5;
/** Number of products, which is more than the searches of a day. */
const PRODUCTS = 2 * SEARCHES;

withShop.test(`searches that are killed ${KILLS} times repeat no stored one, and stay within the day's limit`, async (shop) => {
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
    kills: KILLS,
    commitsMax: COMMITS_MAX,
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
      ok(killedAmongSearches >= KILLS / 2, `${killedAmongSearches} kills among searches`);
      assertEquals(noted.size, SEARCHES);
      for (const [number, times] of noted) {
        ok(times > 0, number);
        assertEquals(timesAsked(number), times, number);
      }
      // A request in progress at a kill may be repeated.
      ok(asked.length <= SEARCHES + KILLS, `${asked.length} requests for ${SEARCHES} searches`);
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
