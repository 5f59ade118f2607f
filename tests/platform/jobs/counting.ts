/** A job kind with countable effects: step n of a job adds 1 to the row `fx jobId n`. */
import { createIdSource } from "../../../src/base/id.ts";
import {
  type ClockAndIds,
  type Context,
  contextFor,
  createCursorSealer,
} from "../../../src/platform/store/context.ts";
import type { Job, JobKind } from "../../../src/platform/jobs/job.ts";
import { addJob } from "../../../src/platform/jobs/job_store.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { createGate } from "../../patience.ts";

export type CountingJob = Job<{ steps: number }, number, { done: number }>;

export const WORKSPACE = "a".repeat(24);
export const workspaceNumber = (n: number) => n.toString(16).padStart(24, "0");

export function createTestClock(startMs = Date.parse("2026-11-20T09:00:00Z")) {
  let nowMs = startMs;
  const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  return {
    now: () => new Date(nowMs),
    newId: createIdSource(() => nowMs, randomBytes),
    cursors: createCursorSealer(randomBytes(32)),
    advance: (byMs: number) => void (nowMs += byMs),
  };
}

export function contextOf(store: Store, clock: ClockAndIds, workspaceId = WORKSPACE): Context {
  const actor = { type: "system", id: "test", name: "Test" } as const;
  return contextFor({ store, clock, requestId: "req_test" }, workspaceId, actor);
}

/** `seen` is called before the commit of each step; it may throw or wait. */
export function countingKind(
  change: Partial<JobKind<CountingJob>> = {},
  seen: (job: CountingJob) => void | Promise<void> = () => {},
): JobKind<CountingJob> {
  return {
    kind: "count",
    slotsPerProcess: 4,
    async step(job, { write }) {
      await seen(job);
      const at = job.cursor ?? 0;
      write.sum(["fx", job.jobId, at], 1);
      const isLast = at + 1 >= job.args.steps;
      return {
        cursor: at + 1,
        stats: { done: at + 1 },
        progress: { processed: at + 1, total: job.args.steps },
        ...(isLast ? { end: { status: "succeeded", result: { steps: at + 1 } } } : {}),
      };
    },
    ...change,
  };
}

/** The step at `cursor` waits until the test opens `paused`. */
export function pausingKind(cursor: number | null, change: Partial<JobKind<CountingJob>> = {}) {
  const [paused, reached, left] = [createGate(), createGate(), createGate()];
  const begun: (number | null)[] = [];
  const kind = countingKind(change, async (job) => {
    begun.push(job.cursor);
    if (job.cursor !== cursor) return;
    reached.open();
    await paused.passed;
    left.open();
  });
  return { kind, paused, reached, left, begun };
}

export async function addCounting(
  ctx: Context,
  steps: number,
  { kind = "count", notBefore }: { kind?: string; notBefore?: Date } = {},
) {
  return await transact(ctx, (write) => {
    const job = { kind, args: { steps }, stats: { done: 0 }, ...(notBefore ? { notBefore } : {}) };
    return Promise.resolve(addJob(write, ctx, job));
  });
}

export async function effectsOf(store: Store, jobId: string): Promise<number[]> {
  const counts: number[] = [];
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix: ["fx", jobId] })) {
    counts[Number(key[2])] = Number(value.value);
  }
  return counts;
}

export const onceEach = (steps: number) => Array.from({ length: steps }, () => 1);
