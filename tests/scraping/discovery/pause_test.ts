import { bodyOf, refuses } from "../../api/answers.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type { SuggestionCounts } from "../../../src/scraping/suggestions/list_suggestions.ts";
import { beginDueDiscoveries } from "../../../src/scraping/discovery/discovery_job.ts";
import { findDomain } from "../../../src/scraping/page/permit.ts";
import {
  discoveries,
  type Discovery,
  findDiscovery,
} from "../../../src/shops/discovery/discovery_store.ts";
import { domainOf } from "../../../src/shops/domain.ts";
import type { Caller } from "../../caller.ts";
import { until } from "../../patience.ts";
import { heldBack, html, openShop, type Page } from "../hostile_shop.ts";
import {
  addShop,
  articlePage,
  discover,
  plain,
  startDiscoveryApp,
  untilIdle,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { startTestApp } from "../../harness.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

withDiscovery.test("a paused discovery stops after the current page, and continues there when resumed", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  const names = Array.from({ length: 12 }, (_, n) => `/p/${n}`);
  const { manager, viewer } = app;
  const path = `/api/competitors/${competitorId}/discovery`;
  const state = async () => (await viewer.read<Discovery>(path)).state;
  const searching = async () =>
    (await viewer.read<SuggestionCounts>("/api/match-suggestions/counts")).searching;
  const pausing: Promise<unknown>[] = [];
  for (const name of names) {
    const page = articlePage({ name, brand: "Makita" });
    pages[name] = async (request) => {
      // A person pauses discovery while the sixth page is being visited.
      const visited = asked("/p/").length;
      if (visited === 6) {
        assertEquals(await searching(), 1);
        const answer = manager.act(`${path}/pause`);
        pausing.push(answer);
        await answer;
      }
      return await page(request);
    };
  }
  pages["/map.xml"] = xml(urlset(names.map((name) => base + name)));
  for (const verb of ["run", "pause", "resume"]) {
    await refuses(manager.post(`${path}/${verb}`), "conflict", verb);
  }
  await manager.replace(path, { mode: "suggest", sitemaps: [`${base}/map.xml`] });
  while (pausing.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all(pausing);
  assertEquals([(await state()).phase, await searching()], ["paused", 0]);
  const visits = () => asked("/p/");
  const before = visits().length;
  ok(before === 6, `${before}`);
  // Changed settings do not resume a paused discovery.
  const seen = new Set(visits());
  const unwanted = names.find((name) =>
    !seen.has(name) && names.filter((other) => other.startsWith(name)).length === 1
  );
  await manager.replace(path, {
    mode: "suggest",
    sitemaps: [`${base}/map.xml`],
    exclude: [unwanted],
  });
  assertEquals([(await state()).phase, visits().length], ["paused", before]);

  const resumed = await manager.act<Discovery>(`${path}/resume`);
  ok(["reading", "ordering", "visiting"].includes(resumed.state.phase), resumed.state.phase);
  const done = await untilIdle(app, competitorId);
  const counts = Map.groupBy(visits(), (path) => path);
  assertEquals(counts.size, 11);
  // Only the page that was being visited at the pause may be visited twice.
  ok([...counts.values()].filter((times) => times.length > 1).length <= 1);
  assertEquals([done.state.urls, done.state.visited, done.state.lastError], [12, 11, null]);
});

const ENDS: Record<string, (manager: Caller, competitorId: string) => Promise<Response>> = {
  "paused": (manager, id) => manager.post(`/api/competitors/${id}/discovery/pause`),
  "switched off": (manager, id) => manager.put(`/api/competitors/${id}/discovery`, { mode: "off" }),
};

for (const [how, end] of Object.entries(ENDS)) {
  withDiscovery.test(`${how} discovery with a page in progress frees its shop for others at once`, async ({ app, shop: { base, pages }, competitorId }) => {
    const { manager, viewer } = app;
    const path = `/api/competitors/${competitorId}/discovery`;
    const { page, requested, release } = heldBack(articlePage({ name: "Bohrer" }));
    pages["/p/0"] = page;
    pages["/map.xml"] = xml(urlset([`${base}/p/0`]));
    await manager.replace(path, { mode: "suggest", sitemaps: [`${base}/map.xml`] });
    await requested;
    const domain = domainOf(new URL(base));
    const holder = async () => (await findDomain(app.store, domain)).state.token;
    ok(await holder() !== null, "the job holds the permit");
    await bodyOf(end(manager, competitorId), 200);
    release();
    await until("the job has ended", async () => {
      const jobs = await Array.fromAsync(app.store.kv.list({ prefix: ["jl"] }));
      return jobs.length === 0;
    });
    assertEquals(await holder(), null);
    assertEquals((await viewer.read<Discovery>(path)).state.visited, 0);
  });
}

/** Adds articles `/p/0` and so on, and their sitemap. Returns the times of the visits. */
function addTimedPages(pages: Record<string, Page>, base: string, count: number): number[] {
  const askedAt: number[] = [];
  const names = Array.from({ length: count }, (_, n) => `/p/${n}`);
  for (const name of names) {
    const page = articlePage({ name, brand: "Makita" });
    pages[name] = (request) => {
      askedAt.push(performance.now());
      return page(request);
    };
  }
  pages["/map.xml"] = xml(urlset(names.map((name) => base + name)));
  return askedAt;
}

withDiscovery.test("a shop's Crawl-delay holds on days without sitemaps, too", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  const DELAY_MS = 400;
  const askedAt = addTimedPages(pages, base, 6);
  pages["/robots.txt"] = plain(`User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}`);
  await discover(app, competitorId, { sitemaps: [`${base}/map.xml`], pagesPerDay: 2 });
  assertEquals(askedAt.length, 2);
  // The next job becomes due.
  await transact(app, async (write) => {
    const { discovery } = await findDiscovery(app, competitorId);
    const next = {
      ...discovery,
      settings: { ...discovery.settings, pagesPerDay: 4 },
      nextRunMs: 0,
      visitedToday: 0,
    };
    discoveries.put(write, app, next);
  });
  assertEquals(await beginDueDiscoveries({ store: app.store, clock: app.app.clock }), 1);
  await untilIdle(app, competitorId);
  assertEquals(askedAt.length, 6);
  assertEquals(asked("/map.xml").length, 1);
  const [first = 0, ...rest] = askedAt.slice(2);
  // If one request is late, the next interval is shorter, so only the whole time is checked.
  const spanMs = (rest.at(-1) ?? 0) - first;
  ok(spanMs >= (rest.length - 1) * DELAY_MS, `${rest.length + 1} pages in ${spanMs} ms`);
});

withDiscovery.test("a shop that refuses three visits in a row is not requested again until the next day", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  const names = Array.from({ length: 7 }, (_, n) => `/p/${n}`);
  for (const name of names) pages[name] = () => html("Nein", {}, 403);
  pages["/map.xml"] = xml(urlset(names.map((name) => base + name)));
  const { state } = await discover(app, competitorId, { sitemaps: [`${base}/map.xml`] });
  const visits = () => asked("/p/").length;
  assertEquals([visits(), state.visited, state.lastError], [3, 3, "blocked"]);
  const due = () => beginDueDiscoveries({ store: app.store, clock: app.app.clock });
  assertEquals(await due(), 0);
  assertEquals(visits(), 3);
  // The shop allows visits again, and the next day begins.
  for (const name of names) pages[name] = articlePage({ name });
  await transact(app, async (write) => {
    const { discovery } = await findDiscovery(app, competitorId);
    ok(discovery.nextRunMs > Date.now() + 60_000, "the next job begins on the next day");
    discoveries.put(write, app, { ...discovery, nextRunMs: 0 });
  });
  assertEquals(await due(), 1);
  const after = await untilIdle(app, competitorId);
  // Refused pages are visited again after a week.
  assertEquals([visits(), after.state.products, after.state.lastError], [7, 4, null]);
});

const DELAY_MS = 40;
const PAGES = 12;

Deno.test("two runners visit one shop for two workspaces, one request at a time and with its delay", async () => {
  await using shop = openShop();
  const { base, pages } = shop;
  const askedAt = addTimedPages(pages, base, PAGES);
  // This crawl delay is longer than the default delay.
  pages["/robots.txt"] = plain(`User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}\nDisallow: /p/3`);
  {
    await using one = await startDiscoveryApp();
    const options = { store: one.store, env: SCRAPING_ENV, now: () => new Date() };
    await using other = await startTestApp(options);
    const states = await Promise.all([one, other].map(async (app) => {
      const id = await addShop(app.manager, base);
      return (await discover(app, id, { sitemaps: [`${base}/map.xml`] })).state;
    }));
    for (const { urls, visited, products } of states) {
      assertEquals([urls, visited, products], [PAGES, PAGES, PAGES - 1]);
    }
  }
  assertEquals(shop.openMax(), 1);
  const visited = shop.visits.map(({ path }) => path);
  assertEquals(visited.filter((path) => path === "/p/3"), []);
  for (let n = 0; n < PAGES; n++) {
    const name = `/p/${n}`;
    assertEquals(visited.filter((path) => path === name).length, n === 3 ? 0 : 2, name);
  }
  const spanMs = (askedAt.at(-1) ?? 0) - (askedAt[0] ?? 0);
  // If one request is late, the next interval is shorter, so only the whole time is checked.
  ok(spanMs >= (askedAt.length - 2) * DELAY_MS, `${askedAt.length} pages in ${spanMs} ms`);
  ok(visited.filter((path) => path === "/robots.txt").length === 1, "one request for both");
});
