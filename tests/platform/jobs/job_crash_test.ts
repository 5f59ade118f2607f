import type { Job } from "../../../src/platform/jobs/job.ts";
import { findJob, waitForJob } from "../../../src/platform/jobs/job_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { killOnTheWay, runToTheEnd, stopOnTheWay, timesKilled } from "../../killed_process.ts";
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
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  try {
    return await work(store);
  } finally {
    store.kv.close();
  }
}

function addJobs(dataDir: string, specs: { steps: number; poisonAt?: number }[]): Promise<Job[]> {
  return onStore(dataDir, async (store) => {
    const clock = createTestClock();
    const jobs: Job[] = [];
    for (const { steps, poisonAt } of specs) {
      jobs.push(await addCounting(contextOf(store, clock), steps, { poisonAt: poisonAt ?? null }));
    }
    return jobs;
  });
}

inFolder.test(`a process that is killed ${timesKilled(KILLS)} has every effect of its jobs once`, async (folder) => {
  const dataDir = folder.path;
  const jobs = await addJobs(dataDir, Array.from({ length: JOBS }, () => ({ steps: STEPS })));
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

inFolder.test("a job that kills its process five times at one place fails, and the others end", async (folder) => {
  const dataDir = folder.path;
  const jobs = await addJobs(dataDir, [
    { steps: 100 },
    { steps: 10, poisonAt: 3 },
    ...Array.from({ length: 4 }, () => ({ steps: 100 })),
  ]);
  let starts = 0;
  for (let code = -1; code !== 0 && starts < 20; starts++) {
    code = await runToTheEnd(childOn(dataDir));
  }
  await onStore(dataDir, async (store) => {
    const workspace = { store, workspaceId: WORKSPACE };
    const ended = await Promise.all(
      jobs.map(({ jobId }) => waitForJob(workspace, "count", jobId, 0)),
    );
    assertEquals(
      ended.map((job) => job?.status),
      "succeeded failed succeeded succeeded succeeded succeeded".split(" "),
    );
    assertEquals(ended[1]?.error?.code, "crash_loop");
    assertEquals(await effectsOf(store, jobs[1]!.jobId), onceEach(3));
    assertEquals(await effectsOf(store, jobs[5]!.jobId), onceEach(100));
    assertEquals(await wrongRows(store), []);
  });
  // One process reaches the poisoned step, five more die there, and the last process ends the other
  // jobs.
  assertEquals(starts, 7);
});
