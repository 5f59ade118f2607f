/** Runs jobs on an in-memory store with a settable clock. */

import {
  DEFAULT_JOB_TIMING,
  type Job,
  type JobKind,
  type JobTiming,
} from "../../../src/platform/jobs/job.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { findJob, findStrayRows, jobs } from "../../../src/platform/jobs/job_store.ts";
import { type RoomLog, roomLog } from "../../../src/platform/log.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { openMemoryStore } from "../../memory_store.ts";
import {
  addCounting,
  contextOf,
  type CountingJob,
  createTestClock,
  effectsOf,
  onceEach,
  pausingKind,
  workspaceNumber,
} from "./counting.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { testWith } from "../../opened.ts";

export async function openBench(timing: Partial<JobTiming> = {}) {
  const store = await openMemoryStore();
  const clock = createTestClock();
  const ctx = contextOf(store, clock);
  const read = async (job: Job): Promise<CountingJob> => {
    const found = await findJob<CountingJob>({ ...ctx, ...job }, job.kind, job.jobId);
    ok(found);
    return found;
  };
  return {
    store,
    clock,
    ctx,
    read,
    of: (workspace: number) => contextOf(store, clock, workspaceNumber(workspace)),
    add: (...asked: [steps: number, options?: Parameters<typeof addCounting>[2]]) =>
      addCounting(ctx, ...asked),
    effects: (job: Job) => effectsOf(store, job.jobId),
    /** Requires that each job has succeeded, and that each of its steps took effect once. */
    async requireOnce(...jobs: CountingJob[]) {
      for (const job of jobs) {
        assertEquals((await read(job)).status, "succeeded");
        assertEquals(await effectsOf(store, job.jobId), onceEach(job.args.steps));
      }
    },
    runner(kind: JobKind, change: { boot?: string; store?: Store; log?: RoomLog } = {}) {
      const log = roomLog("jobs");
      const all = { store, clock, boot: "boot", log, timing: { ...DEFAULT_JOB_TIMING, ...timing } };
      return new JobRunner({ ...all, kinds: [kind], ...change });
    },
    async startPaused({ kind, reached }: ReturnType<typeof pausingKind>, steps: number) {
      const job = await addCounting(ctx, steps);
      const runner = this.runner(kind);
      await runner.sweep();
      await reached.passed;
      return { job, runner };
    },
    /** Closes the store, and fails the test if rows of a job contradict its record. */
    async [Symbol.asyncDispose]() {
      const wrong = await wrongRows(store);
      store.kv.close();
      assertEquals(wrong, []);
    },
  };
}

/** Returns a message for each row of any workspace that contradicts the record of its job. */
export async function wrongRows(store: Store): Promise<string[]> {
  const found = await Array.fromAsync(
    findStrayRows(store),
    ({ key, jobId }) => `Job ${jobId} has a stray row "${String(key[0])}"`,
  );
  const owners = await Array.fromAsync(jobs.walkAll(store), ({ workspaceId }) => workspaceId);
  for (const workspaceId of new Set(owners)) {
    found.push(...await Array.fromAsync(jobs.inconsistencies({ store, workspaceId })));
  }
  return found;
}

export const withBench = testWith(() => openBench());
