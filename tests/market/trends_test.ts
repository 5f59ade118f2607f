import { DAY_MS, MINUTE_MS } from "../../src/base/time.ts";
import { cronEntries } from "../../src/app/composition/schedule.ts";
import { addTrendJobs, PAST_TREND_KIND, TREND_KIND } from "../../src/market/trends/trend_job.ts";
import { decodeDays, encodeDays, trends } from "../../src/market/trends/trend_days.ts";
import { jobs } from "../../src/platform/jobs/job_store.ts";
import { column, refuses, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
import { addProduct, addProducts, push, untilJudged } from "../rules/evaluation/market.ts";
import { shopId } from "../shops/shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { checkTables } from "../../src/app/composition/tables.ts";
import { createClock } from "../../src/platform/store/context.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStoreIn } from "../closing_store.ts";
import { countCommits, killOnTheWay, runToTheEnd } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { folderCopy, inFolder } from "../temporary_folder.ts";
import fc from "fast-check";

const trend = async (app: TestApp, query = "") =>
  (await app.viewer.read(`/api/market/trend?${query}`)).points;

const shown = (points: Parameters<typeof valuesOf>[0]) =>
  valuesOf(points, "date", "cheapest", "middle", "dearest", "indexPct")
    .map((values) => values.join(" "));

/** Runs the trend jobs that are scheduled for a time. */
async function tick(app: TestApp, slot = app.clock.now()): Promise<void> {
  await addTrendJobs({ store: app.store, clock: app.app.clock }, slot);
  await until("the trend jobs have succeeded", async () => {
    const all = await Array.fromAsync(jobs.walkAll(app.store), ({ row }) => row);
    return all.every(({ kind, status }) => !kind.startsWith("market_") || status === "succeeded");
  });
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
  // `groups` has the last stored day of each category with at least five compared products.
  const { groups } = await app.viewer.read(`/api/market/trend?competitorId=${acme}&by=category`);
  const [last] = await trend(app, `category=Kälte&competitorId=${acme}`);
  assertEquals([groups, last?.compared], [[{ category: "Kälte", last }], 5]);
  const refused = [
    `brand=Bosch&competitorId=${acme}&by=category`,
    `brand=Bosch&category=Eis`,
    `brand=Bosch&competitorId=${bolt}`,
    `brand=Bosch&category=Kälte&competitorId=${acme}`,
    "days=31",
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
  // Kurant calculates past days only if earlier observations exist and no day is stored.
  assertEquals(await jobsOf(app.store, PAST_TREND_KIND), []);
});

const DAYS = 6;
const KILLS = extent(3, 1);
const SKUS = ["A", "B", "C", "D", "E", "F", "G"];

/** Changes prices for some days, and calls `evening` at 23:50 each day, Berlin time. */
async function live(app: TestApp, evening: () => Promise<void>): Promise<void> {
  const start = app.clock.now().getTime();
  const ids = await addProducts(
    app,
    SKUS.map((sku, n) => ({ sku, brand: "Bosch", category: n < 5 ? "Eis" : null })),
  );
  for (let day = 0; day < DAYS; day++) {
    app.clock.advance(start + day * DAY_MS + 3_600_000 - app.clock.now().getTime());
    // Without observations on the third and fourth day, prices become stale.
    if (day < 2 || day > 3) {
      await push(app, SKUS.map((sku, n) => [sku, "acme", 90 + 3 * n + day]));
      await push(app, [["A", "bolt", 70 + 10 * day], ["B", "bolt", 104]]);
      await push(app, [["C", "cord", 50]], { inStock: day % 2 === 0 });
    }
    await app.owner.change(`/api/products/${ids[day]}`, { ourPrice: 97 + day });
    await untilJudged(app);
    const eveningMs = Date.parse("2026-03-02T22:50:00Z") + day * DAY_MS;
    app.clock.advance(eveningMs - app.clock.now().getTime());
    await evening();
  }
  app.clock.advance(10 * 3_600_000);
}

async function jobsOf(store: Store, kind: string) {
  const all = await Array.fromAsync(jobs.walkAll(store), ({ row }) => row);
  return all.filter((job) => job.kind === kind);
}

const storedDays = async (app: TestApp, query = "") => (await trend(app, query)).slice(0, -1);

withApp.test("past days are calculated once, and equal days stored in the evenings", async (taken) => {
  await live(taken, () => tick(taken));
  await using app = await startTestApp();
  await live(app, () => Promise.resolve());
  assertEquals(await storedDays(app), []);
  await tick(app);
  for (const query of ["", "brand=Bosch", "category=Eis", "brand=Bosch&category=Eis"]) {
    const days = await storedDays(app, query);
    assertEquals(days, await storedDays(taken, query), query);
    assertEquals(days.length, DAYS);
  }
  const ofBolt = async (of: TestApp) =>
    await storedDays(of, `competitorId=${await shopId(of, "bolt")}`);
  assertEquals(await ofBolt(app), await ofBolt(taken));
  const found = new Set(column(await storedDays(app), "indexPct"));
  ok(found.size >= 4, [...found].join());

  await tick(app);
  assertEquals((await jobsOf(app.store, PAST_TREND_KIND)).length, 1);
});

for (const kind of [PAST_TREND_KIND, TREND_KIND]) {
  inFolder.test(`days of the job ${kind} whose process is killed equal undisturbed ones, each stored once`, async (folder) => {
    const begun = await openStoreIn(folder.path);
    const { workspaceId, now } = await prepare(begun);
    begun.kv.close();
    const programOn = (dataDir: string) => ({
      path: new URL("trend_child.ts", import.meta.url).pathname,
      args: [dataDir, now, kind],
    });
    await using undisturbed = await folderCopy(folder.path);
    assertEquals(await runToTheEnd(programOn(undisturbed.path)), 0);
    using copy = await openStoreIn(undisturbed.path);
    const expected = await rowsOf(copy, workspaceId);
    ok(expected.length > 5);
    const commits = await countCommits(folder.path, programOn);
    const ended = async () => {
      using store = await openStoreIn(folder.path);
      assertEquals(await Array.fromAsync(checkTables({ store, workspaceId })), []);
    };
    const plan = { kills: KILLS, commitsMax: Math.floor((commits - 1) / KILLS), ended };
    await killOnTheWay({ ...programOn(folder.path), ...plan });
    using after = await openStoreIn(folder.path);
    assertEquals(await rowsOf(after, workspaceId), expected);
    assertEquals(column(await jobsOf(after, kind), "status"), ["succeeded"]);
  });
}

/** Adds observations of past days, and the jobs for past days and for today. */
async function prepare(store: Store) {
  const app = await startTestApp({ store });
  await live(app, () => Promise.resolve());
  // The app must not run the jobs itself.
  await app[Symbol.asyncDispose]();
  const now = app.clock.now();
  await addTrendJobs({ store, clock: await createClock(store, () => now) }, now);
  return { workspaceId: app.workspaceId, now: now.toISOString() };
}

async function rowsOf(store: Store, workspaceId: string) {
  const rows = await trends.list({ store, workspaceId });
  return rows.map(({ row: { month, dimension, value, bytes } }) =>
    `${month} ${dimension} ${value.toHex()} ${bytes.toHex()}`
  );
}
