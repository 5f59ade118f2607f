import type { JobKind, StepResult } from "../../../src/platform/jobs/job.ts";
import { addCounting, type CountingJob, countingKind } from "./counting.ts";
import { withBench } from "./job_bench.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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

withBench.test("a step gets the versionstamp of the previous commit", async (bench) => {
  const told: string[] = [];
  const { kind } = steppingKind(({ cursor }, { write, lastCommit }) => {
    write.set(["steps", cursor ?? 0], true);
    told.push(lastCommit);
    return {};
  });
  await addCounting(bench.ctx, STEPS);
  await bench.runner([kind]).drain();
  const stamps: string[] = [];
  for await (const { versionstamp } of bench.store.kv.list({ prefix: ["steps"] })) {
    stamps.push(versionstamp);
  }
  assertEquals(told.slice(1), stamps.slice(0, -1));
});
