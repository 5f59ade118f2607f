/**
 * A workspace with observations but without snapshots gets snapshots of its past days, once. They
 * equal the snapshots that are otherwise stored each evening, even if the job is killed.
 */
import { DAY_MS } from "../../src/base/time.ts";
import { addTrendJobs, PAST_TREND_KIND, TREND_KIND } from "../../src/market/trends/trend_job.ts";
import { trends } from "../../src/market/trends/trend_days.ts";
import { checkTables } from "../../src/app/composition/tables.ts";
import { hasEnded } from "../../src/platform/jobs/job.ts";
import { jobs } from "../../src/platform/jobs/job_store.ts";
import { createClock } from "../../src/platform/store/context.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStoreIn } from "../closing_store.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { countCommits, killOnTheWay, runToTheEnd } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { until } from "../patience.ts";
import { addProduct, addProducts, push, untilJudged } from "../rules/evaluation/market.ts";
import { shopId } from "../shops/shop.ts";
import { folderCopy, inFolder } from "../temporary_folder.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { column } from "../api/answers.ts";

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
    app.clock.advance(
      Date.parse("2026-03-02T22:50:00Z") + day * DAY_MS - app.clock.now().getTime(),
    );
    await evening();
  }
  app.clock.advance(10 * 3_600_000);
}

async function jobsOf(store: Store, kind: string) {
  const all = await Array.fromAsync(jobs.walkAll(store), ({ row }) => row);
  return all.filter((job) => job.kind === kind);
}

async function tick(app: TestApp): Promise<void> {
  await addTrendJobs({ store: app.store, clock: app.app.clock }, app.clock.now());
  await until("the days are taken", async () => {
    const all = await Array.fromAsync(jobs.walkAll(app.store));
    return all.every(({ row }) => !row.kind.startsWith("market_") || hasEnded(row));
  });
}

async function daysOf(app: TestApp, query = "") {
  const { points } = await app.viewer.read(`/api/market/trend?${query}`);
  return points.slice(0, -1);
}

withApp.test("past days are calculated once, and equal days stored in the evenings", async (taken) => {
  await live(taken, () => tick(taken));
  await using app = await startTestApp();
  await live(app, () => Promise.resolve());
  assertEquals(await daysOf(app), []);
  await tick(app);
  for (const query of ["", "brand=Bosch", "category=Eis", "brand=Bosch&category=Eis"]) {
    const days = await daysOf(app, query);
    assertEquals(days, await daysOf(taken, query), query);
    assertEquals(days.length, DAYS);
  }
  const ofBolt = async (of: TestApp) =>
    await daysOf(of, `competitorId=${await shopId(of, "bolt")}`);
  assertEquals(await ofBolt(app), await ofBolt(taken));
  const found = new Set(column(await daysOf(app), "indexPct"));
  ok(found.size >= 4, [...found].join());

  await tick(app);
  assertEquals((await jobsOf(app.store, PAST_TREND_KIND)).length, 1);
});

withApp.test("a workspace without observations of earlier days gets no job, nor does one with trend days", async (app) => {
  await tick(app);
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await tick(app);
  app.clock.advance(DAY_MS);
  await tick(app);
  assertEquals(await jobsOf(app.store, PAST_TREND_KIND), []);
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
