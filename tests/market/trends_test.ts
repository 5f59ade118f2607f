import { MINUTE_MS } from "../../src/base/time.ts";
import fc from "fast-check";
import { cronEntries } from "../../src/app/composition/schedule.ts";
import { addTrendJobs } from "../../src/market/trends/trend_job.ts";
import { decodeDays, encodeDays, trends } from "../../src/market/trends/trend_days.ts";
import { listJobs, waitForJob } from "../../src/platform/jobs/job_store.ts";
import { column, refuses, valuesOf } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { PATIENCE_MS } from "../patience.ts";
import { addProduct, push } from "../rules/evaluation/market.ts";
import { shopId } from "../shops/shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const DAY_MS = 1_440 * MINUTE_MS;

const trend = async (app: TestApp, query = "") =>
  (await app.viewer.read(`/api/market/trend?${query}`)).points;

const shown = (points: Parameters<typeof valuesOf>[0]) =>
  valuesOf(points, "date", "cheapest", "middle", "dearest", "indexPct")
    .map((values) => values.join(" "));

/** Runs the trend jobs that are scheduled for a time. */
async function tick(app: TestApp, slot = app.clock.now()): Promise<void> {
  await addTrendJobs({ store: app.store, clock: app.app.clock }, slot);
  const page = { kind: "market_trend", limit: 100, afterId: null, order: "oldest" } as const;
  for (const { jobId } of (await listJobs(app, page)).jobs) {
    const job = await waitForJob(app, "market_trend", jobId, PATIENCE_MS);
    assertEquals(job?.status, "succeeded");
  }
}

/** acme sells four of the six products for less than we do. */
async function fill(app: TestApp): Promise<void> {
  for (const sku of ["A", "B", "C", "D", "E", "F"]) {
    await addProduct(app.owner, sku, { brand: "Bosch", category: sku === "F" ? "Eis" : "Kälte" });
  }
  await push(app, [["A", "acme", 80], ["B", "acme", 80], ["C", "acme", 80], ["D", "acme", 80]]);
  await push(app, [["E", "acme", 125], ["A", "bolt", 125]]);
}

const daysOf = (...numbers: fc.Arbitrary<number>[]) =>
  fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 31 }), fc.tuple(...numbers)), {
    selector: ([day]) => day,
  });

Deno.test("packed days of a month are unpacked unchanged, with at most 13 bytes each below an index of 20,000", () => {
  const products = fc.nat(100_000);
  fc.assert(fc.property(daysOf(products, products, products, fc.nat(10_000_001)), (days) => {
    const bytes = encodeDays(new Map(days));
    assertEquals([...decodeDays(bytes, 4)], days.toSorted(([a], [b]) => a - b));
    if (days.every(([, numbers]) => numbers[3]! < 2_000_000)) ok(bytes.length <= 13 * days.length);
    ok(bytes.length < 900);
  }));
  fc.assert(fc.property(daysOf(fc.nat(5_000)), (days) => {
    const bytes = encodeDays(new Map(days));
    assertEquals([...decodeDays(bytes, 1)], days.toSorted(([a], [b]) => a - b));
  }));
});

withApp.test("a day is stored at 23:50 of the workspace's zone, once, until its month is too old, and the last point is now", async (app) => {
  await app.owner.change("/api/settings", { timeZone: "Asia/Kathmandu" });
  await fill(app);
  // The first day of a workspace is stored at once, not only in the evening.
  await tick(app);
  const at = Date.parse("2026-03-02T18:05:00Z");
  app.clock.advance(at - app.clock.now().getTime());
  await push(app, [["E", "acme", 99]]);
  await tick(app);
  await tick(app);
  app.clock.advance(DAY_MS);
  await push(app, [["D", "acme", 100]]);
  await tick(app, new Date(app.clock.now().getTime() - 15 * MINUTE_MS));
  const points = await trend(app);
  assertEquals(shown(points), ["2026-03-02 0 1 4 114.71", "2026-03-03 1 1 3 109.71"]);
  const times = ["2026-03-02T18:05:00.000Z", app.clock.now().toISOString()];
  assertEquals([column(points, "takenAt"), column(points, "compared")], [times, [5, 5]]);
  // A month is deleted as a whole, once all of its days are too old.
  const count = async () => (await trends.list(app)).length;
  const rows = await count();
  ok(rows > 5);
  assertEquals(await trends.sweep(app, new Date("2026-03-31T23:00:00Z")), 0);
  assertEquals(await trends.sweep(app, new Date("2026-04-01T01:00:00Z")), rows);
  assertEquals(await count(), 0);
  // The schedule runs at 23:50 of every time zone: in Kathmandu, this is 18:05 UTC.
  const setup = { store: app.store, clock: app.app.clock, delayMs: 0 };
  const entry = cronEntries(setup).find(({ name }) => name === "market trends");
  const slotOf = (time: string) =>
    entry?.slotOf(new Date(`2026-03-02T${time}Z`)).toISOString().slice(11, 19);
  const slots = ["22:50:00", "23:04:59", "18:05:00"].map(slotOf);
  assertEquals(slots, ["22:50:00", "22:50:00", "18:05:00"]);
});

withApp.test("series exist for shops, brands, categories and pairs with at least five products; all others are refused", async (app) => {
  await fill(app);
  await tick(app);
  app.clock.advance(DAY_MS);
  const [acme, bolt] = await Promise.all(["acme", "bolt"].map((name) => shopId(app, name)));
  const firsts: Record<string, string> = {
    "": "1 1 3 110.51",
    [`competitorId=${acme}`]: "1 0 4 116",
    [`competitorId=${bolt}`]: "1 0 0 80",
    "brand=BOSCH": "1 1 3 110.51",
    [`brand=bosch&competitorId=${acme}`]: "1 0 4 116",
    "brand=Bosch&category=kälte": "1 1 3 110.51",
    "category=Eis": "0 0 0 ",
  };
  for (const [query, figures] of Object.entries(firsts)) {
    assertEquals(shown(await trend(app, query))[0], `2026-03-02 ${figures}`, query);
  }
  // The response has the last day of each category with at least five compared products.
  const { groups } = await app.viewer.read(`/api/market/trend?competitorId=${acme}&by=category`);
  const [last] = await trend(app, `category=Kälte&competitorId=${acme}`);
  assertEquals([groups, last?.compared], [[{ category: "Kälte", last }], 5]);
  const refused = [
    `brand=Bosch&competitorId=${acme}&by=category`,
    `brand=Bosch&category=Eis`,
    `brand=Bosch&competitorId=${bolt}`,
    `brand=Bosch&category=Kälte&competitorId=${acme}`,
    "days=31",
    "competitorId=1",
  ];
  for (const query of refused) {
    await refuses(app.viewer.get(`/api/market/trend?${query}`), "validation_failed", query);
  }
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/market/trend?days=365");
  assertEquals(data.points, await trend(app, "days=365"));
  const stranger = await app.strangerOwner();
  const { points } = await stranger.read("/api/market/trend");
  assertEquals(column(points, "compared"), [0]);
});

withApp.test("a day without a snapshot is a gap; a start after a gap takes a snapshot at once", async (app) => {
  await tick(app);
  assertEquals((await trends.list(app)).length, 0, "without products nothing");
  await fill(app);
  await tick(app);
  app.clock.advance(3 * DAY_MS);
  await tick(app);
  // If the day before is stored, the present day is stored only in the evening.
  app.clock.advance(DAY_MS);
  await tick(app);
  // A missed day is not stored after midnight.
  await tick(app, new Date("2026-03-05T22:50:00Z"));
  app.clock.advance(DAY_MS);
  assertEquals(column(await trend(app), "date"), ["2026-03-02", "2026-03-05", "2026-03-07"]);
});
