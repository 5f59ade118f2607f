import { Failure } from "../../../src/base/failure.ts";
import {
  DEFAULT_JOB_TIMING,
  type Job,
  type JobKind,
  type JobStatus,
  NO_WORKSPACE,
  type StepResult,
} from "../../../src/platform/jobs/job.ts";
import {
  addJobOnce,
  cancelJob,
  findJob,
  listJobs,
  sweepJobs,
  waitForJob,
} from "../../../src/platform/jobs/job_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { createGate, nextTurn, PATIENCE_MS, until } from "../../patience.ts";
import {
  addCounting,
  contextOf,
  type CountingJob,
  countingKind,
  onceEach,
  pausingKind,
} from "./counting.ts";
import { openBench, withBench, wrongRows } from "./job_bench.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { eachApart, WorkLoop } from "../../../src/platform/jobs/work_loop.ts";
import { roomLog } from "../../../src/platform/log.ts";

const cancelled = (ctx: Context, { jobId }: Job, kind: JobKind<CountingJob> = countingKind()) =>
  transact(ctx, (write) => cancelJob(write, ctx, kind, jobId));

withBench.test("addJob() adds nothing when the caller's commit fails", async (bench) => {
  const failing = transact(bench.ctx, async (write) => {
    const spec = { kind: "count", args: {}, stats: {}, name: "n", slot: bench.clock.now() };
    ok(await addJobOnce(write, bench.ctx, spec));
    write.check(["row"], "00000000000000000001");
  });
  await rejects(failing, { code: "conflict" });
  const page = { kind: "count", limit: 10, afterId: null, order: "newest" } as const;
  assertEquals(await listJobs(bench.ctx, page), { jobs: [], nextId: null });
});

withBench.test("addJobOnce() creates one job for a planned time, however often it fires", async (bench) => {
  const ctx = contextOf(bench.store, bench.clock, NO_WORKSPACE);
  const fire = (name: string, minute: number) =>
    transact(ctx, (write) =>
      addJobOnce(write, ctx, {
        kind: "count",
        args: { steps: 1 },
        stats: { done: 0 },
        name,
        slot: new Date(Date.UTC(2026, 9, 25, 0, minute)),
      }));
  const fired = await Promise.all([fire("nightly", 0), fire("nightly", 0), fire("nightly", 0)]);
  assertEquals(fired.filter((job) => job !== null).length, 1);
  ok(await fire("nightly", 1));
  ok(await fire("hourly", 0));
  await bench.runner(countingKind()).drain();
  assertEquals(await fire("nightly", 0), null);
});

withBench.test("listJobs() lists every job of the kind once, newest or oldest first", async (bench) => {
  const ids: string[] = [];
  for (let n = 0; n < 25; n++) ids.push((await bench.add(1)).jobId);
  await bench.add(1, { kind: "other" });
  await addCounting(bench.of(7), 1);
  for (const [order, wanted] of [["oldest", ids], ["newest", ids.toReversed()]] as const) {
    const seen: string[][] = [];
    let afterId: string | null = null;
    do {
      const page: { jobs: Job[]; nextId: string | null } = await listJobs(bench.ctx, {
        kind: "count",
        limit: 10,
        afterId,
        order,
      });
      seen.push(page.jobs.map(({ jobId }) => jobId));
      afterId = page.nextId;
    } while (afterId !== null);
    assertEquals(seen.map(({ length }) => length), [10, 10, 5]);
    assertEquals(seen.flat(), wanted);
  }
});

withBench.test("waitForJob() returns when the job ends, or its state after the timeout", async (bench) => {
  const job = await bench.add(1);
  assertEquals((await waitForJob(bench.ctx, "count", job.jobId, 20))?.status, "queued");
  const waiting = waitForJob(bench.ctx, "count", job.jobId, PATIENCE_MS);
  await bench.runner(countingKind()).drain();
  assertEquals((await waiting)?.status, "succeeded");
  assertEquals(await waitForJob(bench.ctx, "count", "f".repeat(24), PATIENCE_MS), null);
});

withBench.test("cancelJob() ends a running job at its next commit, and keeps what was committed", async (bench) => {
  const finished: JobStatus[] = [];
  const pausing = pausingKind(2, {
    finish: ({ status }) => Promise.resolve(void finished.push(status)),
  });
  const { kind, paused } = pausing;
  const { job, runner } = await bench.startPaused(pausing, 5);
  const value = await cancelled(bench.ctx, job, kind);
  assertEquals([value.status, value.cancelRequested], ["running", true]);
  paused.open();
  await runner.drain();
  const { status, stats, cursor, error } = await bench.read(job);
  assertEquals([status, stats, cursor, error], ["cancelled", { done: 2 }, 2, null]);
  assertEquals([await bench.effects(job), finished], [onceEach(2), ["cancelled"]]);
  await rejects(cancelled(bench.ctx, job, kind), { code: "conflict" });
});

withBench.test("cancelJob() ends a queued job at once, and frees its place", async (bench) => {
  const kind = countingKind({ isSerialPerWorkspace: true }, ({ args }) => {
    if (args.steps === 9) throw new Error("Broken");
  });
  const first = await bench.add(9);
  const second = await bench.add(1);
  const runner = bench.runner(kind);
  await runner.drain();
  assertEquals((await bench.read(first)).hasTurn, true);
  assertEquals((await bench.read(second)).status, "queued");
  await cancelled(bench.ctx, first, kind);
  assertEquals((await bench.read(first)).status, "cancelled");
  await runner.drain();
  await bench.requireOnce(second);
});

withBench.test("a job of another workspace or kind is not found, nor cancelled", async (bench) => {
  const job = await bench.add(1);
  assertEquals(await findJob(bench.ctx, "import", job.jobId), null);
  await rejects(cancelled(bench.of(7), job), { code: "not_found" });
  await rejects(cancelled(bench.ctx, job, countingKind({ kind: "x" })), { code: "not_found" });
});

withBench.test("beat() commits at most every 3 s, and a checkpoint's effects need the lease", async (bench) => {
  const untils: number[] = [];
  const kind: JobKind<CountingJob> = {
    ...countingKind(),
    async step(job, { beat, checkpoint }) {
      for (let n = 1; n <= 6; n++) {
        bench.clock.advance(1_200);
        await beat({ progress: { processed: n, total: 6 } });
        untils.push((await bench.read(job)).progress.processed);
      }
      await checkpoint({ place: 1 }, (write) => write.sum(["fx", job.jobId, 0], 1));
      return { end: { status: "succeeded" } };
    },
  };
  const job = await bench.add(1);
  await bench.runner(kind).drain();
  assertEquals(untils, [0, 0, 3, 3, 3, 6]);
  await bench.requireOnce(job);
});

withBench.test("a step that restarts after a crash counts as progress only beyond its last place", async (bench) => {
  let tries = 0;
  const kind: JobKind<CountingJob> = {
    ...countingKind(),
    async step(_, { checkpoint }) {
      tries++;
      for (let place = 1; place <= 3; place++) await checkpoint({ place });
      throw new Error("Broken behind the third place");
    },
  };
  const job = await bench.add(1);
  const runner = bench.runner(kind);
  for (let n = 0; n < 9; n++) {
    await runner.drain();
    bench.clock.advance(120_000);
  }
  // The first attempt makes progress, so only the five after it count as failures.
  assertEquals([(await bench.read(job)).error?.code, tries], ["crash_loop", 6]);
});

/** Simulates processes that die one after another, each with the jobs of the previous one. */
async function die(bench: Awaited<ReturnType<typeof openBench>>, times: number): Promise<void> {
  const stuck = countingKind({}, () => new Promise<never>(() => {}));
  for (let n = 0; n < times; n++) {
    await bench.runner(stuck, { boot: `dead ${n}` }).sweep();
    bench.clock.advance(DEFAULT_JOB_TIMING.leaseMs + 1);
  }
}

withBench.test("start() resumes the jobs of two dead processes at the same time", async (bench) => {
  const jobs = [await bench.add(2), await bench.add(2)];
  await die(bench, 2);
  const both = createGate();
  const inFlight = new Set<string>();
  const kind = countingKind({}, async ({ jobId }) => {
    if (inFlight.add(jobId).size === jobs.length) both.open();
    // Each job waits for the other, so running them one after another would never end.
    await both.passed;
  });
  const runner = bench.runner(kind, { boot: "alive" });
  await runner.start();
  await until("both are in hand", () => Promise.resolve(inFlight.size === jobs.length));
  await runner.drain();
  await runner.stop();
  await bench.requireOnce(...jobs);
});

withBench.test("jobs during which three processes died are resumed one by one", async (bench) => {
  const gate = createGate();
  const jobs = [await bench.add(2), await bench.add(2)];
  await die(bench, 3);
  let [inHandMax, suspects] = [0, 0];
  const inFlight = new Set<string>();
  const kind = countingKind({}, async (job) => {
    if (!job.isSuspect) return;
    suspects++;
    inFlight.add(job.jobId);
    inHandMax = Math.max(inHandMax, inFlight.size);
    await gate.passed;
    inFlight.delete(job.jobId);
  });
  const runner = bench.runner(kind, { boot: "alive" });
  await runner.start();
  gate.open();
  await runner.drain();
  await runner.stop();
  assertEquals([suspects, inHandMax], [2, 1]);
  await bench.requireOnce(...jobs);
});

withBench.test("a check reports a missing and a stray row of a job", async (bench) => {
  const job = await bench.add(1);
  assertEquals(await wrongRows(bench.store), []);
  const [ready] = await Array.fromAsync(bench.store.kv.list({ prefix: ["jr"] }));
  const planted = ["jl", 5, ...ready!.key.slice(2, 3), ready!.key.at(-1)!];
  await bench.store.kv.atomic().delete(ready!.key).set(planted, 1).commit();
  assertEquals(await wrongRows(bench.store), [
    `Job ${job.jobId} has a stray row "jl"`,
    `Job ${job.jobId} lacks its row "jr"`,
  ]);
  await bench.store.kv.atomic().set(ready!.key, ready!.value).delete(planted).commit();
});

withBench.test("sweepJobs() deletes jobs that ended long ago, and their other rows before them", async (bench) => {
  const old = await bench.add(2);
  const elsewhere = await addCounting(bench.of(7), 1);
  await bench.runner(countingKind()).drain();
  const waiting = await bench.add(1, { kind: "nobody" });
  bench.clock.advance(400 * 86_400_000);
  const young = await bench.add(1);
  await bench.runner(countingKind()).drain();

  const removed: string[] = [];
  const count = await sweepJobs(bench.store, new Date(bench.clock.now().getTime() - 1_000), {
    takes: ({ kind }) => kind !== "other",
    removeRows: (_store, job) => Promise.resolve(void removed.push(job.jobId)),
  });
  assertEquals([count, removed.toSorted()], [2, [old.jobId, elsewhere.jobId].toSorted()]);
  assertEquals(await findJob(bench.ctx, "count", old.jobId), null);
  for (const job of [waiting, young]) assertEquals((await bench.read(job)).jobId, job.jobId);
});

type Step = JobKind<CountingJob>["step"];

const STEPS = 6;

/** `change` adds fields to each step's result; `begun` lists the cursors of all begun steps. */
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

withBench.test("committed() is called after a step's commit, and never after a lost one", async (bench) => {
  let losses = 3;
  const committed: string[] = [];
  const { kind, begun } = steppingKind(({ cursor }, { write }) => {
    const isLost = cursor === 2 && losses-- > 0;
    if (isLost) write.check(["nobody wrote this"], "0".repeat(19) + "1");
    return { committed: () => void committed.push(`${cursor ?? 0} ${isLost}`) };
  });
  await bench.add(STEPS);
  await bench.runner(kind).drain();
  assertEquals(begun, [0, 1, 2, 2, 2, 2, 3, 4, 5]);
  assertEquals(committed, Array.from({ length: STEPS }, (_, step) => `${step} false`));
});

withBench.test("a step gets the versionstamp of the previous commit", async (bench) => {
  const told: string[] = [];
  const { kind } = steppingKind(({ cursor }, { write, lastCommit }) => {
    write.set(["steps", cursor ?? 0], true);
    told.push(lastCommit);
    return {};
  });
  await bench.add(STEPS);
  await bench.runner(kind).drain();
  const rows = await Array.fromAsync(bench.store.kv.list({ prefix: ["steps"] }));
  assertEquals(told.slice(1), rows.slice(0, -1).map(({ versionstamp }) => versionstamp));
});

/** The first round begins at once, later ones after `wake`; each waits for `gate` to be opened. */
function openLoop(pauseMinMs: number) {
  const state = { begun: 0, gate: createGate() };
  const loop = new WorkLoop({
    name: "test",
    sweepMs: PATIENCE_MS,
    pauseMinMs,
    log: roomLog("test"),
    async round() {
      state.begun++;
      await state.gate.passed;
      return null;
    },
  });
  loop.start();
  return { loop, state };
}

Deno.test("a loop that is woken several times during a round and its pause makes one more round", async () => {
  const { loop, state } = openLoop(20);
  for (let n = 0; n < 5; n++) loop.wake();
  state.gate.open();
  await nextTurn();
  for (let n = 0; n < 5; n++) loop.wake();
  await until("a second round has begun", () => state.begun === 2);
  await loop.stop();
  assertEquals(state.begun, 2);
});

Deno.test("a loop that is stopped does not finish its pause", async () => {
  const { loop, state } = openLoop(PATIENCE_MS);
  state.gate.open();
  await nextTurn();
  loop.wake();
  await loop.stop();
  assertEquals(state.begun, 1);
});

Deno.test("eachApart() continues after a failure, and stops when the store is not writable", async () => {
  const done: number[] = [];
  const work = (refusal: Error) => (n: number) => {
    if (n === 2) return Promise.reject(refusal);
    done.push(n);
    return Promise.resolve();
  };
  await eachApart("test", [1, 2, 3], work(new Error("poison")));
  assertEquals(done, [1, 3]);
  const away = new Failure("unavailable", "The store is away");
  await rejects(eachApart("test", [1, 2, 3], work(away)), away);
  assertEquals(done, [1, 3, 1]);
});
