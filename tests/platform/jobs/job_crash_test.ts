import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Job } from "../../../src/platform/job.ts";
import { findJob } from "../../../src/platform/job_store.ts";
import { checkJobs } from "../../../src/platform/jobs/check_jobs.ts";
import { waitForJob } from "../../../src/platform/jobs/wait_for_job.ts";
import type { Store } from "../../../src/platform/kv.ts";
import { openStore } from "../../../src/platform/open_store.ts";
import {
  addCounting,
  contextOf,
  createTestClock,
  effectsOf,
  onceEach,
  WORKSPACE,
} from "./counting.ts";

const KILLS = 20;
const JOBS = 6;

function startChild(dataDir: string): Deno.ChildProcess {
  const program = new URL("./crash_child.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "-A", program, dataDir],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** Resolves when the child has begun to work, false when it is gone. */
async function isWorking(child: Deno.ChildProcess): Promise<boolean> {
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  reader.releaseLock();
  return !done;
}

async function onStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ kvUrl: null, dataDir }, 5_000);
  try {
    return await work(store);
  } finally {
    store.kv.close();
  }
}

async function inTempDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "kurant-jobs-" });
  try {
    await work(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
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

Deno.test(`a process that is killed ${KILLS} times has every effect of its jobs once`, async () => {
  await inTempDir(async (dataDir) => {
    const steps = 3_000;
    const jobs = await addJobs(dataDir, Array.from({ length: JOBS }, () => ({ steps })));
    let kills = 0;
    while (kills < KILLS) {
      const child = startChild(dataDir);
      ok(await isWorking(child));
      const isDone = await Promise.race([
        child.status.then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), Math.random() * 100)),
      ]);
      if (!isDone) child.kill("SIGKILL");
      await Promise.all([child.status, child.stdout.cancel()]);
      if (isDone) break;
      kills++;
    }
    assertEquals(kills, KILLS, "the jobs are too short for this machine");

    const stopped = startChild(dataDir);
    ok(await isWorking(stopped));
    const toldAt = performance.now();
    stopped.kill("SIGTERM");
    const [{ code }] = await Promise.all([stopped.status, stopped.stdout.cancel()]);
    ok(performance.now() - toldAt < 10_000);
    assertEquals(code, 0);
    assertEquals(
      await onStore(dataDir, ({ kv }) => Array.fromAsync(kv.list({ prefix: ["jl"] }))),
      [],
    );

    await (await startChild(dataDir)).output();
    await onStore(dataDir, async (store) => {
      for (const { jobId } of jobs) {
        const job = await findJob({ store, workspaceId: WORKSPACE }, "count", jobId);
        assertEquals([job?.status, job?.stats], ["succeeded", { done: steps }]);
        assertEquals(await effectsOf(store, jobId), onceEach(steps));
      }
      assertEquals(await Array.fromAsync(checkJobs(store)), []);
    });
  });
});

Deno.test("a job that kills its process five times at one place fails, the others end", async () => {
  await inTempDir(async (dataDir) => {
    const jobs = await addJobs(dataDir, [
      { steps: 300 },
      { steps: 10, poisonAt: 3 },
      ...Array.from({ length: 4 }, () => ({ steps: 300 })),
    ]);
    let starts = 0;
    for (let code = -1; code !== 0 && starts < 20; starts++) {
      code = (await startChild(dataDir).output()).code;
    }
    await onStore(dataDir, async (store) => {
      const workspace = { store, workspaceId: WORKSPACE };
      const ended = await Promise.all(
        jobs.map(({ jobId }) => waitForJob(workspace, "count", jobId, 0)),
      );
      assertEquals(ended.map((job) => job?.status), [
        "succeeded",
        "failed",
        "succeeded",
        "succeeded",
        "succeeded",
        "succeeded",
      ]);
      assertEquals(ended[1]?.error?.code, "crash_loop");
      assertEquals(await effectsOf(store, jobs[1]!.jobId), onceEach(3));
      assertEquals(await effectsOf(store, jobs[5]!.jobId), onceEach(300));
      assertEquals(await Array.fromAsync(checkJobs(store)), []);
    });
    // It got to the place, and was then tried five times more.
    assertEquals(starts, 7);
  });
});
