/** Measures the heap after a full collection, so garbage and load do not matter. */
import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes of the heap and of external memory after a full collection. */
export function heapBytes(): number {
  collect();
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}

/**
 * Samples the heap during repeated work. If memory grows by a constant amount per step, the largest
 * sample is at least the peak divided by `stride`, by default four fifths of the peak.
 */
export class HeapWatch {
  /** After a sample at step n, the next sample is taken at step n × `#stride`. */
  readonly #stride: number;
  readonly #before = heapBytes();
  #most = 0;
  #steps = 0;
  #nextLook: number;

  constructor({ stride = 1.25, firstLook = 1 } = {}) {
    this.#stride = stride;
    this.#nextLook = firstLook;
  }

  /**
   * Call this method once per step of the work. Few steps are sampled, because a full collection
   * takes some 100 ms.
   */
  step(): void {
    if (++this.#steps < this.#nextLook) return;
    this.#nextLook = Math.ceil(this.#steps * this.#stride);
    this.#most = Math.max(this.#most, heapBytes() - this.#before);
  }

  /** Growth in bytes: the largest sample minus the heap at construction. */
  get mostBytes(): number {
    return this.#most;
  }
}
