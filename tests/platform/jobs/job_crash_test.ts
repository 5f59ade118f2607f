import type { Job } from "../../../src/platform/jobs/job.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { killOnTheWay, stopOnTheWay, timesKilled } from "../../killed_process.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import {
  addCounting,
  contextOf,
  createTestClock,
  effectsOf,
  onceEach,
  WORKSPACE,
} from "./counting.ts";
import { wrongRows } from "./job_bench.ts";
import { openStoreIn } from "../../closing_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const KILLS = extent(20, 1);
const JOBS = 6;
const STEPS = extent(3_000, 200);
/** Each commit is one step, so the killed processes do no more than half of the work. */
const COMMITS_MAX = 400;

const childOn = (dataDir: string) => ({
  path: new URL("./crash_child.ts", import.meta.url).pathname,
  args: [dataDir],
});

async function onStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  using store = await openStoreIn(dataDir);
  return await work(store);
}

inFolder.test(`a process that is killed ${timesKilled(KILLS)} has every effect of its jobs once`, async (folder) => {
  const dataDir = folder.path;
  const jobs: Job[] = [];
  await onStore(dataDir, async (store) => {
    const ctx = contextOf(store, createTestClock());
    for (let n = 0; n < JOBS; n++) jobs.push(await addCounting(ctx, STEPS));
  });
  await killOnTheWay({
    ...childOn(dataDir),
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async beforeTheLast() {
      assertEquals(await stopOnTheWay(childOn(dataDir), COMMITS_MAX), 0);
      assertEquals(
        await onStore(dataDir, ({ kv }) => Array.fromAsync(kv.list({ prefix: ["jl"] }))),
        [],
      );
    },
  });
  await onStore(dataDir, async (store) => {
    for (const { jobId } of jobs) {
      const job = await findJob({ store, workspaceId: WORKSPACE }, "count", jobId);
      assertEquals([job?.status, job?.stats], ["succeeded", { done: STEPS }]);
      assertEquals(await effectsOf(store, jobId), onceEach(STEPS));
    }
    assertEquals(await wrongRows(store), []);
  });
});
