import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { lastErrors } from "../../../src/scraping/schedule/health.ts";
import { bodyOf } from "../../api/answers.ts";
import type { TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { html, openShop, productPage } from "../hostile_shop.ts";
import { addTargets, runTick, scrape, startScrapingApp, withScrapingApp } from "../scraping_app.ts";

/** When the outage of the only shop started, according to three different endpoints. */
async function startsOf({ viewer }: TestApp) {
  const { items: [shop] } = await bodyOf(viewer.get("/api/competitors"), 200);
  const { failingDomains } = await bodyOf(viewer.get("/api/overview"), 200);
  const { items: [fresh] } = await bodyOf(viewer.get("/api/overview/shops"), 200);
  return [shop.health.downSince, failingDomains[0]?.health.downSince ?? null, fresh.downSince];
}

withScrapingApp.test("an outage starts with the first failed fetch after the last success, in every response", async (app) => {
  const { clock } = app;
  const state = { page: () => html(productPage("1.00")) };
  await using shop = openShop({ "/p": () => state.page() });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  assertEquals(await startsOf(app), [null, null, null]);

  // A page without a price is an answer but no success. A later outage starts at this time.
  clock.advance(HOUR_MS);
  state.page = () => html("<p>Wartung</p>");
  await scrape(app, productId);
  const since = clock.now().toISOString();
  assertEquals(await startsOf(app), [null, null, null]);
  clock.advance(HOUR_MS);
  state.page = () => html("", {}, 403);
  await scrape(app, productId);
  clock.advance(24 * HOUR_MS);
  await scrape(app, productId);
  assertEquals(await startsOf(app), [since, since, since]);

  const causes = async () => (await bodyOf(app.viewer.get("/api/alerts/causes"), 200)).items;
  await until("the outage is an alert", async () => (await causes()).length === 1);
  const { key, latest: { title, facts } } = (await causes())[0];
  const { host } = new URL(shop.base);
  assertEquals([key, title], [`shop ${host}`, `${host} is down`]);
  const [competitor] = (await bodyOf(app.viewer.get("/api/competitors"), 200)).items;
  assertEquals([facts.competitorId, facts.competitor, facts.since], [competitor.id, host, since]);

  // When the shop works again, the alert is no longer open.
  state.page = () => html(productPage("1.00"));
  await scrape(app, productId);
  assertEquals(await startsOf(app), [null, null, null]);
  await until("the alert is read", async () => (await causes()).length === 0);
});

withScrapingApp.test("an outage stored by an earlier version starts when the shop stopped answering", async (app) => {
  const { clock } = app;
  await using shop = openShop({ "/p": () => html("", {}, 403) });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  const { items: [{ id: competitorId }] } = await bodyOf(app.viewer.get("/api/competitors"), 200);
  const failingSince = clock.now().toISOString();
  await transact(app, async (write) => {
    const { row } = (await lastErrors.find(app, { competitorId }))!;
    const { failedSince: _lacks, ...earlier } = row;
    write.set(lastErrors.keyOf(app, row), (({ competitorId: _, ...rest }) => rest)(earlier));
  });
  clock.advance(HOUR_MS);
  await scrape(app, productId);
  assertEquals((await startsOf(app))[0], failingSince);
});

Deno.test("GET /api/overview/shops says when a shop's pages are due next, and how many in each hour of today", async () => {
  await using app = await startScrapingApp({}, { now: () => new Date("2026-03-10T09:20:00Z") });
  await using shop = openShop({
    "/a": () => html(productPage("1.00")),
    "/b": () => html("", {}, 403),
  });
  const productId = await addTargets(app, `${shop.base}/a`, `${shop.base}/b`);
  await bodyOf(app.manager.patch(`/api/products/${productId}`, { scrapeIntervalHours: 6 }), 200);
  await runTick(app);
  await scrape(app, productId);
  const { items: [{ nextAt, planned }] } = await bodyOf(app.viewer.get("/api/overview/shops"), 200);
  // Two fetches of the pages are due, in about six and twelve hours. Now it is 10:20 in Berlin.
  const inHours = (Date.parse(nextAt) - app.clock.now().getTime()) / HOUR_MS;
  assertEquals([inHours > 5.3, inHours < 6.7], [true, true]);
  const hours = planned.flatMap((pages: number, hour: number) => pages > 0 ? [[hour, pages]] : []);
  const first = Number(nextAt.slice(11, 13)) + 1;
  assertEquals(hours, [[first, 2], ...(first + 6 < 24 ? [[first + 6, 2]] : [])]);
});
