import { assertFields, bodyOf, refuses } from "../../api/answers.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type { SuggestionCounts } from "../../../src/scraping/suggestions/list_suggestions.ts";
import { beginDueDiscoveries } from "../../../src/scraping/discovery/discovery_job.ts";
import { findDomain } from "../../../src/scraping/page/permit.ts";
import {
  discoveries,
  type Discovery,
  findDiscovery,
} from "../../../src/shops/pages/discovery_store.ts";
import { domainOf } from "../../../src/shops/domain.ts";
import type { Caller } from "../../caller.ts";
import { until } from "../../patience.ts";
import {
  article,
  articleText,
  heldBack,
  html,
  openShop,
  type Page,
  type Shop,
} from "../hostile_shop.ts";
import {
  addListed,
  addShop,
  discover,
  plain,
  startDiscoveryApp,
  untilIdle,
  withDiscovery,
} from "./made_shop.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { SCRAPING_ENV, untilNoJob } from "../scraping_app.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

withDiscovery.test("a paused discovery stops after the current page, and continues there when resumed", async ({ app, shop, competitorId }) => {
  const { manager, viewer } = app;
  const path = `/api/competitors/${competitorId}/discovery`;
  const phase = async () => (await viewer.read<Discovery>(path)).state.phase;
  const searching = async () =>
    (await viewer.read<SuggestionCounts>("/api/match-suggestions/counts")).searching;
  const visits = () => shop.asked("/p/");
  const pausing: Promise<unknown>[] = [];
  const names = Array.from({ length: 12 }, (_, n) => `/p/${n}`);
  const pages = names.map((name): [string, Page] => [name, async (request) => {
    // A person pauses discovery while the sixth page is being visited.
    if (visits().length === 6) {
      assertEquals(await searching(), 1);
      pausing.push(manager.act(`${path}/pause`));
      await pausing[0];
    }
    return await article(name, { brand: "Makita" })(request);
  }]);
  const sitemaps = [addListed(shop, Object.fromEntries(pages))];
  for (const verb of ["run", "pause", "resume"]) {
    await refuses(manager.post(`${path}/${verb}`), "conflict", verb);
  }
  await manager.replace(path, { mode: "suggest", sitemaps });
  await until("a page pauses discovery", () => pausing.length > 0);
  await Promise.all(pausing);
  assertEquals([await phase(), await searching(), visits().length], ["paused", 0, 6]);
  // Changed settings do not resume a paused discovery.
  const seen = new Set(visits());
  const exclude = names.filter((name) =>
    !seen.has(name) && !names.some((other) => other !== name && other.startsWith(name))
  ).slice(0, 1);
  await manager.replace(path, { mode: "suggest", sitemaps, exclude });
  assertEquals([await phase(), visits().length], ["paused", 6]);

  const resumed = await manager.act<Discovery>(`${path}/resume`);
  ok(["reading", "ordering", "visiting"].includes(resumed.state.phase), resumed.state.phase);
  const done = await untilIdle(app, competitorId);
  assertEquals(new Set(visits()).size, 11);
  // Only the page that was being visited at the pause may be visited twice.
  ok(visits().length <= 12, visits().join());
  assertFields(done.state, { urls: 12, visited: 11, lastError: null });
});

const ENDS: Record<string, (manager: Caller, competitorId: string) => Promise<Response>> = {
  "paused": (manager, id) => manager.post(`/api/competitors/${id}/discovery/pause`),
  "switched off": (manager, id) => manager.put(`/api/competitors/${id}/discovery`, { mode: "off" }),
};

for (const [how, end] of Object.entries(ENDS)) {
  withDiscovery.test(`${how} discovery with a page in progress frees its shop for others at once`, async ({ app, shop, competitorId }) => {
    const { manager, viewer } = app;
    const path = `/api/competitors/${competitorId}/discovery`;
    const { page, requested, release } = heldBack(article("Bohrer"));
    const sitemaps = [addListed(shop, { "/p/0": page })];
    await manager.replace(path, { mode: "suggest", sitemaps });
    await requested;
    const domain = domainOf(new URL(shop.base));
    const holder = async () => (await findDomain(app.store, domain)).state.token;
    ok(await holder() !== null, "the job holds the permit");
    await bodyOf(end(manager, competitorId), 200);
    release();
    await untilNoJob(app);
    assertEquals(await holder(), null);
    assertEquals((await viewer.read<Discovery>(path)).state.visited, 0);
  });
}

/** Adds articles `/p/0` and so on, and their sitemap. Returns its address and the times of visits. */
function addTimedPages(shop: Shop, count: number) {
  const askedAt: number[] = [];
  const pages = Array.from({ length: count }, (_, n): [string, Page] => [`/p/${n}`, (request) => {
    askedAt.push(performance.now());
    return article(`/p/${n}`, { brand: "Makita" })(request);
  }]);
  return { askedAt, map: addListed(shop, Object.fromEntries(pages)) };
}

/** If one request is late, the next interval is shorter, so only the whole time is checked. */
function requirePauses(askedAt: readonly number[], pauses: number, delayMs: number): void {
  const spanMs = askedAt.at(-1)! - askedAt[0]!;
  ok(spanMs >= pauses * delayMs, `${askedAt.length} pages in ${spanMs} ms`);
}

/** Makes the next job of a shop due, with another number of pages per day. */
async function beginNextDay(app: TestApp, competitorId: string, pagesPerDay: number) {
  await transact(app, async (write) => {
    const { discovery } = await findDiscovery(app, competitorId);
    ok(discovery.nextRunMs > Date.now() + 60_000, "the next job begins on the next day");
    const settings = { ...discovery.settings, pagesPerDay };
    discoveries.put(write, app, { ...discovery, settings, nextRunMs: 0, visitedToday: 0 });
  });
  assertEquals(await beginDueDiscoveries({ store: app.store, clock: app.app.clock }), 1);
  return (await untilIdle(app, competitorId)).state;
}

withDiscovery.test("a shop's Crawl-delay holds on days without sitemaps, too", async ({ app, shop, competitorId }) => {
  const DELAY_MS = 400;
  const { askedAt, map } = addTimedPages(shop, 6);
  shop.pages["/robots.txt"] = plain(`User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}`);
  await discover(app, competitorId, { sitemaps: [map], pagesPerDay: 2 });
  assertEquals(askedAt.length, 2);
  await beginNextDay(app, competitorId, 4);
  assertEquals(askedAt.length, 6);
  assertEquals(shop.asked("/map.xml").length, 1);
  requirePauses(askedAt.slice(2), 2, DELAY_MS);
});

withDiscovery.test("a shop that refuses three visits in a row is not requested again until the next day", async ({ app, shop, competitorId }) => {
  const state = { page: (): Response => html("Nein", {}, 403) };
  const names = Array.from({ length: 7 }, (_, n) => `/p/${n}`);
  const map = addListed(shop, Object.fromEntries(names.map((name) => [name, () => state.page()])));
  const first = await discover(app, competitorId, { sitemaps: [map] });
  assertFields(first.state, { visited: 3, lastError: "blocked" });
  assertEquals(await beginDueDiscoveries({ store: app.store, clock: app.app.clock }), 0);
  assertEquals(shop.asked("/p/").length, 3);
  // The shop allows visits again. Refused pages are visited again after a week.
  state.page = () => html(articleText("Bohrer"));
  const next = await beginNextDay(app, competitorId, first.pagesPerDay);
  assertFields(next, { products: 4, lastError: null });
  assertEquals(shop.asked("/p/").length, 7);
});

const DELAY_MS = 40;
const PAGES = 12;

Deno.test("two runners visit one shop for two workspaces, one request at a time and with its delay", async () => {
  await using shop = openShop();
  const { askedAt, map } = addTimedPages(shop, PAGES);
  // This crawl delay is longer than the default delay.
  const robots = `User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}\nDisallow: /p/3`;
  shop.pages["/robots.txt"] = plain(robots);
  {
    await using one = await startDiscoveryApp();
    const options = { store: one.store, env: SCRAPING_ENV, now: () => new Date() };
    await using other = await startTestApp(options);
    await Promise.all([one, other].map(async (app) => {
      const id = await addShop(app.manager, shop.base);
      const { state } = await discover(app, id, { sitemaps: [map] });
      assertFields(state, { urls: PAGES, visited: PAGES, products: PAGES - 1 });
    }));
  }
  assertEquals(shop.openMax(), 1);
  const names = Array.from({ length: PAGES }, (_, n) => `/p/${n}`).filter((name) =>
    name !== "/p/3"
  );
  assertEquals(shop.asked("/p/").toSorted(), [...names, ...names].toSorted());
  requirePauses(askedAt, askedAt.length - 2, DELAY_MS);
  const robotsVisits = shop.visits.filter(({ path }) => path === "/robots.txt");
  assertEquals(robotsVisits.length, 1, "one request for both");
});
