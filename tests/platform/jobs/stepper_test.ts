import { cancelJob } from "../../../src/platform/jobs/add_job.ts";
import type { JobKind, StepResult } from "../../../src/platform/jobs/job.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { createGate, nextTurn } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";
import { addCounting, type CountingJob, countingKind, effectsOf, onceEach } from "./counting.ts";
import { withBench } from "./job_bench.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

type Step = JobKind<CountingJob>["step"];

const STEPS = 6;

/**
 * A kind whose steps return the result of `change`. `begun` lists the cursors of the steps in
 * order.
 */
function steppingKind(change: (...args: Parameters<Step>) => Partial<StepResult<CountingJob>>) {
  const begun: number[] = [];
  const plain = countingKind({}, ({ cursor }) => void begun.push(cursor ?? 0));
  const kind = {
    ...plain,
    step: async (...args: Parameters<Step>) => ({
      ...await plain.step(...args),
      ...change(...args),
    }),
  };
  return { kind, begun };
}

withBench.test("an independent next step starts before the current one is committed", async (bench) => {
  const second = createGate();
  const { kind, begun } = steppingKind(({ cursor }) => {
    if (cursor === 1) second.open();
    return { isNextIndependent: true };
  });
  const job = await addCounting(bench.ctx, STEPS);
  // The first step's commit is not acknowledged until the second step has run.
  const committed = () => begun.length === 1 ? second.passed : Promise.resolve();
  const store = watchedStore(bench.store, { committed });
  await bench.runner([kind], { store }).drain();
  assertEquals(await effectsOf(bench.store, job.jobId), onceEach(STEPS));
  assertEquals(begun, Array.from({ length: STEPS }, (_, step) => step));
});

withBench.test("committed() is called after a step's commit, and never after a lost one", async (bench) => {
  let losses = 3;
  const committed: string[] = [];
  const { kind, begun } = steppingKind(({ cursor }, { write }) => {
    const isLost = cursor === 2 && losses-- > 0;
    if (isLost) write.check(["nobody wrote this"], "0".repeat(19) + "1");
    return { committed: () => void committed.push(`${cursor ?? 0} ${isLost}`) };
  });
  await addCounting(bench.ctx, STEPS);
  await bench.runner([kind]).drain();
  assertEquals(begun, [0, 1, 2, 2, 2, 2, 3, 4, 5]);
  assertEquals(committed, Array.from({ length: STEPS }, (_, step) => `${step} false`));
});

withBench.test("by default a step is committed before the next one starts", async (bench) => {
  const open: number[] = [];
  let isCommitting = false;
  const { kind } = steppingKind(() => {
    open.push(Number(isCommitting));
    return {};
  });
  const job = await addCounting(bench.ctx, STEPS);
  const store = watchedStore(bench.store, {
    committing: async () => {
      isCommitting = true;
      await nextTurn();
    },
    committed: () => Promise.resolve(void (isCommitting = false)),
  });
  await bench.runner([kind], { store }).drain();
  assertEquals(await effectsOf(bench.store, job.jobId), onceEach(STEPS));
  assertEquals(open, Array(STEPS).fill(0));
});

withBench.test("if a commit fails, the step that began before its answer is repeated, too", async (bench) => {
  let losses = 3;
  const { kind, begun } = steppingKind(({ cursor }, { write }) => ({
    isNextIndependent: true,
    checks: () => {
      if (cursor === 2 && losses-- > 0) write.check(["nobody wrote this"], "0".repeat(19) + "1");
    },
  }));
  const job = await addCounting(bench.ctx, STEPS);
  await bench.runner([kind]).drain();
  assertEquals(await effectsOf(bench.store, job.jobId), onceEach(STEPS));
  assertEquals((await bench.read(job)).stats, { done: STEPS });
  const again = [2, 3, 2, 3, 2, 3];
  assertEquals(begun, [0, 1, ...again, 2, 3, 4, 5]);
});

withBench.test("checks get the versionstamp of the previous commit, with and without overlap", async (bench) => {
  const told: string[] = [];
  const { kind } = steppingKind(({ cursor }, { write }) => {
    write.set(["steps", cursor ?? 0], true);
    return { isNextIndependent: cursor !== 3, checks: (last) => void told.push(last) };
  });
  await addCounting(bench.ctx, STEPS);
  await bench.runner([kind]).drain();
  const stamps: string[] = [];
  for await (const { versionstamp } of bench.store.kv.list({ prefix: ["steps"] })) {
    stamps.push(versionstamp);
  }
  assertEquals(told.slice(1), stamps.slice(0, -1));
});

withBench.test("a step with a checkpoint waits for the previous commit", async (bench) => {
  const plain = countingKind();
  const kind: JobKind<CountingJob> = {
    ...plain,
    async step(job, tools) {
      await tools.checkpoint({}, (write) => write.sum(["checkpoints"], 1));
      return { ...await plain.step(job, tools), isNextIndependent: true };
    },
  };
  const job = await addCounting(bench.ctx, STEPS);
  await bench.runner([kind]).drain();
  assertEquals(await effectsOf(bench.store, job.jobId), onceEach(STEPS));
  const { value } = await bench.store.kv.get<Deno.KvU64>(["checkpoints"]);
  assertEquals(value?.value, BigInt(STEPS));
});

withBench.test("a cancelled job drops the step that started early", async (bench) => {
  const { kind, begun } = steppingKind(() => ({ isNextIndependent: true }));
  const job = await addCounting(bench.ctx, 1_000);
  let isAsked = false;
  const store = watchedStore(bench.store, {
    async committed() {
      if (begun.length < 10 || isAsked) return;
      isAsked = true;
      await transact(bench.ctx, (write) => cancelJob(write, bench.ctx, kind, job.jobId));
    },
  });
  await bench.runner([kind], { store }).drain();
  const { status, stats } = await bench.read(job);
  assertEquals(status, "cancelled");
  const effects = await effectsOf(bench.store, job.jobId);
  assertEquals(effects, onceEach(stats.done));
  ok(begun.length > stats.done);
});
