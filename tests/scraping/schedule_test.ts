import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import {
  dueAfter,
  keepSchedule,
  loadOf,
  saveDue,
  schedules,
  stretchOf,
  walkDue,
} from "../../src/scraping/schedule/schedule.ts";
import { assertFields, bodyOf, column, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { addShop } from "./discovery/made_shop.ts";
import { heldBack, html, openShop, type Page, priced } from "./hostile_shop.ts";
import {
  addTargets,
  ended,
  openLink,
  openShopOfOne,
  runIdsOf,
  runTick,
  scrape,
  startScrapingApp,
  tickAndEnd,
  withScrapingApp,
} from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import {
  listScheduleMarks,
  markForSchedule,
} from "../../src/catalogue/products/change_log_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { workspaceNumber } from "../platform/jobs/counting.ts";
import { onEveryStore } from "../stores.ts";
import {
  countFetch,
  type FetchDays,
  fetchDays,
  fetchDaySums,
  fetchHours,
  lastErrors,
  perDayMax,
} from "../../src/scraping/schedule/health.ts";
import { until } from "../patience.ts";
import { watchedStore } from "../watched_store.ts";
import { Failure } from "../../src/base/failure.ts";
import type { RepairCause } from "../../src/shops/offers/offer.ts";

async function dueInHours(app: TestApp, productId: string): Promise<number | null> {
  const found = await schedules.find(app, { productId });
  return found && (found.row.dueAtMs - app.clock.now().getTime()) / HOUR_MS;
}

async function requireDueIn(app: TestApp, productId: string, from: number, to: number, what = "") {
  const hours = await dueInHours(app, productId);
  ok(hours !== null && hours >= from && hours <= to, `${what} ${hours}`);
}

withScrapingApp.test("two passes at once make one run of a new match, which is then due every interval, a tenth earlier or later", async (app) => {
  await using shop = await openShopOfOne(app, { "/p": priced("1.00") });
  const { productId } = shop;
  const made = await Promise.all([runTick(app), runTick(app), runTick(app)]);
  assertEquals(made.reduce((sum, count) => sum + count), 1);
  const [runId, ...others] = await runIdsOf(app, productId);
  assertEquals(others, []);
  await ended(app, runId!);
  const { items: [{ health }] } = await app.viewer.read("/api/competitors");
  assertEquals([health.due, health.ok24h, health.perDayMax], [1, 1, 86_400_000]);
  const run = await app.viewer.read("/api/scrape-runs");
  assertEquals(run.items[0]!.trigger, "schedule");
  await requireDueIn(app, productId, 21.6, 26.4);
  assertEquals(await runTick(app), 0);
  app.clock.advance(27 * HOUR_MS);
  const { items: [late] } = await app.viewer.read("/api/competitors");
  assertEquals([late.health.due, late.health.ok24h], [1, 0]);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals(shop.asked().length, 2);
});

withScrapingApp.test("a match that moves to another page has no price until that page is fetched, which is soon", async (app) => {
  await using link = await openLink(app, priced("1.00"), { pages: { "/q": priced("2.00") } });
  const { base, url, path, productId } = link;
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals((await link.match()).currentPrice, 100);
  await app.manager.change(path, { url: `${url}?utm_source=x#top` });
  assertEquals((await link.match()).currentPrice, 100);
  await requireDueIn(app, productId, 20, 27);

  const moved = await app.manager.change(path, { url: `${base}/q` });
  assertFields(moved, { currentPrice: null, lastCheckedAt: null, lastStatus: null });
  assertEquals(await link.match(), moved);
  app.clock.advance(60_000);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals((await link.match()).currentPrice, 200);
});

withScrapingApp.test("a page to which a match moves after its visit in a run is fetched soon after the run", async (app) => {
  const slow = heldBack(priced("1.00"));
  const pages = { "/q": priced("2.00"), "/slow": slow.page };
  await using link = await openLink(app, priced("3.00"), { pages });
  const { base, path, productId } = link;
  await addMatch(app.manager, productId, `${base}/slow`);
  assertEquals(await runTick(app), 1);
  await slow.requested;
  app.clock.advance(1_000);
  await app.manager.change(path, { url: `${base}/q` });
  assertEquals(await runTick(app), 0);
  slow.release();
  await ended(app, (await runIdsOf(app, productId))[0]!);
  app.clock.advance(60_000);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals((await link.match()).currentPrice, 200);
});

withScrapingApp.test("a product that is not to be fetched leaves the schedule, and comes back", async (app) => {
  await using link = await openLink(app, priced("1.00"));
  const { productId, competitorId } = link;
  await tickAndEnd(app, productId);
  const path = `/api/products/${productId}`;
  const { manager } = app;
  const switches: readonly ((on: boolean) => Promise<Response>)[] = [
    (on) => manager.patch(path, { scrapeEnabled: on }),
    (on) => on ? manager.post(`${path}/restore`) : manager.delete(path),
    (on) => manager.patch(link.path, { enabled: on }),
    (on) => manager.patch(`/api/competitors/${competitorId}`, { enabled: on }),
    (on) => manager.post("/api/products/bulk", { ids: [productId], set: { scrapeEnabled: on } }),
  ];
  for (const turn of switches) {
    await bodyOf(turn(false), 200);
    assertEquals(await runTick(app), 0);
    assertEquals(await dueInHours(app, productId), null, turn.toString());
    await bodyOf(turn(true), 200);
    assertEquals(await runTick(app), 0);
    await requireDueIn(app, productId, 20, 27, turn.toString());
  }
});

withScrapingApp.test("the interval counts from the last run, also a manual one or if it changes; a new match makes its product due, and no match never", async (app) => {
  await using shop = openShop({ "/p": priced("1.00"), "/b": priced("2.00") });
  await addProduct(app.manager, "no match");
  const productId = await addTargets(app, `${shop.base}/p`);
  await tickAndEnd(app, productId);
  app.clock.advance(20 * HOUR_MS);
  await scrape(app, productId);
  await requireDueIn(app, productId, 21, 27);
  app.clock.advance(5 * HOUR_MS);
  assertEquals(await runTick(app), 0);
  const path = `/api/products/${productId}`;
  await app.manager.change(path, { scrapeIntervalHours: 8 });
  await runTick(app);
  await requireDueIn(app, productId, 2, 4);
  await app.manager.change(path, { scrapeIntervalHours: 1 });
  assertEquals(await tickAndEnd(app, productId), 1);
  app.clock.advance(60_000);
  await addMatch(app.manager, productId, `${shop.base}/b`);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals(shop.asked(), ["/p", "/p", "/p", "/p", "/b"]);
});

withScrapingApp.test("a product whose run still waits delays no other product, and is due again after the run", async (app) => {
  const { page, requested, release } = heldBack(priced("1.00"));
  await using shop = await openShopOfOne(app, { "/p": page });
  const { productId } = shop;
  assertEquals(await runTick(app), 1);
  await requested;
  app.clock.advance(27 * HOUR_MS);
  assertEquals(await runTick(app), 0);
  await requireDueIn(app, productId, 20, 27);
  release();
  const [runId] = await runIdsOf(app, productId);
  await ended(app, runId!);
  app.clock.advance(27 * HOUR_MS);
  assertEquals(await tickAndEnd(app, productId), 1);
});

withScrapingApp.test("a shop in back-off is left alone: its later targets are skipped, and tried again within the hour", async (app) => {
  const busy: Page = () => html("", { "Retry-After": "1800" }, 429);
  await using shop = await openShopOfOne(app, { "/a": busy, "/b": priced("1.00") });
  await tickAndEnd(app, shop.productId);
  const { items: [run] } = await app.viewer.read("/api/scrape-runs");
  const outcomes = [["failed", "blocked"], ["skipped", "backing_off"]];
  assertEquals(valuesOf(run.results, "status", "errorCode"), outcomes);
  const counts = { targets: 2, ok: 0, failed: 1, skipped: 1 };
  assertFields(run, { counts, hasErrors: true });
  await requireDueIn(app, shop.productId, 0, 1);
  assertEquals(await runTick(app), 0);
  app.clock.advance(HOUR_MS);
  assertEquals(await tickAndEnd(app, shop.productId), 1);
  assertEquals(column(shop.visits, "path"), ["/robots.txt", "/a", "/a"]);
});

Deno.test("dueAfter() stays within a tenth of the interval, and is the same for the same product", () => {
  fc.assert(fc.property(
    fc.stringMatching(/^[0-9a-f]{24}$/),
    fc.integer({ min: 0, max: 4e12 }),
    fc.integer({ min: 1, max: 720 }),
    fc.double({ min: 1, max: 100, noNaN: true }),
    (id, baseMs, intervalHours, stretch) => {
      const question = { baseMs, intervalHours, stretch };
      const due = dueAfter(id, question);
      const spanMs = intervalHours * HOUR_MS * stretch;
      ok(Math.abs(due - baseMs - spanMs) <= spanMs * 0.1 + 1);
      assertEquals(dueAfter(id, question), due);
    },
  ));
});

Deno.test("intervals stretch where the due fetches of all matches are more than a shop's delay allows", () => {
  assertEquals(perDayMax(2_000), 43_200);
  assertEquals(stretchOf([43_200_000], 2_000), 1);
  assertEquals(stretchOf([0, 86_400_000], 2_000), 2);
  assertEquals(stretchOf([], 2_000), 1);
  const [a, b] = [{ domain: "a", competitorId: "1" }, { domain: "b", competitorId: "2" }];
  const load = { domains: { a: 6_000, b: 3_000 }, competitors: { 1: 6_000, 2: 3_000 } };
  assertEquals(loadOf(8, [a, a, b]), load);
});

/** Queues 250 products for scheduling, ahead of all others. */
async function markMany({ store, workspaceId }: TestApp) {
  for (let at = 0; at < 250; at += 50) {
    await transact({ store }, (write) => {
      for (let n = at; n < at + 50; n++) markForSchedule(write, workspaceId, workspaceNumber(n));
    });
  }
}

withScrapingApp.test("due products become runs before all marked products are planned", async (app) => {
  await using link = await openLink(app, priced("1.00"));
  await tickAndEnd(app, link.productId);
  app.clock.advance(27 * HOUR_MS);
  await markMany(app);
  let marks = 0;
  const broken = watchedStore(app.store, {
    committing(changes) {
      if (changes.some(({ name, key }) => name === "delete" && key[0] === "sd")) marks++;
      if (marks > 200) throw new Failure("unavailable", "The store is gone");
    },
  });
  await rejects(runTick({ ...app, store: broken }), /The store is gone/);
  assertEquals((await runIdsOf(app, link.productId)).length, 2);
});

withScrapingApp.test("a due product that was switched off is not fetched while others are planned", async (app) => {
  await using link = await openLink(app, priced("1.00"));
  await tickAndEnd(app, link.productId);
  app.clock.advance(27 * HOUR_MS);
  await app.manager.change(`/api/products/${link.productId}`, { scrapeEnabled: false });
  await markMany(app);
  assertEquals(await runTick(app), 0);
});

onEveryStore.test("marked products of workspaces are handled in turn, however many one of them has", async (store) => {
  const marked = [[1, 40], [2, 3], [3, 20]] as const;
  await transact({ store }, (write) => {
    for (const [workspace, products] of marked) {
      for (let n = 0; n < products; n++) {
        markForSchedule(write, workspaceNumber(workspace), workspaceNumber(n));
      }
    }
  });
  const shares = async (max: number) => {
    const marks = await listScheduleMarks(store, max);
    return marked.map(([workspace]) =>
      marks.filter(({ workspaceId }) => workspaceId === workspaceNumber(workspace)).length
    );
  };
  assertEquals(await shares(30), [10, 3, 17]);
  assertEquals(await shares(6), [2, 2, 2]);
  assertEquals(await shares(1_000), [40, 3, 20]);
});

onEveryStore.test("an unreadable marked product does not block other workspaces", async (store) => {
  const [poisoned, sound] = [workspaceNumber(1), workspaceNumber(2)];
  await transact({ store }, (write) => {
    write.set(["p", idBytes(poisoned), idBytes(workspaceNumber(7))], new Uint8Array([1]));
    markForSchedule(write, poisoned, workspaceNumber(7));
    markForSchedule(write, sound, workspaceNumber(8));
  });
  const now = () => new Date("2026-03-02T09:00:00Z");
  const newId = () => workspaceNumber(9);
  await keepSchedule({ store, delayMs: 2_000, now, newId });
  const left = (await listScheduleMarks(store, 10)).map(({ workspaceId }) => workspaceId);
  assertEquals(left, [poisoned]);
});

onEveryStore.test("due products of workspaces become runs in turn, however long one of them waits", async (store) => {
  const nowMs = Date.parse("2026-03-02T09:00:00Z");
  const due = { baseMs: 0, intervalHours: 24, load: { domains: {}, competitors: {} } };
  const scheduled = [[1, 300, nowMs - 9_000_000], [2, 40, nowMs - 1_000]] as const;
  for (const [workspace, products, dueAtMs] of scheduled) {
    for (let at = 0; at < products; at += 10) {
      await transact({ store }, (write) => {
        for (let n = at; n < at + 10; n++) {
          const productId = workspaceNumber(16 * n);
          const plan = { ...due, productId, dueAtMs: dueAtMs + n };
          saveDue(write, workspaceNumber(workspace), productId, null, plan);
        }
      });
    }
  }
  const rows = await Array.fromAsync(walkDue(store, nowMs, 60));
  const of = (workspace: number) =>
    rows.filter(({ workspaceId }) => workspaceId === workspaceNumber(workspace));
  assertEquals([of(1).length, of(2).length], [30, 30]);
  const times = of(1).map(({ dueAtMs }) => dueAtMs - nowMs + 9_000_000);
  assertEquals(times, [...Array(30).keys()], "the oldest first");
});

/** Returns the start of the shop's outage as three endpoints report it. */
async function startsOf({ viewer }: TestApp) {
  const { items: [shop] } = await viewer.read("/api/competitors");
  const { failingDomains } = await viewer.read("/api/overview");
  const { items: [fresh] } = await viewer.read("/api/overview/shops");
  return [shop.health.downSince, failingDomains[0]?.health.downSince ?? null, fresh.downSince];
}

const outages = async ({ viewer }: TestApp) => (await viewer.read("/api/alerts/causes")).items;

const FORBIDDEN: Page = () => html("", {}, 403);

withScrapingApp.test("an outage starts with the first failed fetch after the last success, in every response", async (app) => {
  const { clock } = app;
  await using link = await openLink(app, priced("1.00"));
  await link.sees();
  assertEquals(await startsOf(app), [null, null, null]);

  // This failure is no outage, because the shop answers; a following outage starts at this time.
  await link.sees(() => html("<p>Wartung</p>"));
  const since = clock.now().toISOString();
  assertEquals(await startsOf(app), [null, null, null]);
  await link.sees(FORBIDDEN);
  clock.advance(23 * HOUR_MS);
  await link.sees();
  assertEquals(await startsOf(app), [since, since, since]);

  await until("the outage is an alert", async () => (await outages(app)).length === 1);
  const { key, latest: { title, facts } } = (await outages(app))[0];
  const { host } = new URL(link.base);
  assertEquals([key, title], [`shop ${host}`, `${host} is down`]);
  assertFields(facts, { competitorId: link.competitorId, competitor: host, since });
  const [{ health }] = (await app.viewer.read("/api/competitors")).items;
  assertFields(health.lastError, { code: "blocked", at: clock.now().toISOString() });

  // Any answer of the shop closes the alert, even if the page has no price.
  await link.sees(() => html("<p>Wartung</p>"));
  await until("the alert is read", async () => (await outages(app)).length === 0);
  await link.sees(priced("1.00"));
  assertEquals(await startsOf(app), [null, null, null]);
});

withScrapingApp.test("an outage ends when its shop is disabled; one stored by an earlier version starts when the shop stopped answering", async (app) => {
  const { clock } = app;
  await using link = await openLink(app, FORBIDDEN);
  await link.sees();
  clock.advance(23 * HOUR_MS);
  await link.sees();
  await until("the outage is an alert", async () => (await outages(app)).length === 1);
  const path = `/api/competitors/${link.competitorId}`;
  await app.manager.change(path, { enabled: false });
  await runTick(app);
  await until("the alert is read", async () => (await outages(app)).length === 0);
  clock.advance(10 * DAY_MS);
  await app.manager.change(path, { enabled: true });
  await runTick(app);
  await link.sees();
  const now = clock.now().toISOString();
  assertEquals(await startsOf(app), [now, now, now]);
  const { row } = (await lastErrors.find(app, link))!;
  assertEquals(row.isAnnounced, false);

  const { failedSince: _lacks, competitorId: _id, ...earlier } = row;
  await transact(app, (write) => void write.set(lastErrors.keyOf(app, row), earlier));
  await link.sees();
  assertEquals((await startsOf(app))[0], now);
});

Deno.test("GET /api/overview/shops says when a shop's pages are due next, and how many in each hour of today", async () => {
  await using app = await startScrapingApp({}, { now: () => new Date("2026-03-10T09:20:00Z") });
  await using shop = await openShopOfOne(app, { "/a": priced("1.00"), "/b": FORBIDDEN });
  const { productId } = shop;
  await app.manager.change(`/api/products/${productId}`, { scrapeIntervalHours: 6 });
  await runTick(app);
  await scrape(app, productId);
  const { items: [{ nextAt, planned }] } = await app.viewer.read("/api/overview/shops");
  // Each page is due in about six hours, and again six hours later; it is 10:20 in Berlin (UTC+1).
  const inHours = (Date.parse(nextAt) - app.clock.now().getTime()) / HOUR_MS;
  ok(inHours > 5.3 && inHours < 6.7, `${inHours}`);
  const hours = planned.flatMap((pages: number, hour: number) => pages > 0 ? [[hour, pages]] : []);
  const first = Number(nextAt.slice(11, 13)) + 1;
  assertEquals(hours, [[first, 2], ...(first + 6 < 24 ? [[first + 6, 2]] : [])]);
});

type Counted = readonly [at: string, ok: number, failed: number, cause?: RepairCause];

async function count(app: TestApp, competitorId: string, ...counted: readonly Counted[]) {
  for (const [at, ok, failed, cause = null] of counted) {
    const fetched = { competitorId, atMs: Date.parse(at), timeZone: "Europe/Berlin" };
    await transact(app, (write) => {
      countFetch(write, app, { ...fetched, outcome: "ok", count: ok });
      countFetch(write, app, { ...fetched, outcome: cause, count: failed });
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

Deno.test("GET /api/fetches has each enabled shop by hour of today and by day, and a shop shows 30 local days, also those counted by an earlier version", async () => {
  await using app = await startTestApp({ now: () => new Date("2026-03-30T15:00:00Z") });
  const [shop = "", other = ""] = await Promise.all(
    ["https://shop.de", "https://other.de"].map((base) => addShop(app.manager, base)),
  );
  // Summer time begins in Berlin on 2026-03-29 at 01:00 UTC.
  await count(
    app,
    shop,
    ["2026-03-30T14:10:00Z", 3, 1],
    ["2026-03-30T14:20:00Z", 0, 2, "blocked"],
    ["2026-03-30T14:30:00Z", 0, 3, "no_answer"],
    ["2026-03-29T22:00:00Z", 2, 1],
    ["2026-03-29T21:59:00Z", 5, 0],
    ["2026-03-28T23:00:00Z", 1, 1],
    ["2026-03-28T22:59:00Z", 0, 7],
    ["2026-03-17T12:00:00Z", 0, 2],
    ["2026-03-16T12:00:00Z", 9, 0],
  );
  await count(app, other, ["2026-03-29T12:00:00Z", 0, 4]);
  await app.manager.change(`/api/competitors/${other}`, { enabled: false });
  const { date, items: [one, ...others] } = await app.viewer.read("/api/fetches");
  const some = (counts: readonly { ok: number; failed: number }[]) =>
    counts.flatMap(({ ok, failed }, at) => ok + failed > 0 ? [[at, ok, failed]] : []);
  assertEquals([date, one.competitorId, others], ["2026-03-30", shop, []]);
  assertEquals(some(one.hours), [[0, 2, 1], [16, 3, 6]]);
  assertEquals(some(one.lastHours), [[5, 5, 0], [6, 2, 1], [22, 3, 6]]);
  // A failed fetch with an unknown cause is missing in the counts by cause.
  const causes = [{ cause: "no_answer", failed: 3 }, { cause: "blocked", failed: 2 }];
  assertEquals(column(one.lastHours, "causes").flat(), causes);
  const starts = column(one.lastHours, "startAt");
  const ends = [starts[0], starts.at(-1)];
  assertEquals(starts.length, 24);
  assertEquals(ends, ["2026-03-29T16:00:00.000Z", "2026-03-30T15:00:00.000Z"]);
  assertEquals(some(one.days), [[0, 0, 2], [11, 0, 7], [12, 6, 1], [13, 5, 7]]);

  const early = [["2026-03-16", 9, 0], ["2026-03-17", 0, 2]];
  const late = [["2026-03-28", 0, 7], ["2026-03-29", 6, 1], ["2026-03-30", 5, 7]];
  assertEquals(await daysOf(app, shop), [...early, ...late]);
  assertEquals(await daysOf(app, other), [["2026-03-29", 0, 4]]);
  // A day is shown even if its hours have been deleted, until it is too old itself.
  const former = { competitorId: shop, date: "2026-03-29", ok: 1, failed: 10 };
  await transact(app, (write) => fetchDaySums.put(write, app, former));
  await fetchHours.clear(app, {});
  const day = new Date("2026-03-29T15:00:00Z");
  for (const table of [fetchDays, fetchDaySums]) await table.sweep(app, day);
  assertEquals(await daysOf(app, shop), [["2026-03-29", 7, 11], ["2026-03-30", 5, 7]]);
  await transact(app, (write) => fetchDaySums.put(write, app, { ...former, date: "2026-03-28" }));
  assertEquals(await fetchDaySums.sweep(app, day), 1);
});
