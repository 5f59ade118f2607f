import { bodyOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { z } from "zod";
import type { Store } from "../../src/platform/store/kv.ts";
import type { TestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { heldBack, openShop, priced } from "./hostile_shop.ts";
import {
  addTargets,
  ended,
  scrape,
  startRun,
  startScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";

/** Waits for a run that may have to wait for a busy shop. */
async function endedInItsTime(app: TestApp, runId: string) {
  await until("the run has ended", async () => {
    app.clock.advance(1_000);
    const run = await bodyOf(app.viewer.get(`/api/scrape-runs/${runId}`), 200);
    return run.finishedAt !== null;
  });
  return await ended(app, runId);
}

/** Counts failed commits that would have taken or returned a permit. */
function countLostPermits({ kv }: Store): () => number {
  let lost = 0;
  const original = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = original();
    const { set, commit } = operation;
    let movesPermit = false;
    operation.set = (key, value, options) => {
      movesPermit ||= key[0] === "dom";
      set.call(operation, key, value, options);
      return operation;
    };
    operation.commit = async () => {
      const result = await commit.call(operation);
      if (!result.ok && movesPermit) lost++;
      return result;
    };
    return operation;
  };
  return () => lost;
}

/** Counts the commits that change a job, without those that only extend its lease. */
function countJobCommits({ kv }: Store): (jobId: string) => number {
  const states: string[] = [];
  const original = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = original();
    const { set, commit } = operation;
    let state: string | null = null;
    operation.set = (key, value, options) => {
      if (key[0] === "j") state = stateOf(value);
      set.call(operation, key, value, options);
      return operation;
    };
    operation.commit = async () => {
      const result = await commit.call(operation);
      if (result.ok && state !== null && state !== states.at(-1)) states.push(state);
      return result;
    };
    return operation;
  };
  return (jobId) => states.filter((state) => state.includes(jobId)).length;
}

function stateOf(job: unknown): string {
  const { jobId, status, cursor } = Moved.parse(job);
  return JSON.stringify([jobId, status, cursor]);
}

const Moved = z.object({ jobId: z.string(), status: z.string(), cursor: z.unknown() });

Deno.test("a run of five free shops takes eight commits", async () => {
  const store = await openMemoryStore();
  const count = countJobCommits(store);
  await using app = await startScrapingApp({}, { store });
  const shops = Array.from({ length: 5 }, () => openShop({ "/p": priced("10.00") }));
  const productId = await addTargets(app, ...shops.map(({ base }) => `${base}/p`));
  // The first run caches the robots.txt of each shop.
  await scrape(app, productId);
  const run = await scrape(app, productId);
  assertEquals([run.status, run.counts.ok], ["succeeded", 5]);
  // Three commits request, claim and begin the run. Each of five pages needs one more commit.
  await until("the last commit was answered", () => count(run.id) >= 8);
  assertEquals(count(run.id), 8);
  for (const shop of shops) await shop[Symbol.asyncDispose]();
});

Deno.test("runs of one process that need the same shops never race for a permit", async () => {
  const store = await openMemoryStore();
  await using app = await startScrapingApp({}, { store });
  const shops = Array.from({ length: 5 }, () => openShop({ "/p": priced("10.00") }));
  const productIds: string[] = [];
  for (let n = 0; n < extent(20, 10); n++) {
    const bases = shops.map((_, at) => shops[(n + at) % shops.length]?.base);
    productIds.push(await addTargets(app, ...bases.map((base) => `${base}/p`)));
  }
  const count = countLostPermits(store);
  const { started: runs } = await bodyOf(app.manager.post("/api/scrape-runs", { productIds }), 202);
  assertEquals(runs.length, productIds.length);
  for (const { runId } of runs) {
    assertEquals((await endedInItsTime(app, runId)).counts.ok, shops.length);
  }
  assertEquals(count(), 0);
  for (const shop of shops) await shop[Symbol.asyncDispose]();
});

withScrapingApp.test("a run whose next shop is busy visits another of its shops first", async (app) => {
  const { page, requested, release } = heldBack(priced("3.00"));
  await using busy = openShop({ "/held": page, "/p": priced("1.00") });
  await using free = openShop({ "/p": priced("2.00") });
  const held = await addTargets(app, `${busy.base}/held`);
  const heldRun = await startRun(app, held);
  await requested;
  const productId = await addTargets(app, `${busy.base}/p`, `${free.base}/p`);
  const runId = await startRun(app, productId);
  await until("the other shop was visited", () => free.asked().includes("/p"));
  ok(!busy.asked().includes("/p"), "one request at a time");
  release();
  await ended(app, heldRun);
  const run = await endedInItsTime(app, runId);
  assertEquals(run.counts, { targets: 2, ok: 2, failed: 0, skipped: 0 });
  assertEquals(run.results.map(({ url, price }) => [url, price]), [
    [`${free.base}/p`, 200],
    [`${busy.base}/p`, 100],
  ]);
});
