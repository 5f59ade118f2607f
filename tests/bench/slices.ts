/** Compares two ways of doing the same in alternating rounds, so that noise affects both. */
import { stdout } from "node:process";
import { processMs } from "../processor_time.ts";
import type { Load } from "./http_load.ts";

/** Works for `ms`, and returns executions per second. */
export type Slice = (ms: number) => Promise<number>;

const ROUNDS = 9;
const SLICE_MS = 300;

/** Median rates of two ways, in alternating rounds after a warm-up. */
export async function compareRates(a: Slice, b: Slice): Promise<[a: number, b: number]> {
  await a(SLICE_MS);
  await b(SLICE_MS);
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    rates[0].push(await a(SLICE_MS));
    rates[1].push(await b(SLICE_MS));
  }
  return [median(rates[0]), median(rates[1])];
}

/** The upper median if the number of values is even. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

const WORKED_ROUNDS = 5;

/**
 * Median processor time of one execution of each way in milliseconds, over all threads of the
 * process. Other work on the machine affects it less than a rate.
 */
export async function compareWork(
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
): Promise<[a: number, b: number]> {
  const costs: [number[], number[]] = [[], []];
  for (let round = 0; round <= WORKED_ROUNDS; round++) {
    for (const [at, work] of [a, b].entries()) {
      const began = processMs();
      await work();
      if (round > 0) costs[at]?.push(processMs() - began);
    }
  }
  return [median(costs[0]), median(costs[1])];
}

/** Repeats `work` in this thread, `side` executions at the same time. */
export function inProcess(side: number, work: () => Promise<unknown>): Slice {
  return async (ms) => {
    const startedAt = performance.now();
    let count = 0;
    await Promise.all(Array.from({ length: side }, async () => {
      while (performance.now() - startedAt < ms) {
        await work();
        count++;
      }
    }));
    return count / (performance.now() - startedAt) * 1_000;
  };
}

export function startClient() {
  const worker = new Worker(new URL("./http_load.ts", import.meta.url), { type: "module" });
  return {
    /** Requests `path` over `connections` connections at the same time. */
    asks: (target: Omit<Load, "ms">): Slice => (ms) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
        worker.postMessage({ ...target, ms });
      }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

export function say(line: string): void {
  stdout.write(`${line}\n`);
}

/** Prints a result with its budget. */
export function report(name: string, ratio: number, budget: string, rates: string): void {
  say(`${name.padEnd(52)} ${ratio.toFixed(2).padStart(6)}  (${budget})  ${rates}`);
}
