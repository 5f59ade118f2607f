import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { HITS_MAX } from "../../../src/scraping/discovery/ask_search.ts";
import {
  DISCOVERY_KIND,
  type DiscoveryJob,
} from "../../../src/scraping/discovery/discovery_job.ts";
import { findDiscovery } from "../../../src/shops/discovery/discovery_store.ts";
import { suggestions } from "../../../src/shops/discovery/suggestion_store.ts";
import { startTestApp } from "../../harness.ts";
import { killOnTheWay } from "../../killed_process.ts";
import { extent } from "../../proof.ts";
import { addProduct, answered } from "../../shops/shop.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { html, openShop, type Page } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { addShop, articlePage } from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const KILLS = extent(20, 2);
const COMMITS_MAX = 12;
/** What the day has room for: each takes three commits, so that all kills fall among them. */
const SEARCHES = 6 * KILLS;
/** A fifth of them is for searches, each of which may lead to so many pages. */
const PAGES_PER_DAY = SEARCHES * (1 + HITS_MAX) * 5;
/** The day ends before they do. */
const PRODUCTS = 2 * SEARCHES;

Deno.test(`searches that are killed ${KILLS} times ask for no product twice that is noted, nor for more than the day has room for`, async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  const { base } = shop;
  const asked: string[] = [];
  pages["/suche"] = (request) => {
    const number = new URL(request.url).searchParams.get("q") ?? "";
    asked.push(number);
    return html(`<ul><li><a href="/p/${number}">Pumpe ${number}</a></li></ul>`);
  };
  const numbers = new Map<string, string>();
  let workspaceId = "";
  let competitorId = "";
  {
    await using app = await startTestApp({ store, env: SCRAPING_ENV, now: () => new Date() });
    workspaceId = app.workspaceId;
    for (let n = 0; n < PRODUCTS; n++) {
      const mpn = `PX${1_000 + n}`;
      const words = { title: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn };
      numbers.set(await addProduct(app.manager, mpn, words), mpn);
      pages[`/p/${mpn}`] = articlePage({ name: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn });
    }
    competitorId = await addShop(app.manager, base);
    // Its own runner would do the work.
    await app.app.close();
    const searchTemplate = `${base}/suche?q={query}`;
    const settings = { mode: "suggest", searchTemplate, pagesPerDay: PAGES_PER_DAY };
    await answered(app.manager.put(`/api/competitors/${competitorId}/discovery`, settings), 200);
  }
  store.kv.close();

  const timesAsked = (number: string) => asked.filter((one) => one === number).length;
  const noted = new Map<string, number>();
  let killedAmongSearches = 0;
  await killOnTheWay({
    path: new URL("../crash_child.ts", import.meta.url).pathname,
    args: [dataDir, JSON.stringify({ SCRAPE_TIMEOUT_MS: "2000" }), "-"],
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async ended() {
      const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
      const place = { store: opened, workspaceId };
      const { discovery: { jobId, search } } = await findDiscovery(place, competitorId);
      const job = jobId && await findJob<DiscoveryJob>(place, DISCOVERY_KIND, jobId);
      const inFlight = job ? job.cursor?.search?.productId : null;
      if (job && job.cursor?.phase === "search") killedAmongSearches++;
      ok(search.askedToday <= SEARCHES, `${search.askedToday} of ${SEARCHES} searches`);
      for (const [productId, number] of numbers) {
        const isNoted = search.after !== null && productId <= search.after &&
          productId !== inFlight;
        if (isNoted && !noted.has(number)) noted.set(number, timesAsked(number));
      }
      opened.kv.close();
    },
  });
  ok(killedAmongSearches >= KILLS / 2, `${killedAmongSearches} kills among searches`);
  assertEquals(noted.size, SEARCHES);
  for (const [number, times] of noted) {
    ok(times > 0, number);
    assertEquals(timesAsked(number), times, number);
  }
  // Beyond what is noted there is the one that was in flight at a kill.
  ok(asked.length <= SEARCHES + KILLS, `${asked.length} requests for ${SEARCHES} searches`);
  assertEquals(new Set(asked).size, SEARCHES);
  ok(shop.openMax() === 1, "one request at a time");

  const visited = shop.visits.map(({ path }) => path).filter((path) => path.startsWith("/p/"));
  assertEquals(visited.toSorted(), Array.from(new Set(asked), (number) => `/p/${number}`).sort());
  const again = await openStore({ kvUrl: null, dataDir }, 60_000);
  const workspace = { store: again, workspaceId };
  const { discovery } = await findDiscovery(workspace, competitorId);
  assertEquals(discovery.search.askedToday, SEARCHES);
  assertEquals(discovery.counts, { urls: SEARCHES, visited: SEARCHES, products: SEARCHES });
  const suggested = (await suggestions.list(workspace)).map(({ row }) => row);
  assertEquals(suggested.map(({ verdict }) => verdict), Array(SEARCHES).fill("same"));
  assertEquals(await Array.fromAsync(findDisagreements(again)), []);
  again.kv.close();
});
