import { Failure } from "../../../src/base/failure.ts";
import { waitForJob } from "../../../src/platform/jobs/job_store.ts";
import { DEFAULT_JOB_TIMING, type JobKind } from "../../../src/platform/jobs/job.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { createGate, PATIENCE_MS, until } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";
import {
  addCounting,
  contextOf,
  type CountingJob,
  countingKind,
  pausingKind,
  workspaceNumber,
} from "./counting.ts";
import { openBench, withBench } from "./job_bench.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

withBench.test("a job takes its steps one by one and ends with the result of the last one", async (bench) => {
  const job = await bench.add(3);
  const kind = countingKind({
    finish: ({ jobId, status }, { write }) =>
      Promise.resolve(write.set(["finished", jobId], status)),
  });
  await bench.runner(kind).drain();
  const { stats, progress, result, attempts, lease, finishedAt } = await bench.read(job);
  assertEquals([stats, progress, result], [{ done: 3 }, { processed: 3, total: 3 }, { steps: 3 }]);
  assertEquals([attempts, lease, finishedAt], [0, null, "2026-11-20T09:00:00.000Z"]);
  await bench.requireOnce(job);
  const said = await bench.store.kv.get(["finished", job.jobId]);
  const record = await bench.store.kv.get(["fx", job.jobId, 2]);
  assertEquals([said.value, said.versionstamp], ["succeeded", record.versionstamp]);
});

withBench.test("two runners on one store have every effect once", async (bench) => {
  const jobs: CountingJob[] = [];
  for (let n = 0; n < 24; n++) jobs.push(await addCounting(bench.of(1 + n % 5), 10));
  const runners = [bench.runner(countingKind()), bench.runner(countingKind())];
  await Promise.all(runners.map((runner) => runner.drain()));
  await bench.requireOnce(...jobs);
});

Deno.test("wake-ups that come twice or belong to no job change nothing, and added jobs run without a sweep", async () => {
  await using bench = await openBench({ sweepMs: { local: 600_000, remote: 600_000 } });
  const runner = bench.runner(countingKind({ slotsPerProcess: 1 }));
  await runner.start();
  const jobs = [await bench.add(5), await bench.add(5)];
  for (let n = 0; n < 10; n++) await bench.store.kv.enqueue({ bell: "count" });
  await bench.store.kv.enqueue({ bell: "unknown" });
  await bench.store.kv.enqueue("no wake-up at all");
  for (const { jobId } of jobs) await waitForJob(bench.ctx, "count", jobId, PATIENCE_MS);
  await bench.requireOnce(...jobs);
  await runner.stop();
});

Deno.test("a job whose wake-up was lost is found by the sweep", async () => {
  await using bench = await openBench({ sweepMs: { local: 20, remote: 20 } });
  const remote: Store = { ...bench.store, kind: "remote" };
  const runner = bench.runner(countingKind(), { store: remote });
  await runner.start();
  const job = await addCounting(contextOf(remote, bench.clock), 2);
  await waitForJob(bench.ctx, "count", job.jobId, PATIENCE_MS);
  await bench.requireOnce(job);
  await runner.stop();
});

withBench.test("an owner that wakes up after its lease writes nothing more", async (bench) => {
  const pausing = pausingKind(2);
  const { job, runner: owner } = await bench.startPaused(pausing, 5);

  const other = bench.runner(countingKind());
  await other.drain();
  assertEquals((await bench.read(job)).status, "running");
  bench.clock.advance(DEFAULT_JOB_TIMING.leaseMs + 1);
  await other.drain();
  const { versionstamp } = await bench.store.kv.get(["fx", job.jobId, 4]);
  const taken = await bench.read(job);

  pausing.paused.open();
  await owner.drain();
  await bench.requireOnce(job);
  assertEquals(await bench.read(job), taken);
  assertEquals((await bench.store.kv.get(["fx", job.jobId, 4])).versionstamp, versionstamp);
});

withBench.test("a runner does not lose its own job when the clock jumps", async (bench) => {
  const pausing = pausingKind(null);
  const { job, runner } = await bench.startPaused(pausing, 1);
  bench.clock.advance(3_600_000);
  await runner.sweep();
  pausing.paused.open();
  await runner.drain();
  assertEquals([pausing.begun, await bench.effects(job)], [[null], [1]]);
});

withBench.test("after 3 s a job waits behind the others of its kind", async (bench) => {
  const order: string[] = [];
  const kind = countingKind({ slotsPerProcess: 1 }, ({ workspaceId, args }) => {
    order.push(workspaceId.slice(-1));
    if (args.steps > 1) bench.clock.advance(1_600);
  });
  const long = await addCounting(bench.of(1), 6);
  for (let n = 0; n < 2; n++) await addCounting(bench.of(2), 1);
  await bench.runner(kind).drain();
  assertEquals(order.join(""), "11211211");
  assertEquals((await bench.read(long)).attempts, 0);
});

withBench.test("unexpected errors pause a job for 1, 5, 30 and 120 s, then end it", async (bench) => {
  let ends = 0;
  const kind = countingKind({
    finish: () => Promise.resolve(void ends++),
  }, () => Promise.reject(new Error("Broken")));
  const job = await bench.add(1);
  const runner = bench.runner(kind);
  const backoffsMs: number[] = [];
  for (let n = 1; n <= 4; n++) {
    await runner.drain();
    const { status, attempts, notBeforeMs } = await bench.read(job);
    assertEquals([status, attempts], ["queued", n]);
    const backoffMs = notBeforeMs - bench.clock.now().getTime();
    backoffsMs.push(backoffMs);
    bench.clock.advance(backoffMs - 1);
    await runner.drain();
    assertEquals((await bench.read(job)).attempts, n);
    bench.clock.advance(1);
  }
  await runner.drain();
  assertEquals(backoffsMs, [1_000, 5_000, 30_000, 120_000]);
  const { status, error, hasErrors } = await bench.read(job);
  assertEquals([status, error?.code, hasErrors, ends], ["failed", "crash_loop", true, 1]);
});

withBench.test("a job with progress in between never counts as a crash loop", async (bench) => {
  let failures = 0;
  const kind = countingKind({}, ({ attempts }) => {
    if (attempts === 3) return;
    failures++;
    throw new Error("Broken for now");
  });
  const job = await bench.add(4);
  const runner = bench.runner(kind);
  for (let n = 0; n < 12; n++) {
    await runner.drain();
    bench.clock.advance(120_000);
  }
  assertEquals([(await bench.read(job)).status, failures], ["succeeded", 11]);
});

withBench.test("a failure thrown by a step ends the job with its code, and nothing of the step is stored", async (bench) => {
  const kind: JobKind = {
    ...countingKind(),
    step(job, { write }) {
      write.sum(["fx", job.jobId, 0], 1);
      return Promise.reject(new Failure("payload_too_large", "Too large", { bytesMax: 1 }));
    },
  };
  const job = await bench.add(1);
  await bench.runner(kind).drain();
  const { status, error } = await bench.read(job);
  assertEquals([status, error], ["failed", {
    code: "payload_too_large",
    message: "Too large",
    details: { bytesMax: 1 },
  }]);
  assertEquals(await bench.effects(job), []);
});

withBench.test("a flood of one workspace does not delay the jobs of twenty others", async (bench) => {
  const started: string[] = [];
  const kind = countingKind({ slotsPerProcess: 2 }, ({ workspaceId }) => {
    started.push(workspaceId);
  });
  for (let n = 0; n < 300; n++) await addCounting(bench.of(10), 1);
  for (let n = 0; n < 20; n++) await addCounting(bench.of(100 + n), 1);
  await bench.runner(kind).drain();
  assertEquals(started.length, 320);
  const places = started.flatMap((id, place) => id === workspaceNumber(10) ? [] : [place]);
  assertEquals(places.length, 20);
  ok(places.at(-1)! < 25, `the last of the twenty began as number ${places.at(-1)}`);
});

withBench.test("workspaces with hanging steps leave a slot for another one's first job", async (bench) => {
  const gate = createGate();
  let hanging = 0;
  const kind = countingKind({ slotsPerProcess: 8 }, async ({ workspaceId }) => {
    if (workspaceId === workspaceNumber(9)) return;
    hanging++;
    await gate.passed;
  });
  const runner = bench.runner(kind);
  for (const n of [1, 2, 3]) {
    for (let jobs = 0; jobs < 10; jobs++) await addCounting(bench.of(n), 1);
  }
  await runner.sweep();
  await until("they hold what they may", () => hanging === 6);
  const calm = await addCounting(bench.of(9), 1);
  await runner.sweep();
  const isEnded = async () => (await bench.read(calm)).status === "succeeded";
  await until("the calm job has ended", isEnded);
  assertEquals(hanging, 6);
  gate.open();
  await runner.drain();
});

withBench.test("a serial kind runs one job per workspace, in order of creation", async (bench) => {
  const order: string[] = [];
  const inFlight = new Set<string>();
  let atOnceMax = 0;
  const kind = countingKind({ isSerialPerWorkspace: true }, (job) => {
    inFlight.add(job.jobId);
    atOnceMax = Math.max(atOnceMax, inFlight.size);
    if (job.cursor === null) order.push(job.jobId);
    if (job.cursor === 2) inFlight.delete(job.jobId);
    // The second job fails once. Later jobs must wait for its second try.
    if (job.cursor === 1 && order.length === 2 && job.attempts === 0) throw new Error("Broken");
    if (job.cursor === 1 && job.attempts === 0) bench.clock.advance(25_000);
  });
  const jobs: CountingJob[] = [];
  for (let n = 0; n < 4; n++) jobs.push(await bench.add(3));
  const runners = [bench.runner(kind), bench.runner(kind)];
  for (let n = 0; n < 3; n++) {
    await Promise.all(runners.map((runner) => runner.drain()));
    bench.clock.advance(1_000);
  }
  assertEquals([order, atOnceMax], [jobs.map(({ jobId }) => jobId), 1]);
  await bench.requireOnce(...jobs);
});

withBench.test("stop() ends the current step and releases the job without a mark", async (bench) => {
  const pausing = pausingKind(1);
  const { job, runner } = await bench.startPaused(pausing, 4);
  const stopped = runner.stop();
  pausing.paused.open();
  await stopped;
  const { cursor, attempts, lease } = await bench.read(job);
  assertEquals([cursor, attempts, lease], [2, 0, null]);
  await bench.runner(countingKind()).drain();
  await bench.requireOnce(job);
});

Deno.test("stop() releases a job whose step does not end, and the step commits nothing afterwards", async () => {
  await using bench = await openBench({ stopMs: 50 });
  const pausing = pausingKind(null);
  const { job, runner } = await bench.startPaused(pausing, 2);
  const waiting = waitForJob(bench.ctx, "count", job.jobId, PATIENCE_MS);
  await runner.stop();
  assertEquals((await waiting)?.status, "queued");
  const { status, attempts, isSuspect, lease } = await bench.read(job);
  assertEquals([status, attempts, isSuspect, lease], ["queued", 0, false, null]);
  pausing.paused.open();
  await pausing.left.passed;
  await bench.runner(countingKind()).drain();
  await runner.drain();
  await bench.requireOnce(job);
});

withBench.test("waitForJob() returns the state after stop(), also if it read the job before", async (bench) => {
  const { kind, paused, reached } = pausingKind(null);
  const [read, stopped] = [createGate(), createGate()];
  let isWaiting = false;
  const store = watchedStore(bench.store, {
    async got() {
      if (!isWaiting) return;
      isWaiting = false;
      read.open();
      await stopped.passed;
    },
  });
  const job = await bench.add(2);
  const runner = bench.runner(kind, { store });
  await runner.sweep();
  await reached.passed;
  isWaiting = true;
  const waiting = waitForJob({ ...bench.ctx, store }, "count", job.jobId, PATIENCE_MS);
  await read.passed;
  const stopping = runner.stop();
  paused.open();
  await stopping;
  stopped.open();
  assertEquals((await waiting)?.status, "queued");
});

withBench.test("a step that waits releases its slot until then", async (bench) => {
  const kind: JobKind<CountingJob> = {
    ...countingKind(),
    step: ({ cursor }, { now }) =>
      Promise.resolve(
        cursor === null
          ? { cursor: 1, notBefore: new Date(now().getTime() + 60_000) }
          : { end: { status: "succeeded" } },
      ),
  };
  const job = await bench.add(1);
  const runner = bench.runner(kind);
  await runner.drain();
  assertEquals([(await bench.read(job)).status, (await bench.read(job)).cursor], ["queued", 1]);
  bench.clock.advance(60_000);
  await runner.drain();
  assertEquals((await bench.read(job)).status, "succeeded");
});

Deno.test("drain() runs a job that becomes ready during its last search", async () => {
  // Each round delays the end of the search for ready jobs a little more. In one round, the search
  // ends exactly when the job becomes ready.
  for (let headStart = 0; headStart <= 40; headStart++) {
    await using bench = await openBench();
    const [stepping, looked, put] = [createGate(), createGate(), createGate()];
    const [answered, back] = [createGate(), createGate()];
    let looks = 0;
    let isStepping = false;
    const kind: JobKind<CountingJob> = {
      ...countingKind(),
      async step({ cursor }, { now }) {
        if (cursor !== null) return { end: { status: "succeeded" } };
        isStepping = true;
        stepping.open();
        await looked.passed;
        return { cursor: 1, notBefore: now() };
      },
    };
    const job = await bench.add(1);
    // A second queued job makes `drain` search again.
    const later = new Date(bench.clock.now().getTime() + 3_600_000);
    await bench.add(1, { notBefore: later });
    const store = watchedStore(bench.store, {
      async committed() {
        if (!isStepping) return;
        put.open();
        await back.passed;
      },
      async listed({ prefix }) {
        // Pauses the first search for jobs that begins after the step has started.
        if (!isStepping || prefix?.[0] !== "jr" || ++looks !== 1) return;
        looked.open();
        await answered.passed;
      },
    });
    const drained = bench.runner(kind, { store }).drain();
    await Promise.all([stepping.passed, put.passed]);
    back.open();
    for (let n = 0; n < headStart; n++) await null;
    answered.open();
    await drained;
    assertEquals((await bench.read(job)).status, "succeeded", `${headStart}`);
  }
});
