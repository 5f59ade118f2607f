/** Measures the time and rate of work, and compares two kinds of work in alternating rounds. */
import { stdout } from "node:process";
import { fromKeys } from "../../src/base/collections.ts";
import type { Caller } from "../caller.ts";
import { pause } from "../patience.ts";
import { processMs } from "../processor_time.ts";
import type { Load } from "./http_load.ts";

/** Repeats some work for `ms`, and returns the executions per second. */
export type Slice = (ms: number) => Promise<number>;

const ROUNDS = 9;
const WORKED_ROUNDS = 5;
const SLICE_MS = 300;

/** Times are in milliseconds; `cpuMs` is by default the processor time of this process. */
export async function timed<T>(
  work: () => Promise<T>,
  processorMs: () => number | Promise<number> = processMs,
) {
  const usedMs = await processorMs();
  const startedAt = performance.now();
  const result = await work();
  const ms = performance.now() - startedAt;
  return { ms, cpuMs: await processorMs() - usedMs, result };
}

/** Measures every kind of work in each round, in an order that changes from round to round. */
export async function alternately<Kind extends string, T>(
  kinds: readonly Kind[],
  { rounds, warmUp = 0 }: { readonly rounds: number; readonly warmUp?: number },
  measure: (kind: Kind, round: number) => Promise<T>,
): Promise<Record<Kind, T[]>> {
  const found = fromKeys(kinds, (): T[] => []);
  for (let round = 0; round < warmUp + rounds; round++) {
    const at = round % kinds.length;
    for (const kind of [...kinds.slice(at), ...kinds.slice(0, at)]) {
      const measured = await measure(kind, round);
      if (round >= warmUp) found[kind].push(measured);
    }
  }
  return found;
}

/** Returns the medians of `a` and of `b`; the first round does not count. */
async function mediansOf(
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<[a: number, b: number]> {
  const measures = { a, b };
  const found = await alternately(["a", "b"], { rounds, warmUp: 1 }, (kind) => measures[kind]());
  return [median(found.a), median(found.b)];
}

export function compareRates(a: Slice, b: Slice) {
  return mediansOf(ROUNDS, () => a(SLICE_MS), () => b(SLICE_MS));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/**
 * Returns the median processor times of one `a` and one `b`, in milliseconds over all threads.
 * Other work on the machine affects processor time less than elapsed time.
 */
export function compareWork(a: () => Promise<unknown>, b: () => Promise<unknown>) {
  const costOf = async (work: () => Promise<unknown>) => (await timed(work)).cpuMs;
  return mediansOf(WORKED_ROUNDS, () => costOf(a), () => costOf(b));
}

/** Repeats `work` in this thread, with `side` executions at the same time. */
export function inProcess(side: number, work: (n: number) => Promise<unknown>): Slice {
  return async (ms) => {
    const startedAt = performance.now();
    let count = 0;
    await Promise.all(Array.from({ length: side }, async () => {
      while (performance.now() - startedAt < ms) await work(count++);
    }));
    return count / (performance.now() - startedAt) * 1_000;
  };
}

export function startClient() {
  const worker = new Worker(new URL("./http_load.ts", import.meta.url), { type: "module" });
  return {
    asks: (target: Omit<Load, "ms">): Slice => (ms) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
        worker.postMessage({ ...target, ms });
      }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

export async function untilSucceeded(
  caller: Caller,
  path: string,
  everyMs: number,
  polled: (job: { readonly phase: string }) => unknown = () => {},
) {
  for (;;) {
    const job = await caller.read(path);
    await polled(job);
    if (job.status === "succeeded") return job;
    if (job.status !== "queued" && job.status !== "running") {
      throw new Error(`${path} is ${job.status}: ${JSON.stringify(job.error)}`);
    }
    await pause(everyMs);
  }
}

export function say(line: string): void {
  stdout.write(`${line}\n`);
}

export function report(name: string, ratio: number, budget: string, rates: string): void {
  say(`${name.padEnd(52)} ${ratio.toFixed(2).padStart(6)}  (${budget})  ${rates}`);
}

export function ratesOf(subject: number, floor: number): string {
  return `${Math.round(subject)}/s against ${Math.round(floor)}/s`;
}
