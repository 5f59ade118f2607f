import { DAY_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, notDeepStrictEqual, ok } from "node:assert/strict";
import { createClock } from "../../src/platform/store/context.ts";
import { checkMarket } from "../../src/market/check_market.ts";
import { takeTrend } from "../../src/market/trends/take_trend.ts";
import { addTrendJobs } from "../../src/market/trends/trend_job.ts";
import { trends } from "../../src/market/trends/trend_days.ts";
import { findJob, listJobs } from "../../src/platform/jobs/job_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { addProducts, push } from "../rules/evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { openMarketCache } from "./market_reader.ts";

const ROUNDS = extent(5, 1);
/** Number of days. On the second day, the offers are not too old yet. */
const DAYS = 2;
/** A job that is killed once more at the same place would be given up. */
const KILLS = extent(3, 1);
/** Less than the number of commits that a day of trends needs. */
const COMMITS_MAX = 7;
const EVENING_MS = Date.parse("2026-03-02T22:50:00Z");
const PRODUCTS = 60;

async function prepare(store: Store): Promise<string> {
  await using app = await startTestApp({ store });
  const rows = Array.from({ length: PRODUCTS }, (_, n) => n);
  await addProducts(
    app,
    rows.map((n) => ({ sku: `S-${n}`, brand: `Brand ${n % 5}`, category: `Category ${n % 3}` })),
  );
  await push(app, rows.map((n) => [`S-${n}`, "acme", 80 + n]));
  await push(app, rows.map((n) => [`S-${n}`, "bolt", 120 - n]));
  return app.workspaceId;
}

Deno.test(`a day of trends that is killed ${KILLS} times equals an undisturbed day, stored once`, async () => {
  for (let round = 0; round < ROUNDS; round++) await killDays();
});

async function killDays(): Promise<void> {
  await using folder = await temporaryFolder();
  const open = (dataDir = folder.path) => openStore({ kvUrl: null, dataDir }, 60_000);
  const begun = await open();
  const workspaceId = await prepare(begun);
  begun.kv.close();
  let before: unknown[] = [];
  for (let day = 0; day < DAYS; day++) {
    const now = new Date(EVENING_MS + day * DAY_MS);
    const store = await open();
    const jobId = await addJob(store, workspaceId, now);
    store.kv.close();
    const programOn = (dataDir: string) => ({
      path: new URL("trend_child.ts", import.meta.url).pathname,
      args: [dataDir, workspaceId, now.toISOString(), jobId, "market_trend"],
    });
    const undisturbed = await temporaryFolder();
    for await (const { name } of Deno.readDir(folder.path)) {
      await Deno.copyFile(`${folder.path}/${name}`, `${undisturbed.path}/${name}`);
    }
    const copy = await open(undisturbed.path);
    await takeDay(copy, workspaceId, now);
    const expected = await rowsOf(copy, workspaceId);
    copy.kv.close();
    await undisturbed[Symbol.asyncDispose]();
    notDeepStrictEqual(expected, before);
    const ended = async () => {
      const store = await open();
      assertEquals(await Array.fromAsync(checkMarket(store, workspaceId)), []);
      store.kv.close();
    };
    const plan = { kills: KILLS, commitsMax: COMMITS_MAX, ended };
    await killOnTheWay({ ...programOn(folder.path), ...plan });
    const after = await open();
    assertEquals(await rowsOf(after, workspaceId), expected);
    const job = await findJob({ store: after, workspaceId }, "market_trend", jobId);
    assertEquals(job?.status, "succeeded");
    await takeDay(after, workspaceId, now);
    assertEquals(await rowsOf(after, workspaceId), expected);
    after.kv.close();
    before = expected;
  }
  ok(before.length > 10);
}

/** Returns the id of the job. A second call for the same evening adds no job. */
async function addJob(store: Store, workspaceId: string, now: Date): Promise<string> {
  const clock = await createClock(store, () => now);
  await addTrendJobs({ store, clock }, now);
  await addTrendJobs({ store, clock }, now);
  const page = { kind: "market_trend", limit: 100, afterId: null, order: "oldest" } as const;
  const { jobs } = await listJobs({ store, workspaceId }, page);
  const waiting = jobs.filter(({ status }) => status === "queued");
  assertEquals(waiting.length, 1);
  return waiting[0]!.jobId;
}

/** Stores the day like an undisturbed job. */
async function takeDay(store: Store, workspaceId: string, now: Date): Promise<void> {
  await using cache = openMarketCache();
  const workspace = { store, workspaceId, now: () => now };
  const { table, asOfMs } = await cache.read(workspace);
  const date = now.toISOString().slice(0, 10);
  const { signal } = new AbortController();
  await takeTrend(workspace, table, { date, takenAtMs: asOfMs }, signal);
}

async function rowsOf(store: Store, workspaceId: string) {
  const rows = await trends.list({ store, workspaceId });
  return rows.map(({ row: { month, dimension, value, bytes } }) =>
    `${month} ${dimension} ${value.toHex()} ${bytes.toHex()}`
  );
}
