import { assertFields, column, refuses, valuesOf } from "../../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  countFetch,
  type FetchDays,
  fetchDays,
  lastErrors,
  type ShopFetches,
  sweepCounts,
} from "../../../src/scraping/schedule/health.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { html, type Page, priced } from "../hostile_shop.ts";
import {
  openLink,
  openShopOfOne,
  runTick,
  scrape,
  startScrapingApp,
  withScrapingApp,
} from "../scraping_app.ts";
import type { RepairCause } from "../../../src/shops/offers/offer.ts";
import type { z } from "@hono/zod-openapi";
import { addMatch, addProduct } from "../../shops/shop.ts";

/** When the outage of the only shop started, according to three different endpoints. */
async function startsOf({ viewer }: TestApp) {
  const { items: [shop] } = await viewer.read("/api/competitors");
  const { failingDomains } = await viewer.read("/api/overview");
  const { items: [fresh] } = await viewer.read("/api/overview/shops");
  return [shop.health.downSince, failingDomains[0]?.health.downSince ?? null, fresh.downSince];
}

const FORBIDDEN: Page = () => html("", {}, 403);

withScrapingApp.test("an outage starts with the first failed fetch after the last success, in every response", async (app) => {
  const { clock } = app;
  await using link = await openLink(app, priced("1.00"));
  await link.sees();
  assertEquals(await startsOf(app), [null, null, null]);

  // A page without a price is neither a success nor an outage. The outage that follows starts here.
  await link.sees(() => html("<p>Wartung</p>"));
  const since = clock.now().toISOString();
  assertEquals(await startsOf(app), [null, null, null]);
  await link.sees(FORBIDDEN);
  clock.advance(23 * HOUR_MS);
  await link.sees();
  assertEquals(await startsOf(app), [since, since, since]);

  const causes = async () => (await app.viewer.read("/api/alerts/causes")).items;
  await until("the outage is an alert", async () => (await causes()).length === 1);
  const { key, latest: { title, facts } } = (await causes())[0];
  const { host } = new URL(link.base);
  assertEquals([key, title], [`shop ${host}`, `${host} is down`]);
  assertFields(facts, { competitorId: link.competitorId, competitor: host, since });
  const [{ health }] = (await app.viewer.read("/api/competitors")).items;
  assertFields(health.lastError, { code: "blocked", at: clock.now().toISOString() });

  // When the shop works again, the alert is no longer open.
  await link.sees(priced("1.00"));
  assertEquals(await startsOf(app), [null, null, null]);
  await until("the alert is read", async () => (await causes()).length === 0);
});

withScrapingApp.test("an outage stored by an earlier version starts when the shop stopped answering", async (app) => {
  await using link = await openLink(app, FORBIDDEN);
  await link.sees();
  const failingSince = app.clock.now().toISOString();
  await transact(app, async (write) => {
    const { row } = (await lastErrors.find(app, link))!;
    const { failedSince: _lacks, competitorId: _id, ...earlier } = row;
    write.set(lastErrors.keyOf(app, row), earlier);
  });
  await link.sees();
  assertEquals((await startsOf(app))[0], failingSince);
});

Deno.test("GET /api/overview/shops says when a shop's pages are due next, and how many in each hour of today", async () => {
  await using app = await startScrapingApp({}, { now: () => new Date("2026-03-10T09:20:00Z") });
  await using shop = await openShopOfOne(app, { "/a": priced("1.00"), "/b": FORBIDDEN });
  const { productId } = shop;
  await app.manager.change(`/api/products/${productId}`, { scrapeIntervalHours: 6 });
  await runTick(app);
  await scrape(app, productId);
  const { items: [{ nextAt, planned }] } = await app.viewer.read("/api/overview/shops");
  // Both pages are due in about six hours and again in about twelve. Now it is 10:20 in Berlin.
  const inHours = (Date.parse(nextAt) - app.clock.now().getTime()) / HOUR_MS;
  ok(inHours > 5.3 && inHours < 6.7, `${inHours}`);
  const hours = planned.flatMap((pages: number, hour: number) => pages > 0 ? [[hour, pages]] : []);
  const first = Number(nextAt.slice(11, 13)) + 1;
  assertEquals(hours, [[first, 2], ...(first + 6 < 24 ? [[first + 6, 2]] : [])]);
});

async function addShop(app: TestApp, domain: string): Promise<string> {
  const productId = await addProduct(app.manager, `A-${domain}`);
  return (await addMatch(app.manager, productId, `https://${domain}/1`)).competitorId;
}

type Counted = readonly [at: string, ok: number, failed: number, cause?: RepairCause];

/** Counts successful and failed fetches of a shop. */
async function count(app: TestApp, competitorId: string, ...counted: readonly Counted[]) {
  for (const [at, ok, failed, cause = null] of counted) {
    const atMs = Date.parse(at);
    await transact(app, (write) => {
      countFetch(write, app, { competitorId, atMs, outcome: "ok", count: ok });
      countFetch(write, app, { competitorId, atMs, outcome: cause, count: failed });
    });
  }
}

async function daysOf(app: TestApp, shop: string) {
  const { days } = await app.viewer.read<FetchDays>(`/api/competitors/${shop}/fetch-days`);
  assertEquals(days.length, 30);
  const dates = column(days, "date");
  assertEquals(dates.toSorted(), dates);
  return valuesOf(days.filter(({ ok, failed }) => ok + failed > 0), "date", "ok", "failed");
}

async function rowsOf({ store }: TestApp, table: string): Promise<number> {
  return (await Array.fromAsync(store.kv.list({ prefix: [table] }))).length;
}

Deno.test("fetches of 30 days are shown by local day, before and after their hours are swept", async () => {
  await using app = await startTestApp({ now: () => new Date("2026-03-30T15:00:00Z") });
  const [shop, other] = [await addShop(app, "shop.de"), await addShop(app, "other.de")];
  // Berlin has UTC+1 until 2026-03-29T01:00Z, and UTC+2 after that.
  await count(
    app,
    shop,
    ["2026-03-30T14:10:00Z", 3, 0],
    ["2026-03-29T22:00:00Z", 2, 1],
    ["2026-03-29T21:59:00Z", 5, 0],
    ["2026-03-28T23:00:00Z", 1, 1],
    ["2026-03-28T22:59:00Z", 0, 7],
  );
  await count(app, other, ["2026-03-29T12:00:00Z", 0, 4]);
  const days = [["2026-03-28", 0, 7], ["2026-03-29", 6, 1], ["2026-03-30", 5, 1]];
  assertEquals(await daysOf(app, shop), days);

  // The hours of a day may be swept in two parts. Simultaneous sweeps must add each hour only once.
  const sweep = (before: string) => sweepCounts(app.store, new Date(before));
  await sweep("2026-03-29T15:00:00Z");
  assertEquals(await daysOf(app, shop), days);
  assertEquals(await rowsOf(app, "hd"), 3);
  await Promise.all([1, 2, 3].map(() => sweep("2026-03-29T22:30:00Z")));
  assertEquals(await daysOf(app, shop), days);
  assertEquals(await daysOf(app, other), [["2026-03-29", 0, 4]]);
  assertEquals([await rowsOf(app, "hc"), await rowsOf(app, "hd")], [3, 3]);

  // Counts of days that are no longer shown are deleted.
  await fetchDays.sweep(app, new Date("2026-03-29T15:00:00Z"));
  assertEquals(await daysOf(app, shop), days.slice(1));
  assertEquals(await rowsOf(app, "hd"), 2);
});

async function fail(app: TestApp, competitorId: string, at: string): Promise<void> {
  const since = { failingSince: at, failedSince: at };
  const error = { competitorId, errorCode: "timeout", message: null, at, ...since };
  await transact(app, (write) => lastErrors.put(write, app, { ...error, isAnnounced: false }));
}

Deno.test("fetches of a deleted shop are not stored, shown or added", async () => {
  await using app = await startTestApp({ now: () => new Date("2026-03-30T15:00:00Z") });
  const [shop, other] = [await addShop(app, "shop.de"), await addShop(app, "other.de")];
  await count(app, shop, ["2026-03-28T12:00:00Z", 1, 1]);
  for (const failed of [shop, other]) await fail(app, failed, "2026-03-28T12:00:00Z");
  await app.manager.remove(`/api/competitors/${shop}`);
  await refuses(app.viewer.get(`/api/competitors/${shop}/fetch-days`), "not_found");
  assertEquals(await rowsOf(app, "he"), 2);
  const before = new Date(Date.parse("2026-03-30T15:00:00Z") - DAY_MS);
  assertEquals(await sweepCounts(app.store, before), 3);
  assertEquals([await rowsOf(app, "hc"), await rowsOf(app, "hd")], [0, 0]);
  const left = await lastErrors.find(app, { competitorId: other });
  assertEquals(left?.row.errorCode, "timeout");
  assertEquals(await rowsOf(app, "he"), 1);
  assertEquals(await sweepCounts(app.store, before), 0);
});

Deno.test("GET /api/fetches has each enabled shop by hour of today and by day", async () => {
  await using app = await startTestApp({ now: () => new Date("2026-03-30T15:00:00Z") });
  const [shop, off] = [await addShop(app, "shop.de"), await addShop(app, "off.de")];
  await app.manager.change(`/api/competitors/${off}`, { enabled: false });
  await count(
    app,
    shop,
    ["2026-03-30T14:10:00Z", 3, 1],
    ["2026-03-29T22:00:00Z", 2, 0],
    ["2026-03-29T21:59:00Z", 5, 0],
    ["2026-03-30T14:20:00Z", 0, 2, "blocked"],
    ["2026-03-30T14:30:00Z", 0, 3, "no_answer"],
    ["2026-03-17T12:00:00Z", 0, 2],
    ["2026-03-16T12:00:00Z", 9, 0],
  );
  await sweepCounts(app.store, new Date("2026-03-29T15:00:00Z"));
  const fetches = await app.viewer.read<z.output<typeof ShopFetches>>("/api/fetches");
  const [one] = fetches.items;
  const some = (counts: readonly { ok: number; failed: number }[] = []) =>
    counts.flatMap(({ ok, failed }, at) => ok + failed > 0 ? [[at, ok, failed]] : []);
  assertEquals([fetches.date, fetches.items.length, one?.competitorId], ["2026-03-30", 1, shop]);
  assertEquals(some(one?.hours), [[0, 2, 0], [16, 3, 6]]);
  // The last 24 hours include hours of the previous evening.
  assertEquals(some(one?.lastHours), [[5, 5, 0], [6, 2, 0], [22, 3, 6]]);
  // One failed fetch has no known cause, so it is in none of these counts.
  const causes = [{ cause: "no_answer", failed: 3 }, { cause: "blocked", failed: 2 }];
  assertEquals(one?.lastHours.flatMap((hour) => hour.causes), causes);
  const starts = column(one?.lastHours ?? [], "startAt");
  const ends = [starts[0], starts.at(-1)];
  assertEquals(starts.length, 24);
  assertEquals(ends, ["2026-03-29T16:00:00.000Z", "2026-03-30T15:00:00.000Z"]);
  assertEquals(some(one?.days), [[0, 0, 2], [12, 5, 0], [13, 5, 6]]);
});
